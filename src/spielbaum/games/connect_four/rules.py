"""The rules of Connect Four, on two bitboards.

Bit 7 * column + row is a square. Each column has a seventh bit that stays empty, so that lines
found by shifting never wrap into the next column (an idea of John Tromp's Fhourstones).

      5 12 19 26 33 40 47
      4 11 18 25 32 39 46
      …
      0  7 14 21 28 35 42
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import HALF, TERMINAL, below, mix, rule

WIDTH, HEIGHT, COLUMN = 7, 6, 7
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, WIDTH, WIDTH

STATE = np.dtype(
    (
        np.record,
        [
            ("discs", "u8", PLAYERS),  # the squares of each player
            ("height", "i8", WIDTH),  # discs in each column
            ("count", "i8"),  # discs on the board
            ("winner", "i8"),  # 1 or 2 once somebody has four in a row
        ],
    )
)

ONE = np.uint64(1)
UP, RIGHT, DOWN_RIGHT, UP_RIGHT = np.uint64(1), np.uint64(7), np.uint64(6), np.uint64(8)
BOTTOM = np.uint64(sum(1 << COLUMN * column for column in range(WIDTH)))  # the lowest square of each column


@rule
def player(s):
    if s.winner != 0 or s.count == WIDTH * HEIGHT:
        return TERMINAL
    return s.count & 1


@rule
def actions(s, out):
    n = 0
    for column in range(WIDTH):
        if s.height[column] < HEIGHT:
            out[n] = column
            n += 1
    return n


@rule
def landing(s, column):
    """The square on which the next disc of a column comes to rest."""
    return ONE << np.uint64(column * COLUMN + s.height[column])


@rule
def play(s, action):
    mover = s.count & 1
    s.discs[mover] |= landing(s, action)
    s.height[action] += 1
    s.count += 1
    if four_in_a_row(s.discs[mover]):
        s.winner = mover + 1


@rule
def four_in_a_row(discs):
    return (
        four_along(discs, RIGHT)
        or four_along(discs, DOWN_RIGHT)
        or four_along(discs, UP_RIGHT)
        or four_along(discs, UP)
    )


@rule
def four_along(discs, step):
    pairs = discs & (discs >> step)
    return (pairs & (pairs >> (step + step))) != 0


@rule
def returns(s, out):
    if s.winner != 0:
        out[s.winner - 1] = 1.0
        out[2 - s.winner] = -1.0


@rule
def sample(s, rng):
    while True:
        column = below(rng, WIDTH)
        if s.height[column] < HEIGHT:
            return column


@rule
def key(s):
    """The first player's discs, and above each column a bit that marks its height, are the whole position."""
    position = s.discs[0] | ((s.discs[0] | s.discs[1]) + BOTTOM)
    return mix(mix(np.uint64(0), position), position >> HALF)
