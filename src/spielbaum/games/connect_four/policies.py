"""How to play Connect Four sensibly without looking far: a playout policy, a pruning and preferences."""

from __future__ import annotations

import numpy as np

from spielbaum.games.connect_four.rules import BOTTOM, COLUMN, HEIGHT, UP, WIDTH, landing, sample
from spielbaum.games.connect_four.threats import BOARD, threats
from spielbaum.rules import rule

POLICIES = ("decisive",)
FILTERS = ("no-gift",)

FIRST_COLUMN = np.uint64((1 << HEIGHT) - 1)


@rule
def policy(s, rng):
    """`decisive`: win at once, or else stop the opponent from winning at once, or else play at random."""
    mover = s.count & 1
    within_reach = ((s.discs[0] | s.discs[1]) + BOTTOM) & BOARD
    wins = threats(s, mover) & within_reach
    if wins != 0:
        return column_of(wins)
    losses = threats(s, 1 - mover) & within_reach
    if losses != 0:
        return column_of(losses)
    return sample(s, rng)


@rule
def column_of(squares):
    """The leftmost column that holds one of these squares."""
    column = 0
    while (squares >> np.uint64(COLUMN * column)) & FIRST_COLUMN == 0:
        column += 1
    return column


@rule
def keep(s, action):
    """`no-gift`: do not play below a square that gives the opponent four in a row, except to win."""
    mover = s.count & 1
    square = landing(s, action)
    return (threats(s, 1 - mover) & (square << UP)) == 0 or (threats(s, mover) & square) != 0


@rule
def prior(actions, n, out):
    """The nearer to the centre, the better: weights 1 2 3 4 3 2 1."""
    total = 0.0
    for i in range(n):
        out[i] = 1.0 + WIDTH // 2 - abs(actions[i] - WIDTH // 2)
        total += out[i]
    for i in range(n):
        out[i] /= total
