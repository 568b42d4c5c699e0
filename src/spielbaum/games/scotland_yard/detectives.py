"""Detectives who go where the possible stations of Mister X are near (the thesis' greedy players).

Criteria in their order: the sum of the distances to all stations where he may be, weighted by their mass in
the `float` variants, with the tickets that are left after the move; most edges at the destination; in
variants 2 most tickets of the kind that is used; then chance.
"""

from __future__ import annotations

import math

import numpy as np

from spielbaum.bits import lowest
from spielbaum.games.scotland_yard.bits import NONE, ONE, count, lowest_bit
from spielbaum.games.scotland_yard.rules import MRX, plain_edges, purse
from spielbaum.games.scotland_yard.tables import BUS, BUS_STEP, ROOM, TAXI, TAXI_STEP, WORDS
from spielbaum.rules import rule

BOOL_1, BOOL_2, FLOAT_1, FLOAT_2 = range(4)
FARTHEST = 1e9
SHARPNESS = 4.0  # how much likelier a move is that brings one nearer by one step, as a power of e


@rule
def greedy(t, s, variant):
    """The best plain moves, as bits."""
    q, held = s.turn, purse(s, s.turn)
    edges, chosen = plain_edges(t, s, q), NONE
    nearest, best = FARTHEST, 0
    while edges != NONE:
        edge = t.first[s.at[q], TAXI] + lowest(edges)
        station, ticket = int(t.to[edge]), int(t.kind[edge])
        row = t.distance[t.rows[held - step(ticket), station]]
        far = weighted_distance(s, row) if variant >= FLOAT_1 else float(summed_distance(s, row))
        left = s.tickets[q, ticket] if variant in (BOOL_2, FLOAT_2) else 0
        value = ROOM * int(t.land_degree[station]) + left
        if far < nearest or (far == nearest and value > best):
            nearest, best, chosen = far, value, NONE
        if far == nearest and value == best:
            chosen |= lowest_bit(edges)
        edges &= edges - ONE
    return chosen


@rule
def prior(t, s, actions, n, out):
    """What detectives prefer at a glance: moves that bring them nearer to the stations where he may be."""
    if s.turn == MRX:
        for i in range(n):
            out[i] = 1.0 / n
        return
    held, places = purse(s, s.turn), 1.0 / count(s.belief)
    nearest, total = FARTHEST, 0.0
    for i in range(n):
        ticket, station = actions[i] // ROOM, actions[i] % ROOM
        row = t.distance[t.rows[held - step(ticket), station]]
        out[i] = places * summed_distance(s, row)
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
def summed_distance(s, row):
    """The distances to all stations where Mister X may be."""
    total = 0
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            total += int(row[64 * i + lowest(word)])
            word &= word - ONE
    return total


@rule
def weighted_distance(s, row):
    """The same, each as often as it is likely that he is there."""
    total = 0.0
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            station = 64 * i + lowest(word)
            total += np.float64(s.mass[station]) * np.float64(row[station])
            word &= word - ONE
    return total
