"""What the thesis sees in a square: each flag is a question with yes or no for an answer.

The program of the thesis answered some of them wrongly; these are the answers that it meant.
"""

from __future__ import annotations

from spielbaum.games.latrunculi.board import COLOUR, DIRECTIONS, DUX, EDGE, EMPTY, NUMBER, RIGHT, UP
from spielbaum.games.latrunculi.threats import is_capturable
from spielbaum.rules import rule

SIDEWAYS, UPWARDS = (RIGHT, -RIGHT), (UP, -UP)


@rule
def is_threatening(t, s, cell, side):
    """Whether an enemy stands beside a piece, and behind it a square of the board that is not ours."""
    for direction in DIRECTIONS:
        if is_threatened(t, s, cell, direction, side):
            return True
    return False


@rule
def is_threatening_highly(t, s, cell, side):
    """Whether one of the enemies beside a piece can be taken by another piece in the next ply."""
    for direction in DIRECTIONS:
        enemy = cell + direction
        if is_threatened(t, s, cell, direction, side) and is_capturable(t, s, enemy, 1 - side, cell):
            return True
    return False


@rule
def is_threatened(t, s, cell, direction, side):
    """Whether the neighbour of a piece is an enemy that a piece on its other side would take."""
    enemy = cell + direction
    piece = int(s.board[enemy])
    if piece & COLOUR[1 - side] == 0 or (t.dux and piece & NUMBER == DUX):
        return False
    behind = enemy + direction
    if t.corner and t.corner_pair[enemy] != 0:
        behind = t.corner_pair[enemy] - cell
    return s.board[behind] != EDGE and s.board[behind] & COLOUR[side] == 0


@rule
def is_in_squad(s, cell, side):
    """Whether a piece is part of a block of four."""
    return has_square_with(s, cell, side, 3, 0)


@rule
def is_in_prep_squad(s, cell, side):
    """Whether a piece is part of an L whose fourth square is free."""
    return has_square_with(s, cell, side, 2, 1)


@rule
def has_square_with(s, cell, side, friends, free):
    """Whether one of the four 2x2 squares around a cell holds so many friends and free cells besides it."""
    own = COLOUR[side]
    for up in UPWARDS:
        for aside in SIDEWAYS:
            friendly, empty = 0, 0
            for other in (cell + up, cell + aside, cell + up + aside):
                if s.board[other] & own != 0:
                    friendly += 1
                elif s.board[other] == EMPTY:
                    empty += 1
            if friendly == friends and empty == free:
                return True
    return False


@rule
def is_in_corner(t, cell):
    return t.corner_pair[cell] != 0


@rule
def is_by_friendly_corner(t, s, cell, side):
    """Whether a square is next to a corner that a friend holds."""
    for direction in DIRECTIONS:
        if t.corner_pair[cell + direction] != 0 and s.board[cell + direction] & COLOUR[side] != 0:
            return True
    return False
