"""What a Connect Four player sees at a glance: the squares that would complete four in a row."""

from __future__ import annotations

import numpy as np

from spielbaum.games.connect_four.rules import BOTTOM, DOWN_RIGHT, HEIGHT, RIGHT, UP, UP_RIGHT
from spielbaum.rules import rule

BOARD = np.uint64(int(BOTTOM) * ((1 << HEIGHT) - 1))


@rule
def threats(s, player):
    """The empty squares, within reach or not, that would give a player four in a row."""
    return fourths(s.discs[player]) & BOARD & ~(s.discs[0] | s.discs[1])


@rule
def fourths(discs):
    """The squares that make a line of four with three of some discs, wherever they are."""
    return (
        fourths_along(discs, UP)
        | fourths_along(discs, RIGHT)
        | fourths_along(discs, DOWN_RIGHT)
        | fourths_along(discs, UP_RIGHT)
    )


@rule
def fourths_along(discs, step):
    """The squares that make a line of four with three discs, two of them next to each other on one side."""
    two, three = step + step, step + step + step
    behind = (discs << step) & (discs << two)
    ahead = (discs >> step) & (discs >> two)
    return (behind & ((discs << three) | (discs >> step))) | (ahead & ((discs >> three) | (discs << step)))
