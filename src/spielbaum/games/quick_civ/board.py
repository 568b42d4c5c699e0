"""The hexagons of Quick Civ: 15 rows of 15 and 14 tiles, alternating, which have two exact mirror axes.

Tile 15 * row + column; odd rows are shifted right by half a hexagon ("odd-r" offset coordinates), and their last
column does not exist. Distances by cube coordinates, x = column - (row - (row & 1)) / 2, z = row, y = -x - z.
"""

from __future__ import annotations

import functools

import numpy as np

SIDE = 15
TILES = SIDE * SIDE
WORDS = 4  # of 64 bits
REACH = 4  # how far from a city centre one builds
SIGHT = 3  # how far from an own tile one sees in the fog
STARTS = ((1, 1), (1, 12), (13, 12), (13, 1))  # of the seats north-west, north-east, south-east, south-west


def exists(row: int, column: int) -> bool:
    return 0 <= row < SIDE and 0 <= column < SIDE - row % 2


def tile(row: int, column: int) -> int:
    return SIDE * row + column


PLACES = [(row, column) for row in range(SIDE) for column in range(SIDE) if exists(row, column)]


def cube(row: int, column: int) -> tuple[int, int, int]:
    x = column - (row - row % 2) // 2
    return x, -x - row, row


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Between two places, given by row and column.

    >>> distance((1, 1), (1, 12)), distance((0, 0), (2, 1))
    (11, 2)
    """
    return max(abs(a - b) for a, b in zip(cube(*one), cube(*other), strict=True))


def mirrored(row: int, column: int) -> list[tuple[int, int]]:
    """A place and its images in both axes."""
    across = SIDE - 1 - row % 2 - column
    return [(row, column), (row, across), (SIDE - 1 - row, column), (SIDE - 1 - row, across)]


@functools.cache
def rings(place: tuple[int, int]) -> dict[int, list[int]]:
    """The tiles at each distance from a place, in the order of their numbers."""
    found: dict[int, list[int]] = {}
    for other in PLACES:
        found.setdefault(distance(place, other), []).append(tile(*other))
    return found


def around(place: tuple[int, int], ring: int) -> list[int]:
    """The tiles at a distance from a place, in the order of their numbers."""
    return rings(place).get(ring, [])


def by_distance(place: tuple[int, int]) -> list[int]:
    """All tiles, those near a place first."""
    return [number for _, ring in sorted(rings(place).items()) for number in ring]


@functools.cache
def near() -> np.ndarray:
    """i2[225, 18]: the six tiles beside each tile, then the twelve at distance 2; -1 where the map ends."""
    found = np.full((TILES, 18), -1, np.int16)
    for place in PLACES:
        for first, ring in ((0, around(place, 1)), (6, around(place, 2))):
            found[tile(*place), first : first + len(ring)] = ring
    return found


def bits(tiles: list[int]) -> list[int]:
    """A set of tiles as words."""
    whole = sum(1 << number for number in tiles)
    return [whole >> 64 * word & 2**64 - 1 for word in range(WORDS)]


@functools.cache
def within() -> np.ndarray:
    """u8[225, 5, 4]: the tiles up to each distance from each tile, as words."""
    found = np.zeros((TILES, REACH + 1, WORDS), np.uint64)
    for place in PLACES:
        for most in range(REACH + 1):
            found[tile(*place), most] = bits([number for ring in range(most + 1) for number in around(place, ring)])
    return found
