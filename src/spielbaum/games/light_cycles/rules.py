"""The rules of Light Cycles, on bitboards of at most 16 by 16 cells.

Both riders choose a direction at once and ride on by a cell. Who runs into the border, a wall or a trail is out, and
so are two who ride into the same cell; if both are out, it is a draw.

Cell 16 * row + column is a bit of four words; row 0 is in the north.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.light_cycles.boards import SIDE, arena
from spielbaum.rules import below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 4, 4
NORTH, EAST, SOUTH, WEST = DIRECTIONS = tuple(range(4))
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
RUNNING, FIRST_WINS, SECOND_WINS, DRAW = range(4)
OUTSIDE = SIDE * SIDE  # beyond the edge: a cell that is never free
BOARD, WITH_OUTSIDE = 4, 5  # words

STATE = np.dtype(
    (
        np.record,
        [
            ("free", "u8", WITH_OUTSIDE),  # cells in which there is nothing
            ("trail", "u8", BOARD),  # the first rider's trail, the rider included
            ("cell", "i2", PLAYERS),  # where the riders are
            ("outcome", "i1"),
        ],
    )
)


class Tables(NamedTuple):
    """What stays the same: the arena, where the riders start, and how cells lie to each other."""

    free: np.ndarray  # u8[5]: cells without walls
    start: np.ndarray  # i8[2]
    beside: np.ndarray  # i2[256, 4]: the cell in each direction
    ways: np.ndarray  # i8[16]: how many directions a set of them holds, at least 1
    way: np.ndarray  # i8[16, 4]: these directions
    along: np.ndarray  # i8[2, 16, 4]: these, in the order in which each rider tries them along a wall
    size: np.ndarray  # i8[2]: columns and rows


def tables(options: dict[str, Any]) -> Tables:
    """The arena for the options."""
    rows = arena(options)
    cells = {SIDE * row + column: mark for row, marks in enumerate(rows) for column, mark in enumerate(marks)}
    inside = sum(1 << cell for cell, mark in cells.items() if mark != "#")
    free = np.array([inside >> 64 * word & 2**64 - 1 for word in range(WITH_OUTSIDE)], np.uint64)
    start = np.array([next(cell for cell, mark in cells.items() if mark == rider) for rider in "BO"])
    ways = np.array([max(1, mask.bit_count()) for mask in range(16)])
    way, size = ways_in_order(DIRECTIONS), np.array([len(rows[0]), len(rows)])
    return Tables(free, start, neighbours(), ways, way, np.array([way, ways_in_order(mirrored(rows))]), size)


def ways_in_order(directions: Sequence[int]) -> np.ndarray:
    """i8[16, 4]: the directions of each set of them, in this order; north for the empty one."""
    sets = [[way for way in directions if mask >> way & 1] or [NORTH] for mask in range(16)]
    return np.array([(ways * 4)[:4] for ways in sets])


def mirrored(rows: list[list[str]]) -> tuple[int, ...]:
    """What north, east, south and west are to the second rider, if the arena looks the same from the other side."""
    swapped = [[{"B": "O", "O": "B"}.get(mark, mark) for mark in row] for row in rows]
    reflections = {
        (NORTH, WEST, SOUTH, EAST): [row[::-1] for row in swapped],
        (SOUTH, EAST, NORTH, WEST): swapped[::-1],
        (SOUTH, WEST, NORTH, EAST): [row[::-1] for row in swapped[::-1]],
    }
    return next((directions for directions, seen in reflections.items() if seen == rows), DIRECTIONS)


def neighbours() -> np.ndarray:
    """The cell beside each cell in each direction."""
    beside = np.empty((SIDE * SIDE, 4), np.int16)
    for cell in range(SIDE * SIDE):
        for direction, (down, right) in enumerate(STEPS):
            row, column = cell // SIDE + down, cell % SIDE + right
            inside = 0 <= row < SIDE and 0 <= column < SIDE
            beside[cell, direction] = SIDE * row + column if inside else OUTSIDE
    return beside


ONE = np.uint64(1)


@rule
def start(t, s):
    for word in range(BOARD):
        s.free[word] = t.free[word]
    ride(s, 0, t.start[0])
    ride(s, 1, t.start[1])


@rule
def ride(s, rider, cell):
    """A rider comes to a cell, which is taken from then on."""
    s.cell[rider] = cell
    take(s.free, cell)
    if rider == 0:
        s.trail[cell >> 6] |= bit(cell)


@rule
def bit(cell):
    """The bit of a cell in its word."""
    return ONE << np.uint64(cell & 63)


@rule
def take(free, cell):
    free[cell >> 6] &= ~bit(cell)


@rule
def is_free(free, cell):
    return free[cell >> 6] & bit(cell) != 0


@rule
def movers(s, out):
    """Both riders, until one of them is out."""
    if s.outcome != RUNNING:
        return 0
    out[0], out[1] = 0, 1
    return 2


@rule
def actions(t, s, player, out):
    """The directions that are free; a rider who is lost has nothing to choose."""
    ways = free_ways(t, s.free, s.cell[player])
    for i in range(t.ways[ways]):
        out[i] = t.way[ways, i]
    return t.ways[ways]


@rule
def free_ways(t, free, cell):
    """The directions in which the cells beside this one are free, as bits."""
    ways = 0
    for direction in range(4):
        ways |= int(is_free(free, t.beside[cell, direction])) << direction
    return ways


@rule
def resolve(t, s, choices):
    both_ride(t, s, choices[0], choices[1])


@rule
def both_ride(t, s, first_way, second_way):
    first = t.beside[s.cell[0], first_way]
    second = t.beside[s.cell[1], second_way]
    first_out = not is_free(s.free, first) or first == second
    second_out = not is_free(s.free, second) or first == second
    if first_out or second_out:
        s.outcome = DRAW if first_out and second_out else (SECOND_WINS if first_out else FIRST_WINS)
    else:
        ride(s, 0, first)
        ride(s, 1, second)


@rule
def returns(s, out):
    if s.outcome == FIRST_WINS:
        out[0], out[1] = 1.0, -1.0
    elif s.outcome == SECOND_WINS:
        out[0], out[1] = -1.0, 1.0


@rule
def sample(t, s, player, rng):
    """A uniformly random free direction."""
    ways = free_ways(t, s.free, s.cell[player])
    return t.way[ways, below(rng, t.ways[ways])]


@rule
def playout(t, s, rng, limit):
    """Random rounds until somebody is out or at least so many directions have been chosen."""
    chosen = 0
    while s.outcome == RUNNING and chosen < limit:
        first = sample(t, s, 0, rng)
        both_ride(t, s, first, sample(t, s, 1, rng))
        chosen += 2
    return chosen
