"""The board: stations, where they lie, and which ticket takes you from one to another.

The facts stand in `board.txt`. Reading them finds every slip that a hand-edited list of connections can have.
"""

from __future__ import annotations

import functools
import math
import pathlib
from collections import Counter
from typing import NamedTuple

from spielbaum.errors import SpielbaumError, unknown

STATIONS = 199
AGENT_TYPES = ("taxi", "bus", "underground", "boat")
EDGES = {"taxi": 346, "bus": 99, "underground": 20, "boat": 3}
SUMS = {"taxi": (69803, 4569027), "bus": (20115, 1270943), "underground": (3887, 219711), "boat": (846, 60933)}
"""Over the edges of a kind, the sum of a + b and that of a · b: they tell which edge is missing or one too many."""
STARTS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198)
FILE = pathlib.Path(__file__).with_name("board.txt")

Edge = tuple[str, int, int]
"""A kind of transport and the two stations, the smaller number first."""


class Board(NamedTuple):
    """A board whose connections are complete and go both ways."""

    places: dict[int, tuple[int, int]]
    edges: tuple[Edge, ...]


@functools.cache
def board() -> Board:
    """The board of the game."""
    return read_board(FILE.read_text("utf-8"))


def read_board(text: str) -> Board:
    """A board from its text; a `SpielbaumError` says what is wrong with it."""
    places: dict[int, tuple[int, int]] = {}
    listed: list[tuple[str, int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            station, place, neighbours = read_station(line, f"board, line {number}")
            if station in places:
                raise SpielbaumError(f"board, line {number}: station {station} is listed twice")
            places[station] = place
            listed += neighbours
    check_stations(places)
    return Board(places, both_ways(places, listed))


def read_station(line: str, where: str) -> tuple[int, tuple[int, int], list[tuple[str, int, int]]]:
    """`1: 100 17; taxi 8 9; bus 46 58` as a station, its place and its connections."""
    head, *parts = line.split(";")
    try:
        name, _, place = head.partition(":")
        station, (x, y) = int(name), map(int, place.split())
        words = [part.split() for part in parts]
        neighbours = [(kind, station, int(to)) for kind, *numbers in words for to in numbers]
    except ValueError:
        raise SpielbaumError(f"{where}: {line.strip()!r} is not like '1: 100 17; taxi 8 9; bus 46 58'") from None
    for kind, *_ in words:
        if kind not in AGENT_TYPES:
            raise unknown("ticket", kind, AGENT_TYPES, where)
    return station, (x, y), neighbours


def check_stations(places: dict[int, tuple[int, int]]) -> None:
    for station in range(1, STATIONS + 1):
        if station not in places:
            raise SpielbaumError(f"board: station {station} is missing, all of 1 to {STATIONS} are needed")
    if len(places) > STATIONS:
        raise SpielbaumError(f"board: station {max(places)} is not one of 1 to {STATIONS}")


def both_ways(places: dict[int, tuple[int, int]], listed: list[tuple[str, int, int]]) -> tuple[Edge, ...]:
    """The edges, each of which must be listed once at both of its ends."""
    counts = Counter(listed)
    for (kind, station, to), count in counts.items():
        edge = f"{kind} {station}-{to}"
        if to not in places:
            raise SpielbaumError(f"board: {edge} leads to a station that does not exist")
        if to == station:
            raise SpielbaumError(f"board: {edge} leads back to where it starts")
        if count > 1:
            raise SpielbaumError(f"board: {edge} is a duplicate, it is listed {count} times at station {station}")
        if (kind, to, station) not in counts:
            raise SpielbaumError(f"board: {edge} is one-way, station {to} does not list it")
    edges = tuple(sorted(edge for edge in counts if edge[1] < edge[2]))
    for kind in AGENT_TYPES:
        check_edges(kind, [(a, b) for name, a, b in edges if name == kind])
    return edges


def check_edges(kind: str, edges: list[tuple[int, int]]) -> None:
    """Whether all edges of a kind are there and no others; where one is wrong it is named."""
    number = EDGES[kind]
    lack = number - len(edges)
    total, product = SUMS[kind][0] - sum(a + b for a, b in edges), SUMS[kind][1] - sum(a * b for a, b in edges)
    if abs(lack) == 1:
        a, b = with_sum_and_product(lack * total, lack * product)
        slip = "is missing" if lack > 0 else "is one too many"
        raise SpielbaumError(f"board: {kind} {a}-{b} {slip}: {len(edges)} {kind} edges, not {number}")
    if lack:
        slip = "missing" if lack > 0 else "too many"
        raise SpielbaumError(f"board: {abs(lack)} {kind} edges {slip}: {len(edges)}, not {number}")
    if total or product:
        raise SpielbaumError(f"board: {number} {kind} edges, but some of them lead to other stations than they should")


def with_sum_and_product(total: int, product: int) -> tuple[int, int]:
    """The two numbers, the smaller one first.

    >>> with_sum_and_product(9, 8)
    (1, 8)
    """
    low = (total - math.isqrt(max(0, total * total - 4 * product))) // 2
    return low, total - low
