"""Territory, room, and what becomes of riders who can't reach each other any more.

Territory, the cells that a rider reaches before the other one does, is the usual evaluation of Tron since the Google
AI Challenge of 2010; two floods grow in turn. Separated riders only fill their rooms: how long they last is
estimated by following the walls, as Den Teuling & Winands do (Computers and Games 2012).
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.light_cycles.flood import (
    any_of,
    beside,
    both,
    connected,
    count,
    either,
    only,
    reached,
    without,
    words,
)
from spielbaum.games.light_cycles.rules import BOARD, RUNNING, WITH_OUTSIDE, Tables, free_ways, is_free, sample, take
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (Param("territory", 1.0, "worth of the whole arena", low=0),)
POLICIES = ("roomy",)
METRICS = ("territory",)
SCRATCH = np.dtype((np.record, [("free", "u8", WITH_OUTSIDE)]))


def units(t: Tables, weights: np.ndarray) -> dict[str, tuple[str, float]]:
    """The lead in cells."""
    return {"evaluate": ("cells", float(t.size[0] * t.size[1]) / weights[0])}


@rule
def evaluate(t, s, weights, player):
    mine, theirs = territories(s, player)
    return weights[0] * (mine - theirs) / (t.size[0] * t.size[1])


@rule
def metrics(s, player, out):
    """The cells that the rider would reach first."""
    out[0] = territories(s, player)[0]


@rule
def territories(s, player):
    """How many cells the player and the other rider reach first."""
    free = words(s.free)
    my_edge, their_edge = only(s.cell[player]), only(s.cell[1 - player])
    my_count, their_count = 0, 0
    while any_of(my_edge) or any_of(their_edge):
        mine_now = both(beside(my_edge), free)
        theirs_now = both(beside(their_edge), free)
        free = without(free, either(mine_now, theirs_now))
        my_edge = without(mine_now, theirs_now)
        their_edge = without(theirs_now, mine_now)
        my_count += count(my_edge)
        their_count += count(their_edge)
    return my_count, their_count


@rule
def policy(t, s, player, rng):
    """`roomy`: ride to where the most cells can still be reached; ties at random."""
    first = sample(t, s, player, rng)
    best, chosen = -1, first
    for turn in range(4):
        direction = (first + turn) % 4
        cell = t.beside[s.cell[player], direction]
        if is_free(s.free, cell):
            room = count(reached(words(s.free), only(cell)))
            if room > best:
                best, chosen = room, direction
    return chosen


@rule
def decided(t, s, scratch, out):
    """Separated riders fill their rooms, and who lasts longer wins."""
    if s.outcome != RUNNING or connected(words(s.free), s.cell[0], s.cell[1]):
        return False
    first, second = rounds_left(t, s, 0, scratch.free), rounds_left(t, s, 1, scratch.free)
    out[0] = np.sign(first - second)
    out[1] = np.sign(second - first)
    return True


@rule
def rounds_left(t, s, rider, free):
    """How many cells a rider fills who follows the walls."""
    for word in range(BOARD):
        free[word] = s.free[word]
    cell, filled = np.int64(s.cell[rider]), 0
    while True:
        ways = free_ways(t, free, cell)
        if ways == 0:
            return filled
        cell = along_the_wall(t, rider, free, cell, ways)
        take(free, cell)
        filled += 1


@rule
def along_the_wall(t, rider, free, cell, ways):
    """The free cell beside this one with the fewest ways on, dead ends last.

    Of equals each rider takes the one that is the first from its own side, so that none of them has the luckier one.
    """
    best, chosen = 5, cell
    for i in range(t.ways[ways]):
        there = np.int64(t.beside[cell, t.along[rider, ways, i]])
        on = free_ways(t, free, there)
        exits = 4 if on == 0 else t.ways[on]
        if exits < best:
            best, chosen = exits, there
    return chosen
