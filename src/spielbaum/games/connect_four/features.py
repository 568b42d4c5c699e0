"""What a network sees of Connect Four, all of it twice: of who is to move, then of the other one.

    6 * column + row            a disc
    84 + 6 * column + row       an empty square that would complete four in a row
    168 + column                such a square that is within reach
    182 + column                such a square just above what is within reach
    196 + column                a disc there would make a threat that must be answered at once
    210 + column                a disc there would make two, or one and another just above it: one answer is too few

and 42 or 7 more for the other one. Threats decide the game (V. Allis, "A Knowledge-based Approach of Connect-Four",
1988), and a small net would spend most of its units on finding them. The board may be mirrored. As planes
there are the discs alone, and the bottom row is the first one.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.connect_four.evaluate import size
from spielbaum.games.connect_four.rules import BOTTOM, COLUMN, HEIGHT, ONE, UP, WIDTH
from spielbaum.games.connect_four.threats import BOARD, fourths, threats
from spielbaum.rules import rule

SQUARES = WIDTH * HEIGHT
THREATS, REACHED, ABOVE = 2 * SQUARES, 4 * SQUARES, 4 * SQUARES + 2 * WIDTH
FORCING, DECIDING = 4 * SQUARES + 4 * WIDTH, 4 * SQUARES + 6 * WIDTH
FEATURES = 4 * SQUARES + 8 * WIDTH
SYMMETRIES = 2
PLANES = (2, HEIGHT, WIDTH)
NOWHERE = np.uint64(0)


@rule
def features(s, player, out):
    n = 0
    reach = ((s.discs[0] | s.discs[1]) + BOTTOM) & BOARD
    for side in range(2):
        lines = threats(s, player ^ side)
        n = write_squares(s.discs[player ^ side], SQUARES * side, out, n)
        n = write_squares(lines, THREATS + SQUARES * side, out, n)
        n = write_columns(lines & reach, REACHED + WIDTH * side, out, n)
        n = write_columns(lines & (reach << UP), ABOVE + WIDTH * side, out, n)
        forcing, deciding = attacks(s, player ^ side, reach, lines)
        n = write_columns(forcing, FORCING + WIDTH * side, out, n)
        n = write_columns(deciding, DECIDING + WIDTH * side, out, n)
    return n


@rule
def attacks(s, player, reach, lines):
    """The squares within reach from which a player would threaten to win, and those that nobody could answer."""
    forcing, deciding, left = NOWHERE, NOWHERE, reach & ~lines
    empty = BOARD & ~(s.discs[0] | s.discs[1])
    while left != 0:
        others = left & (left - ONE)
        square = left ^ others
        made = fourths(s.discs[player] | square) & empty & ~square
        at_once = made & ((reach ^ square) & ~lines | square << UP)
        if at_once != 0:
            forcing |= square
            if at_once & (at_once - ONE) != 0 or made & (at_once << UP) != 0:
                deciding |= square
        left = others
    return forcing, deciding


@rule
def write_squares(squares, first, out, n):
    while squares != 0:
        others = squares & (squares - ONE)
        bit = size((squares ^ others) - ONE)
        out[n] = first + bit - bit // COLUMN  # the bits of a column are one more than its squares
        squares = others
        n += 1
    return n


@rule
def write_columns(squares, first, out, n):
    while squares != 0:
        others = squares & (squares - ONE)
        out[n] = first + size((squares ^ others) - ONE) // COLUMN
        squares = others
        n += 1
    return n


@rule
def planes(s, player, out):
    for side in range(2):
        discs = s.discs[player ^ side]
        for column in range(WIDTH):
            for row in range(s.height[column]):
                if discs >> (COLUMN * column + row) & ONE:
                    out[side, row, column] = 1.0


@rule
def symmetry(which, feature):
    """The mirrored feature; the first symmetry changes nothing."""
    if which == 0:
        return feature
    if feature >= REACHED:
        group, column = feature // WIDTH, feature % WIDTH
        return WIDTH * group + WIDTH - 1 - column
    board, square = feature // SQUARES, feature % SQUARES
    return SQUARES * board + HEIGHT * (WIDTH - 1 - square // HEIGHT) + square % HEIGHT


@rule
def symmetric_action(which, action):
    return WIDTH - 1 - action if which else action
