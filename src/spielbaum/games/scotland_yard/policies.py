"""How to play without looking ahead, by the thesis' players: agents, and the simulations of a tree search.

On the other side's turns a player of one side moves at random.
"""

from __future__ import annotations

from typing import Any

from spielbaum.games.scotland_yard.bits import NONE
from spielbaum.games.scotland_yard.detectives import BOOL_1, BOOL_2, FLOAT_1, FLOAT_2, greedy
from spielbaum.games.scotland_yard.flight import farthest, safest
from spielbaum.games.scotland_yard.moves import any_of, random_move
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX
from spielbaum.rules import rule


@rule
def at_random(t, s, rng):
    return random_move(t, s, rng)


@rule
def distance(t, s, player, rng):
    """Mister X flees from the nearest detective."""
    return one_of(t, s, farthest(t, s) if player == MRX else NONE, 0, rng)


@rule
def safepath(t, s, player, scratch, rng):
    """Mister X flees where he will be safe the longest."""
    return flight(t, s, scratch, rng) if player == MRX else random_move(t, s, rng)


@rule
def chase(t, s, player, scratch, rng):
    """The best simple player of either side: safepath and greedy-bool-1."""
    return flight(t, s, scratch, rng) if player == MRX else one_of(t, s, greedy(t, s, BOOL_1), 0, rng)


def greedily(kind: int) -> Any:
    """The detectives approach where Mister X may be, by one of the thesis' four measures."""

    @rule
    def approach(t, s, player, rng):
        return one_of(t, s, greedy(t, s, kind) if player != MRX else NONE, 0, rng)

    return approach


@rule
def flight(t, s, scratch, rng):
    edges, doubling = safest(t, s, scratch.sheet)
    return one_of(t, s, farthest(t, s) if edges == NONE else edges, doubling, rng)


@rule
def one_of(t, s, edges, doubling, rng):
    """A random one of some moves, any move where there are none."""
    if edges == NONE:
        return random_move(t, s, rng)
    return DOUBLE * doubling + any_of(t, s, edges, rng)


POLICIES = {
    "random": at_random,
    "distance": distance,
    "safepath": safepath,
    "greedy-bool-1": greedily(BOOL_1),
    "greedy-bool-2": greedily(BOOL_2),
    "greedy-float-1": greedily(FLOAT_1),
    "greedy-float-2": greedily(FLOAT_2),
    "chase": chase,
}
