"""Who can be taken in one ply: what players and evaluations look at first."""

from __future__ import annotations

from spielbaum.games.latrunculi.board import COLOUR, DIRECTIONS, DUX, EDGE, EMPTY, NUMBER, RIGHT, UP
from spielbaum.rules import rule

NOBODY = 0  # no cell of the board


@rule
def is_capturable(t, s, cell, side, without):
    """Whether the enemy of a side could take its piece on a cell in one ply, the piece on `without` not moving."""
    if t.dux and int(s.board[cell]) & NUMBER == DUX:
        return False
    if t.corner and t.corner_pair[cell] != 0:
        upright = cell + UP if s.board[cell + UP] != EDGE else cell - UP
        return is_closing(s, upright, t.corner_pair[cell] - upright, 1 - side, without)
    return is_closing(s, cell + UP, cell - UP, 1 - side, without) or is_closing(
        s, cell + RIGHT, cell - RIGHT, 1 - side, without
    )


@rule
def is_closing(s, one, other, side, without):
    """Whether a side holds one of two cells and can come to the other."""
    if s.board[one] == EMPTY:
        return s.board[other] & COLOUR[side] != 0 and is_reachable(s, one, side, without)
    return s.board[other] == EMPTY and s.board[one] & COLOUR[side] != 0 and is_reachable(s, other, side, without)


@rule
def is_reachable(s, cell, side, without):
    """Whether a piece of a side can slide to an empty cell."""
    for direction in DIRECTIONS:
        there = cell + direction
        while s.board[there] == EMPTY:
            there += direction
        if s.board[there] & COLOUR[side] != 0 and there != without:
            return True
    return False
