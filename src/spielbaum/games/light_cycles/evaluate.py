"""Territory: the cells that a rider reaches before the other one does.

The usual evaluation of Tron since the Google AI Challenge of 2010; two floods grow in turn.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.light_cycles.rules import NOTHING, ONE, is_free, neighbour, random_direction
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (Param("territory", 1.0, "worth of the whole arena", low=0),)
POLICIES = ("roomy",)
CELLS = 64

ROW = np.uint64(8)
WEST_EDGE = np.uint64(0x0101010101010101)
EAST_EDGE = np.uint64(0x8080808080808080)


@rule
def evaluate(t, s, weights, player):
    mine, theirs = territories(t, s, player)
    return weights[0] * (mine - theirs) / CELLS


METRICS = ("territory",)


@rule
def metrics(t, s, player, out):
    """The cells that the rider would reach first."""
    out[0] = territories(t, s, player)[0]


@rule
def territories(t, s, player):
    """How many cells the player and the other rider reach first."""
    free = ~(t.border | s.trails[0] | s.trails[1])
    mine = ONE << np.uint64(s.cell[player])
    theirs = ONE << np.uint64(s.cell[1 - player])
    my_edge, their_edge, my_count, their_count = mine, theirs, 0, 0
    while my_edge != 0 or their_edge != 0:
        mine_now = spread(my_edge) & free
        theirs_now = spread(their_edge) & free
        free &= ~(mine_now | theirs_now)
        my_edge = mine_now & ~theirs_now
        their_edge = theirs_now & ~mine_now
        my_count += count(my_edge)
        their_count += count(their_edge)
    return my_count, their_count


@rule
def spread(cells):
    """The cells beside these."""
    return (cells << ROW) | (cells >> ROW) | ((cells & ~EAST_EDGE) << ONE) | ((cells & ~WEST_EDGE) >> ONE)


@rule
def count(cells):
    n = 0
    while cells != 0:
        cells &= cells - ONE
        n += 1
    return n


@rule
def policy(t, s, which, rng):
    """`roomy`: ride to where the most cells can still be reached; ties at random."""
    rider = 0 if s.committed == NOTHING else 1
    first = random_direction(t, s, rider, rng)
    best, chosen = -1, first
    for turn in range(4):
        direction = (first + turn) % 4
        cell = neighbour(s.cell[rider], direction)
        if is_free(t, s, cell):
            room = reachable(t, s, cell)
            if room > best:
                best, chosen = room, direction
    return chosen


@rule
def reachable(t, s, cell):
    """The cells that can be reached from a cell."""
    free = ~(t.border | s.trails[0] | s.trails[1])
    flood = ONE << np.uint64(cell)
    while True:
        larger = flood | (spread(flood) & free)
        if larger == flood:
            return count(flood)
        flood = larger
