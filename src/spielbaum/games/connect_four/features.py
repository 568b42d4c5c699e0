"""What a network sees of Connect Four: the discs of who is to move, then those of the other one.

Feature 6 * column + row is an own disc, 42 more one of the opponent's. The board may be mirrored. The same as planes,
of which the bottom row is the first one.
"""

from __future__ import annotations

from spielbaum.games.connect_four.rules import COLUMN, HEIGHT, ONE, WIDTH
from spielbaum.rules import rule

SQUARES = WIDTH * HEIGHT
FEATURES = 2 * SQUARES
SYMMETRIES = 2
PLANES = (2, HEIGHT, WIDTH)


@rule
def features(s, player, out):
    n = 0
    for side in range(2):
        discs = s.discs[player ^ side]
        for column in range(WIDTH):
            for row in range(s.height[column]):
                if discs >> (COLUMN * column + row) & ONE:
                    out[n] = SQUARES * side + HEIGHT * column + row
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
    side, square = feature // SQUARES, feature % SQUARES
    return SQUARES * side + HEIGHT * (WIDTH - 1 - square // HEIGHT) + square % HEIGHT


@rule
def symmetric_action(which, action):
    return WIDTH - 1 - action if which else action
