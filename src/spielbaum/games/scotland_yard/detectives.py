"""Detectives who go where the possible stations of Mister X are near (the thesis' greedy players).

Criteria in their order: the sum of the distances to all stations where he may be, weighted by their mass in
the `float` variants, with the tickets that are left after the move; most edges at the destination; in
variants 2 most tickets of the kind that is used; then chance.
"""

from __future__ import annotations

import math

import numpy as np

from spielbaum.games.scotland_yard.bits import NONE, ONE, count, lowest
from spielbaum.games.scotland_yard.rules import MRX, may_take, move
from spielbaum.games.scotland_yard.tables import BLACK, BUS, BUS_STEP, ROOM, TAXI, TAXI_STEP, WORDS
from spielbaum.rules import below, rule

BOOL_1, BOOL_2, FLOAT_1, FLOAT_2 = range(4)
FARTHEST = 1e9
SHARPNESS = 4.0  # how much likelier a move is that brings one nearer by one step, as a power of e


@rule
def greedy(t, s, variant, rng):
    q = s.turn
    here = s.at[q]
    best, best_edges, best_left, ties, chosen = FARTHEST, 0, 0, 0, -1
    for edge in range(t.first[here, TAXI], t.first[here, BLACK]):
        if not may_take(t, s, q, edge):
            continue
        station, ticket = int(t.to[edge]), int(t.kind[edge])
        row = s.row[q] + (station - here - step(ticket) * ROOM) * ROOM
        far = weighted_distance(t, s, row) if variant >= FLOAT_1 else float(summed_distance(t, s, row))
        edges = int(t.land_degree[station])
        left = s.tickets[q, ticket] if variant in (BOOL_2, FLOAT_2) else 0
        if far < best or (far == best and (edges > best_edges or (edges == best_edges and left > best_left))):
            best, best_edges, best_left, ties, chosen = far, edges, left, 1, move(ticket, station)
        elif far == best and edges == best_edges and left == best_left:
            ties += 1
            if below(rng, ties) == 0:
                chosen = move(ticket, station)
    return chosen


@rule
def prior(t, s, actions, n, out):
    """What detectives prefer at a glance: moves that bring them nearer to the stations where he may be."""
    if s.turn == MRX:
        for i in range(n):
            out[i] = 1.0 / n
        return
    places = 1.0 / count(s.belief)
    nearest, total = FARTHEST, 0.0
    for i in range(n):
        ticket, station = actions[i] // ROOM, actions[i] % ROOM
        row = s.row[s.turn] + (station - s.at[s.turn] - step(ticket) * ROOM) * ROOM
        out[i] = places * summed_distance(t, s, row)
        nearest = min(nearest, out[i])
    for i in range(n):
        out[i] = math.exp(SHARPNESS * (nearest - out[i]))
        total += out[i]
    for i in range(n):
        out[i] /= total


@rule
def step(ticket):
    """What a ticket counts in a purse."""
    if ticket == TAXI:
        return TAXI_STEP
    return BUS_STEP if ticket == BUS else 1


@rule
def summed_distance(t, s, row):
    """The distances to all stations where Mister X may be."""
    total = 0
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            total += int(t.distance[row + 64 * i + lowest(word)])
            word &= word - ONE
    return total


@rule
def weighted_distance(t, s, row):
    """The same, each as often as it is likely that he is there."""
    total, now = 0.0, s.moves & 1
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            station = 64 * i + lowest(word)
            total += np.float64(s.mass[now, station]) * np.float64(t.distance[row + station])
            word &= word - ONE
    return total
