"""The rules of tic-tac-toe: the game to read first.

A set of cells is a number of nine bits, one for each cell,

    3   6 7 8
    2   3 4 5
    1   0 1 2
        a b c

so that tables of 512 rows know everything about a set. The key of a position is the sum (exclusive
or) of one random number for each mark on the board (Zobrist 1970).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.rules import TERMINAL, below, rule

CELLS = 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421)  # rows, columns, diagonals

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, CELLS, CELLS

STATE = np.dtype(
    (
        np.record,
        [
            ("marks", "i8", PLAYERS),  # the set of cells of each player
            ("count", "i8"),  # marks on the board
            ("winner", "i8"),  # 1 or 2 once somebody has three in a row
            ("key", "u8"),  # see above
        ],
    )
)

ZOBRIST = np.random.default_rng(1970).integers(0, 2**64, (PLAYERS, CELLS), np.uint64)


class Tables(NamedTuple):
    """What there is to know about each of the 512 sets of cells."""

    line: np.ndarray  # bool[512]: whether it holds three in a row
    rest: np.ndarray  # i8[512, 9]: the cells that are not in it


def tables(options: dict[str, Any]) -> Tables:
    """The tables of the one variant that there is."""
    line, rest = np.zeros(1 << CELLS, np.bool_), np.zeros((1 << CELLS, CELLS), np.int64)
    for cells in range(1 << CELLS):
        line[cells] = any(cells & three == three for three in LINES)
        others = [cell for cell in range(CELLS) if not cells >> cell & 1]
        rest[cells, : len(others)] = others
    return Tables(line, rest)


@rule
def player(s):
    if s.winner != 0 or s.count == CELLS:
        return TERMINAL
    return s.count & 1


@rule
def actions(t, s, out):
    taken = s.marks[0] | s.marks[1]
    n = CELLS - s.count
    for i in range(n):
        out[i] = t.rest[taken, i]
    return n


@rule
def play(t, s, action):
    mover = s.count & 1
    s.marks[mover] |= 1 << action
    s.key ^= ZOBRIST[mover, action]
    s.count += 1
    if t.line[s.marks[mover]]:
        s.winner = mover + 1


@rule
def returns(s, out):
    if s.winner != 0:
        out[s.winner - 1] = 1.0
        out[2 - s.winner] = -1.0


@rule
def sample(t, s, rng):
    taken = s.marks[0] | s.marks[1]
    return t.rest[taken, below(rng, CELLS - s.count)]


@rule
def key(s):
    return s.key
