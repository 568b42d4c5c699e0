"""What stays the same during a game of Latrunculi: the switches as numbers, the geometry, random keys."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.latrunculi.board import (
    CELLS,
    LINES,
    LONGEST_STALL,
    MAX_ACTIONS,
    PLAYERS,
    RIGHT,
    SHELLS,
    STONES,
    UP,
    cell_at,
)
from spielbaum.games.latrunculi.variants import END, EXTRA, FIRST, LARGEST, STALL, Variant, board_size, variant

NO_EXTRA, ANY_PIECE, SAME_PIECE = range(len(EXTRA))
MAJORITY, DRAW, NEVER = range(len(STALL))
RANDOM_SIDE = FIRST.index("random")
AHEAD = 32
"""The count of quiet plies is part of the key when so few are left: deeper than a search looks, not sooner than
it matters. Before that, the same position reached by a shorter way is the same."""


class Tables(NamedTuple):
    """Numbers first, then arrays."""

    width: int
    height: int
    extra: int
    optional: bool
    corner: bool
    dux: bool
    placement: bool
    least: int  # a side with fewer pieces has lost
    stall: int
    quiet: int
    repetition: int
    first: int
    side_key: np.uint64
    placing_key: np.uint64
    over_key: np.uint64
    square_keys: np.ndarray  # u8[2, PLAYERS, CELLS]: of pieces, and of a dux
    extra_keys: np.ndarray  # u8[CELLS]: of the state's field `extra`
    quiet_keys: np.ndarray  # u8[LONGEST_STALL + 1]: 0 while the limit is far away
    cells: np.ndarray  # i8[squares]: all cells, rank by rank
    setup: np.ndarray  # i8[PLAYERS, pieces]: where they stand at the start, or how many there are to be placed
    border: np.ndarray  # u2[2, LINES]: ranks and files of an empty board
    corner_pair: np.ndarray  # i8[CELLS]: for a corner the sum of its two neighbours, otherwise 0
    reach: np.ndarray  # u1[LINES, 1 << LARGEST]: moves along a line from a place on it, by the line's occupation
    inverse: np.ndarray  # f8[n]: 1 / n as far as pieces and moves can be counted; a division takes longer


def tables(options: dict[str, Any]) -> Tables:
    chosen = variant(options)
    width, height = board_size(chosen.board)
    keys = np.random.default_rng(2021).integers(1, 1 << 63, 2 * PLAYERS * CELLS + CELLS + LONGEST_STALL + 4, np.uint64)
    squares, rest = keys[: 2 * PLAYERS * CELLS], keys[2 * PLAYERS * CELLS :]
    quiet_keys = rest[CELLS : CELLS + LONGEST_STALL + 1].copy()
    quiet_keys[: chosen.quiet - AHEAD + 1 if chosen.stall != "off" else None] = 0
    extra_keys = rest[:CELLS].copy()
    extra_keys[0] = 0
    return Tables(
        width=width,
        height=height,
        extra=EXTRA.index(chosen.extra),
        optional=chosen.optional,
        corner=chosen.corner != "off",
        dux=chosen.dux != "off",
        placement=chosen.placement,
        least=2 - END.index(chosen.end),
        stall=STALL.index(chosen.stall),
        quiet=chosen.quiet,
        repetition=chosen.repetition,
        first=FIRST.index(chosen.first),
        side_key=rest[-3],
        placing_key=rest[-2],
        over_key=rest[-1],
        square_keys=squares.reshape(2, PLAYERS, CELLS),
        extra_keys=extra_keys,
        quiet_keys=quiet_keys,
        cells=np.array([cell_at(file, rank) for rank in range(height) for file in range(width)], np.int64),
        setup=setup(chosen, width, height),
        border=border(width, height),
        corner_pair=corner_pair(width, height),
        reach=reach(),
        inverse=1 / np.maximum(np.arange(2 * MAX_ACTIONS + 2), 1),
    )


def setup(chosen: Variant, width: int, height: int) -> np.ndarray:
    """i8[PLAYERS, pieces]: the dux first, in front of the middle, seen the same way by both; then row by row."""
    files, ranks = range(width), range(chosen.rows)
    ours = [cell_at(file, rank) for rank in ranks for file in files]
    if chosen.dux != "off":
        ours.insert(0, cell_at(width // 2, chosen.rows))
    turned = cell_at(width - 1, height - 1) + cell_at(0, 0)  # a cell and the one opposite add up to this
    sides = np.zeros((PLAYERS, len(ours)), np.int64)
    sides[SHELLS], sides[STONES] = ours, [turned - cell for cell in ours]
    return sides


def border(width: int, height: int) -> np.ndarray:
    lines = np.zeros((2, LINES), np.uint16)
    lines[0] = ((1 << LINES) - 1) ^ (((1 << width) - 1) << 1)
    lines[1] = ((1 << LINES) - 1) ^ (((1 << height) - 1) << 1)
    return lines


def corner_pair(width: int, height: int) -> np.ndarray:
    pair = np.zeros(CELLS, np.int64)
    for file, inwards in ((0, RIGHT), (width - 1, -RIGHT)):
        for rank, upwards in ((0, UP), (height - 1, -UP)):
            corner = cell_at(file, rank)
            pair[corner] = 2 * corner + inwards + upwards
    return pair


@functools.cache
def reach() -> np.ndarray:
    """u1[LINES, 1 << LARGEST]: the empty places around one; bit i of the occupation is place i + 1."""
    occupations = np.arange(1 << LARGEST)
    moves = np.zeros((LINES, len(occupations)), np.uint8)
    for place in range(LARGEST):
        for way in (range(place + 1, LARGEST), range(place - 1, -1, -1)):
            free = np.ones(len(occupations), np.uint8)
            for there in way:
                free &= (occupations >> there & 1 ^ 1).astype(np.uint8)
                moves[place + 1] += free
    return moves
