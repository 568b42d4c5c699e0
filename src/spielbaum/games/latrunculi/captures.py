"""Who is taken by a move: an enemy between the piece that moved and another one of its side."""

from __future__ import annotations

from spielbaum.games.latrunculi.board import COLOUR, DIRECTIONS, DUX, NUMBER
from spielbaum.rules import rule


@rule
def taken(t, s, cell, direction, mover, origin):
    """Whether the enemy beside a piece that comes from `origin` to `cell` is taken; the origin counts as empty."""
    enemy = cell + direction
    piece = int(s.board[enemy])
    if piece & COLOUR[1 - mover] == 0 or (t.dux and piece & NUMBER == DUX):
        return False
    anvil = enemy + direction
    if s.board[anvil] & COLOUR[mover] != 0:
        return anvil != origin
    if t.corner and t.corner_pair[enemy] != 0:
        other = t.corner_pair[enemy] - cell
        return s.board[other] & COLOUR[mover] != 0 and other != origin
    return False


@rule
def takes(t, s, cell, mover, origin):
    """Whether a piece that comes from `origin` to `cell` takes anything."""
    foe = COLOUR[1 - mover]
    board = s.board
    if (board[cell + 16] | board[cell + 1] | board[cell - 16] | board[cell - 1]) & foe == 0:
        return False
    for direction in DIRECTIONS:
        if taken(t, s, cell, direction, mover, origin):
            return True
    return False
