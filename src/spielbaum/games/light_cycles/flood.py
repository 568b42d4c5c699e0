"""Sets of cells as four words, and floods that spread in all of them at once."""

from __future__ import annotations

import numpy as np

from spielbaum.games.light_cycles.rules import bit
from spielbaum.rules import rule

ONE, ROW, REST = np.uint64(1), np.uint64(16), np.uint64(48)
WEST_EDGE = np.uint64(0x0001_0001_0001_0001)
EAST_EDGE = np.uint64(0x8000_8000_8000_8000)
NONE = np.uint64(0)


@rule
def words(board):
    """A bitboard of a state as a set."""
    return board[0], board[1], board[2], board[3]


@rule
def only(cell):
    """The set of one cell."""
    at, word = bit(cell), cell >> 6
    return (
        at if word == 0 else NONE,
        at if word == 1 else NONE,
        at if word == 2 else NONE,
        at if word == 3 else NONE,
    )


@rule
def beside(cells):
    """The cells beside these."""
    a, b, c, d = cells
    return (
        sideways(a) | (a << ROW) | (a >> ROW) | (b << REST),
        sideways(b) | (b << ROW) | (b >> ROW) | (c << REST) | (a >> REST),
        sideways(c) | (c << ROW) | (c >> ROW) | (d << REST) | (b >> REST),
        sideways(d) | (d << ROW) | (d >> ROW) | (c >> REST),
    )


@rule
def sideways(word):
    return ((word & ~EAST_EDGE) << ONE) | ((word & ~WEST_EDGE) >> ONE)


@rule
def both(one, other):
    """The cells that are in both sets."""
    return one[0] & other[0], one[1] & other[1], one[2] & other[2], one[3] & other[3]


@rule
def either(one, other):
    """The cells that are in one of two sets."""
    return one[0] | other[0], one[1] | other[1], one[2] | other[2], one[3] | other[3]


@rule
def without(one, other):
    """The cells of a set that are not in the other one."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2], one[3] & ~other[3]


@rule
def any_of(cells):
    return cells[0] | cells[1] | cells[2] | cells[3] != NONE


@rule
def count(cells):
    return ones(cells[0]) + ones(cells[1]) + ones(cells[2]) + ones(cells[3])


@rule
def ones(word):
    n = 0
    while word != NONE:
        word &= word - ONE
        n += 1
    return n


@rule
def reached(free, cells):
    """The free cells that can be reached from a set of cells, these among them."""
    while True:
        new = without(both(beside(cells), free), cells)
        if not any_of(new):
            return cells
        cells = either(cells, new)


@rule
def connected(free, one, other):
    """Whether there is a way over free cells between two riders."""
    goal = both(beside(only(other)), free)
    flood = both(beside(only(one)), free)
    new = flood
    while any_of(new):
        if any_of(both(flood, goal)):
            return True
        new = without(both(beside(flood), free), flood)
        flood = either(flood, new)
    return False
