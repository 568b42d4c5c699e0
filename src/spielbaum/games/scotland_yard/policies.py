"""How to play without looking ahead, by the thesis' players: agents, and the simulations of a tree search.

On the other side's turns a player of one side moves at random.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.bits import NONE
from spielbaum.games.scotland_yard.detectives import BOOL_1, greedy
from spielbaum.games.scotland_yard.flight import farthest, safest
from spielbaum.games.scotland_yard.moves import any_of, random_move
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX
from spielbaum.rules import rule

POLICIES = (
    "random",
    "distance",
    "safepath",
    "greedy-bool-1",
    "greedy-bool-2",
    "greedy-float-1",
    "greedy-float-2",
    "chase",
)
RANDOM, DISTANCE, SAFEPATH, GREEDY = range(4)
CHASE = 7  # the best simple player of either side: safepath and greedy-bool-1


@rule
def policy(t, s, player, which, scratch, rng):
    edges, doubling = NONE, 0
    if player != MRX:
        if which >= GREEDY:
            edges = greedy(t, s, BOOL_1 if which == CHASE else which - GREEDY)
    elif which in (DISTANCE, SAFEPATH, CHASE):
        if which != DISTANCE:
            edges, doubling = safest(t, s, scratch.sheet)
        if edges == NONE:
            edges = farthest(t, s)
    if edges == NONE:
        return random_move(t, s, rng)
    return DOUBLE * doubling + any_of(t, s, edges, rng)
