"""Distances: the fugitive wants hunters far away, they want to be near all that is possible."""

from __future__ import annotations

import numpy as np

from spielbaum.games.pursuit.rules import FUGITIVE, UNKNOWN, within_reach
from spielbaum.games.pursuit.town import PLACES
from spielbaum.params import Param
from spielbaum.rules import below, rule

WEIGHTS = (
    Param("nearest", 0.1, "worth of each road to the nearer hunter", low=0, tune=(0.0, 0.5)),
    Param("possible", 0.02, "worth of each place where the fugitive may be", low=0, tune=(0.0, 0.1)),
)
POLICIES = ("keen",)


def units(weights: np.ndarray) -> dict[str, tuple[str, float]]:
    """Roads between the fugitive and the nearer hunter, more or less than usual."""
    return {"evaluate": ("roads", 1 / weights[0])}


@rule
def evaluate(t, s, weights, player):
    nearest = min(t.distance[s.fugitive, s.hunters[0]], t.distance[s.fugitive, s.hunters[1]])
    value = weights[0] * (nearest - 2) + weights[1] * (count(s.possible) - PLACES // 2)
    return value if player == FUGITIVE else -value


@rule
def count(places):
    n = 0
    while places != 0:
        places &= places - 1
        n += 1
    return n


@rule
def policy(t, s, rng):
    """`keen`: the fugitive keeps away from the nearer hunter, hunters close in on what is possible."""
    places = within_reach(t, s)
    best, ties, chosen = -1_000_000, 0, UNKNOWN
    for place in range(PLACES):
        if places >> place & 1:
            value = safety(t, s, place) if s.turn == FUGITIVE else -spread(t, s, place)
            if value > best:
                best, ties, chosen = value, 1, place
            elif value == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = place
    return chosen


@rule
def safety(t, s, place):
    return min(t.distance[place, s.hunters[0]], t.distance[place, s.hunters[1]])


@rule
def spread(t, s, place):
    """The sum of the distances from a place to all that is possible."""
    total = 0
    for other in range(PLACES):
        if s.possible >> other & 1:
            total += t.distance[place, other]
    return total
