"""How to play without looking ahead, by the thesis' players: agents, and the simulations of a tree search.

On the other side's turns a player of one side moves at random.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.detectives import greedy
from spielbaum.games.scotland_yard.flight import farthest, safest
from spielbaum.games.scotland_yard.moves import random_move
from spielbaum.games.scotland_yard.rules import MRX
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
def policy(t, s, which, rng):
    if s.turn == MRX:
        if which == DISTANCE:
            return farthest(t, s, rng)
        if which in (SAFEPATH, CHASE):
            return safest(t, s, rng)
    elif which == CHASE:
        return greedy(t, s, 0, rng)
    elif which >= GREEDY:
        return greedy(t, s, which - GREEDY, rng)
    return random_move(t, s, rng)
