"""What a network sees of Connect Four, all of it twice: of who is to move, then of the other one.

    6 * column + row            a disc
    84 + 6 * column + row       an empty square that would complete four in a row
    168 + column                such a square that is within reach
    182 + column                such a square just above what is within reach

and 42 or 7 more for the other one. Threats decide the game (V. Allis, "A Knowledge-based Approach of Connect-Four",
1988), and a small net would spend most of its units on finding them. The board may be mirrored.
"""

from __future__ import annotations

from spielbaum.games.connect_four.rules import COLUMN, HEIGHT, ONE, WIDTH
from spielbaum.games.connect_four.threats import threats
from spielbaum.rules import rule

SQUARES = WIDTH * HEIGHT
THREATS, REACHED, ABOVE = 2 * SQUARES, 4 * SQUARES, 4 * SQUARES + 2 * WIDTH
FEATURES = 4 * SQUARES + 4 * WIDTH
SYMMETRIES = 2


@rule
def features(s, player, out):
    n = 0
    for side in range(2):
        discs, lines = s.discs[player ^ side], threats(s, player ^ side)
        for column in range(WIDTH):
            height = s.height[column]
            for row in range(height):
                if discs >> (COLUMN * column + row) & ONE:
                    out[n] = SQUARES * side + HEIGHT * column + row
                    n += 1
            for row in range(height, HEIGHT):
                if lines >> (COLUMN * column + row) & ONE:
                    out[n] = THREATS + SQUARES * side + HEIGHT * column + row
                    n += 1
                    if row <= height + 1:
                        out[n] = (REACHED if row == height else ABOVE) + WIDTH * side + column
                        n += 1
    return n


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
