"""What stays the same during a game: the board as arrays, and distances that know how many tickets are left.

The distance of a station with some tickets to a target is one more than that of the best neighbour with
one ticket less, 0 at the target: a recursion over the number of tickets, 20 million of them in all.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.scotland_yard.board import KINDS, STARTS, STATIONS, board

ROOM = STATIONS + 1  # stations count from 1; 0 is nowhere
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
    starts: np.ndarray  # i8[18]
    first: np.ndarray  # i2[ROOM, 5]: where in `to` the edges of a station begin, by kind; the last is the end
    to: np.ndarray  # u1[edges * 2]: where an edge leads
    kind: np.ndarray  # u1[edges * 2]: the ticket that it takes
    again: np.ndarray  # u1[edges * 2]: whether an edge before it, of another kind, leads from there to there
    reach: np.ndarray  # u8[4, ROOM, WORDS]: the stations that a ticket leads to, as bits; black leads everywhere
    over_land: np.ndarray  # u8[ROOM, WORDS]: all neighbours but by boat
    share: np.ndarray  # f4[4, ROOM]: one divided by the number of edges that a ticket fits, 0 where there is none
    degree: np.ndarray  # u1[ROOM]: edges
    land_degree: np.ndarray  # u1[ROOM]: edges without boats
    distance: np.ndarray  # u1[PURSES * ROOM * ROOM]: moves from a station to another with some tickets


def tables(options: dict[str, Any]) -> Tables:
    """The tables of a game with so many players."""
    return geography()._replace(players=options["players"], help=options["help"])


@functools.cache
def geography() -> Tables:
    """All that does not depend on options."""
    neighbours = neighbour_lists()
    first, to, kind, again = edge_lists(neighbours)
    by_kind = np.array([[len(neighbours[ticket][p]) for p in range(ROOM)] for ticket in range(4)])
    count = by_kind.copy()
    count[BLACK] = by_kind.sum(axis=0)
    reach = np.array([[bits_of(neighbours[ticket][p]) for p in range(ROOM)] for ticket in range(4)])
    over_land = reach[TAXI] | reach[BUS] | reach[UNDERGROUND]
    reach[BLACK] |= over_land
    return Tables(
        players=0,
        help=True,
        starts=np.array(STARTS),
        first=first,
        to=to,
        kind=kind,
        again=again,
        reach=reach,
        over_land=over_land,
        share=np.where(count > 0, 1 / np.maximum(count, 1), 0).astype(np.float32),
        degree=count[BLACK].astype(np.uint8),
        land_degree=by_kind[:BLACK].sum(axis=0).astype(np.uint8),
        distance=distances(neighbours),
    )


def neighbour_lists() -> list[list[list[int]]]:
    """The neighbours of each station, by ticket."""
    neighbours: list[list[list[int]]] = [[[] for _ in range(ROOM)] for _ in KINDS]
    for name, a, b in board().edges:
        neighbours[KINDS.index(name)][a].append(b)
        neighbours[KINDS.index(name)][b].append(a)
    return [[sorted(near) for near in lists] for lists in neighbours]


def edge_lists(neighbours: list[list[list[int]]]) -> tuple[np.ndarray, ...]:
    """The edges of all stations one after the other, see `Tables`."""
    first, to, kind, again = np.zeros((ROOM, 5), np.int16), list[int](), list[int](), list[bool]()
    for station in range(ROOM):
        begin = len(to)
        for ticket in range(4):
            first[station, ticket] = len(to)
            for near in neighbours[ticket][station]:
                again.append(near in to[begin:])
                to.append(near)
                kind.append(ticket)
        first[station, 4] = len(to)
    return first, np.array(to, np.uint8), np.array(kind, np.uint8), np.array(again, np.uint8)


def bits_of(stations: list[int]) -> np.ndarray:
    """A set of stations, u8[WORDS]."""
    bits = sum(1 << station for station in stations)
    return np.array([bits >> 64 * word & (1 << 64) - 1 for word in range(WORDS)], np.uint64)


def distances(neighbours: list[list[list[int]]]) -> np.ndarray:
    """The distances with tickets, see `Tables`."""
    shape = (TICKETS[0] + 1, TICKETS[1] + 1, TICKETS[2] + 1)
    distance = np.full((*shape, ROOM, ROOM), FAR, np.uint8)
    for held in np.ndindex(shape):
        here = distance[held]
        for ticket in range(BLACK):
            if held[ticket]:
                less = tuple(number - (ticket == used) for used, number in enumerate(held))
                np.minimum(here, one_further(distance[less], neighbours[ticket]), out=here)
        np.fill_diagonal(here, 0)
    return distance.reshape(-1)


def one_further(distance: np.ndarray, neighbours: list[list[int]]) -> np.ndarray:
    """One more than the least distance of all neighbours of each station."""
    best = np.full((ROOM, ROOM), FAR, np.uint8)
    for rank in range(max(map(len, neighbours))):
        having = [station for station in range(ROOM) if len(neighbours[station]) > rank]
        via = [neighbours[station][rank] for station in having]
        best[having] = np.minimum(best[having], distance[via])
    return np.minimum(best + 1, FAR).astype(np.uint8)
