"""What stays the same during a game: the board as arrays, and distances that know how many tickets are left.

The distance of a station with some tickets to a target is one more than that of the best neighbour with
one ticket less, 0 at the target: a recursion over the number of tickets, 20 million of them in all. Whoever
has many tickets goes anywhere all the same, so that two thirds of the rows are like another one; each is kept
once, and those that are read in most games fit into a processor's cache.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.scotland_yard.board import AGENT_TYPES, STARTS, STATIONS, board

ROOM = STATIONS + 1  # stations count from 1
NOWHERE = 0
FOURS = 4  # times four edges of a station, at least
WORDS = 4  # 64 stations each: a set of stations
TAXI, BUS, UNDERGROUND, BLACK = range(4)  # tickets; boats, the fourth kind of transport, take the black one
TICKETS = (10, 8, 4)  # of a detective
FAR = 99  # further than anybody can go
TAXI_STEP, BUS_STEP = (TICKETS[1] + 1) * (TICKETS[2] + 1), TICKETS[2] + 1  # in the number of a purse
PURSES = (TICKETS[0] + 1) * TAXI_STEP  # which tickets a detective can hold


class Tables(NamedTuple):
    """The board and the options as the rules read them."""

    players: int
    help: bool  # whether the belief is shown to people
    visible: bool  # whether Mister X is seen all the time
    starts: np.ndarray  # i8[18]
    first: np.ndarray  # i2[ROOM, 5]: where in `to` the edges of a station begin, by kind; the last is the end
    to: np.ndarray  # u1[edges * 2]: where an edge leads
    kind: np.ndarray  # u1[edges * 2]: the ticket that it takes
    lines: np.ndarray  # u2[ROOM, 4]: which of a station's edges take a ticket, as bits
    distinct: np.ndarray  # u2[ROOM]: which of its edges by land lead where no edge before them does, as bits
    towards: np.ndarray  # u2[ROOM, ROOM]: which of its edges lead to another station, as bits
    near: np.ndarray  # u1[4, ROOM, FOURS, 4]: the other ends of the edges that a ticket fits, then NOWHERE
    fours: np.ndarray  # i8[4]: how many of the FOURS a ticket needs; the rest is NOWHERE
    reach: np.ndarray  # u8[4, ROOM, WORDS]: the stations that a ticket leads to, as bits; black leads everywhere
    over_land: np.ndarray  # u8[ROOM, WORDS]: all neighbours but by boat
    share: np.ndarray  # f4[4, ROOM]: one divided by the number of edges that a ticket fits, 0 where there is none
    degree: np.ndarray  # u1[ROOM]: edges
    land_degree: np.ndarray  # u1[ROOM]: edges without boats
    rows: np.ndarray  # u2[PURSES, ROOM]: the row of distances for some tickets and a station
    distance: np.ndarray  # u1[rows, ROOM]: moves to each station


def tables(options: dict[str, Any]) -> Tables:
    """The tables of a game with so many players."""
    return geography()._replace(**options)


@functools.cache
def geography() -> Tables:
    """All that does not depend on options."""
    neighbours = neighbour_lists()
    first, to, kind = edge_lists(neighbours)
    lines, distinct, towards = edge_bits(first, to, kind)
    rows, distance = distinct_rows(distances(neighbours))
    by_kind = np.array([[len(neighbours[ticket][p]) for p in range(ROOM)] for ticket in range(4)])
    count = by_kind.copy()
    count[BLACK] = by_kind.sum(axis=0)
    reach = np.array([[bits_of(neighbours[ticket][p]) for p in range(ROOM)] for ticket in range(4)])
    over_land = reach[TAXI] | reach[BUS] | reach[UNDERGROUND]
    reach[BLACK] |= over_land
    return Tables(
        players=0,
        help=True,
        visible=False,
        starts=np.array(STARTS),
        first=first,
        to=to,
        kind=kind,
        lines=lines,
        distinct=distinct,
        towards=towards,
        near=ends_of_edges(neighbours),
        fours=-(-count.max(axis=1) // 4),
        reach=reach,
        over_land=over_land,
        share=np.where(count > 0, 1 / np.maximum(count, 1), 0).astype(np.float32),
        degree=count[BLACK].astype(np.uint8),
        land_degree=by_kind[:BLACK].sum(axis=0).astype(np.uint8),
        rows=rows,
        distance=distance,
    )


def neighbour_lists() -> list[list[list[int]]]:
    """The neighbours of each station, by ticket."""
    neighbours: list[list[list[int]]] = [[[] for _ in range(ROOM)] for _ in AGENT_TYPES]
    for name, a, b in board().edges:
        neighbours[AGENT_TYPES.index(name)][a].append(b)
        neighbours[AGENT_TYPES.index(name)][b].append(a)
    return [[sorted(near) for near in lists] for lists in neighbours]


def ends_of_edges(neighbours: list[list[list[int]]]) -> np.ndarray:
    """Where the edges lead that a ticket fits, see `Tables`."""
    near = np.full((4, ROOM, 4 * FOURS), NOWHERE, np.uint8)
    for ticket, station in np.ndindex(4, ROOM):
        kinds = range(4) if ticket == BLACK else [ticket]
        ends = [end for kind in kinds for end in neighbours[kind][station]]
        near[ticket, station, : len(ends)] = ends
    return near.reshape(4, ROOM, FOURS, 4)


def edge_lists(neighbours: list[list[list[int]]]) -> tuple[np.ndarray, ...]:
    """The edges of all stations one after the other, see `Tables`."""
    first, to, kind = np.zeros((ROOM, 5), np.int16), list[int](), list[int]()
    for station in range(ROOM):
        for ticket in range(4):
            first[station, ticket] = len(to)
            to += neighbours[ticket][station]
            kind += [ticket] * len(neighbours[ticket][station])
        first[station, 4] = len(to)
    return first, np.array(to, np.uint8), np.array(kind, np.uint8)


def edge_bits(first: np.ndarray, to: np.ndarray, kind: np.ndarray) -> tuple[np.ndarray, ...]:
    """The edges of each station by ticket and by destination, see `Tables`."""
    lines, distinct = np.zeros((ROOM, 4), np.uint16), np.zeros(ROOM, np.uint16)
    towards = np.zeros((ROOM, ROOM), np.uint16)
    for station in range(ROOM):
        for number, edge in enumerate(range(first[station, TAXI], first[station, 4])):
            if kind[edge] != BLACK and not towards[station, to[edge]]:
                distinct[station] |= 1 << number
            lines[station, kind[edge]] |= 1 << number
            towards[station, to[edge]] |= 1 << number
    return lines, distinct, towards


def bits_of(stations: list[int]) -> np.ndarray:
    """A set of stations, u8[WORDS]."""
    bits = sum(1 << station for station in stations)
    return np.array([bits >> 64 * word & (1 << 64) - 1 for word in range(WORDS)], np.uint64)


def distances(neighbours: list[list[list[int]]]) -> np.ndarray:
    """The moves from a station to another with some tickets, u1[PURSES, ROOM, ROOM]."""
    shape = (TICKETS[0] + 1, TICKETS[1] + 1, TICKETS[2] + 1)
    distance = np.full((*shape, ROOM, ROOM), FAR, np.uint8)
    for held in np.ndindex(shape):
        here = distance[held]
        for ticket in range(BLACK):
            if held[ticket]:
                less = tuple(number - (ticket == used) for used, number in enumerate(held))
                np.minimum(here, one_further(distance[less], neighbours[ticket]), out=here)
        np.fill_diagonal(here, 0)
    return distance.reshape(PURSES, ROOM, ROOM)


def distinct_rows(distance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row, and the rows, each once."""
    numbers: dict[bytes, int] = {}
    rows = [numbers.setdefault(row.tobytes(), len(numbers)) for row in distance.reshape(-1, ROOM)]
    distinct = np.frombuffer(b"".join(numbers), np.uint8).reshape(-1, ROOM)
    return np.array(rows, np.uint16).reshape(PURSES, ROOM), distinct.copy()


def one_further(distance: np.ndarray, neighbours: list[list[int]]) -> np.ndarray:
    """One more than the least distance of all neighbours of each station."""
    best = np.full((ROOM, ROOM), FAR, np.uint8)
    for rank in range(max(map(len, neighbours))):
        having = [station for station in range(ROOM) if len(neighbours[station]) > rank]
        via = [neighbours[station][rank] for station in having]
        best[having] = np.minimum(best[having], distance[via])
    return np.minimum(best + 1, FAR).astype(np.uint8)
