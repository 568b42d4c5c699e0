"""The rules of Light Cycles, on bitboards of at most 8 by 8 cells.

Both riders move at once. So the first one commits to a direction, the second one does the same
without seeing it (`hide`), and then both move. Who runs into the border, a trail or the other rider
is out; if both are, it is a draw.

Bit 8 * row + column is a cell; row 0 is in the south.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

SIDE = 8
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 4, 4
NORTH, EAST, SOUTH, WEST = range(4)
NOTHING, UNKNOWN = 0, 5  # a commitment is NOTHING, 1 + direction, or UNKNOWN to the other rider
RUNNING, FIRST_WINS, SECOND_WINS, DRAW = range(4)

STATE = np.dtype(
    (
        np.record,
        [
            ("trails", "u8", 2),  # the cells of each rider's trail, the rider included
            ("cell", "i8", 2),  # where the riders are
            ("committed", "i8"),  # what the first rider has decided this round
            ("outcome", "i8"),
        ],
    )
)
OPTIONS = (
    Param("width", SIDE, "columns of the arena", low=4, high=SIDE),
    Param("height", SIDE, "rows of the arena", low=4, high=SIDE),
)


class Tables(NamedTuple):
    """What stays the same: the arena and where the riders start."""

    border: np.uint64  # cells outside the arena
    start: np.ndarray  # i8[2]


def tables(options: dict[str, Any]) -> Tables:
    """The arena for the options: riders start in the middle row, at opposite borders."""
    width, height = options["width"], options["height"]
    inside = sum(1 << (SIDE * row + column) for row in range(height) for column in range(width))
    row = SIDE * (height // 2)
    return Tables(np.uint64(2**64 - 1 - inside), np.array([row, row + width - 1]))


ONE = np.uint64(1)


@rule
def start(t, s, rng):
    for rider in range(2):
        s.cell[rider] = t.start[rider]
        s.trails[rider] = ONE << np.uint64(t.start[rider])


@rule
def player(t, s):
    if s.outcome != RUNNING:
        return TERMINAL
    return 0 if s.committed == NOTHING else 1


@rule
def actions(t, s, out):
    """The directions that are free, or any direction for a rider who is lost."""
    rider = 0 if s.committed == NOTHING else 1
    n = 0
    for direction in range(4):
        if is_free(t, s, neighbour(s.cell[rider], direction)):
            out[n] = direction
            n += 1
    if n == 0:
        out[0] = NORTH
        n = 1
    return n


@rule
def neighbour(cell, direction):
    """The cell in a direction, -1 beyond the edge of the bitboard."""
    row, column = cell // SIDE, cell % SIDE
    if direction == NORTH:
        row += 1
    elif direction == SOUTH:
        row -= 1
    elif direction == EAST:
        column += 1
    else:
        column -= 1
    if row < 0 or row == SIDE or column < 0 or column == SIDE:
        return -1
    return row * SIDE + column


@rule
def is_free(t, s, cell):
    if cell < 0:
        return False
    walls = t.border | s.trails[0] | s.trails[1]
    return walls & (ONE << np.uint64(cell)) == 0


@rule
def play(t, s, action, rng):
    if s.committed == NOTHING:
        s.committed = 1 + action
        return
    first = neighbour(s.cell[0], s.committed - 1)
    second = neighbour(s.cell[1], action)
    s.committed = NOTHING
    first_out = not is_free(t, s, first) or first == second
    second_out = not is_free(t, s, second) or first == second
    if first_out or second_out:
        s.outcome = DRAW if first_out and second_out else (SECOND_WINS if first_out else FIRST_WINS)
    else:
        ride(s, 0, first)
        ride(s, 1, second)


@rule
def ride(s, rider, cell):
    s.cell[rider] = cell
    s.trails[rider] |= ONE << np.uint64(cell)


@rule
def returns(t, s, out):
    out[0] = 0.0
    if s.outcome == FIRST_WINS:
        out[0] = 1.0
    elif s.outcome == SECOND_WINS:
        out[0] = -1.0
    out[1] = -out[0]


@rule
def hide(t, s, player):
    if player == 1 and s.committed != NOTHING:
        s.committed = UNKNOWN


@rule
def determinize(t, s, player, rng):
    if s.committed == UNKNOWN:
        s.committed = 1 + random_direction(t, s, 0, rng)


@rule
def random_direction(t, s, rider, rng):
    """A uniformly random free direction."""
    chosen, found = NORTH, 0
    for direction in range(4):
        if is_free(t, s, neighbour(s.cell[rider], direction)):
            found += 1
            if below(rng, found) == 0:
                chosen = direction
    return chosen


@rule
def sample(t, s, rng):
    return random_direction(t, s, 0 if s.committed == NOTHING else 1, rng)
