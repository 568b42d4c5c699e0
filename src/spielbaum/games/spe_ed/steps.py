"""What searches do with a position: find out which actions are deadly for certain, let some players move, copy it."""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.policies import survives
from spielbaum.games.spe_ed.rules import ANSWERS, count_active, ride, steer
from spielbaum.rules import rule


@rule
def copy_position(t, source, target):
    """The position without what is the same all the game through; only the words that the board has are copied."""
    for i in range(t.words * source.height):
        target.free[i] = source.free[i]
    for p in range(t.players):
        target.x[p], target.y[p], target.died[p] = source.x[p], source.y[p], source.died[p]
        target.direction[p], target.speed[p] = source.direction[p], source.speed[p]
    target.rounds, target.active = source.rounds, source.active
    target.width, target.height = source.width, source.height


@rule
def options(t, s, p, out):
    """Write the actions that are not deadly for certain; how many."""
    n = 0
    for action in range(ANSWERS):
        if survives(t, s, p, action):
            out[n] = action
            n += 1
    return n


@rule
def move_some(t, s, choices, moving):
    """A round in which only some players move, given as bits; the others stand where they are."""
    s.rounds += 1
    for p in range(t.players):
        if s.died[p] == 0 and moving >> p & 1:
            steer(s, p, choices[p])
    crashed = 0
    for p in range(t.players):
        if s.died[p] == 0 and moving >> p & 1:
            crashed |= ride(t, s, p)
    crashed &= moving
    for p in range(t.players):
        if s.died[p] == 0 and crashed >> p & 1:
            s.died[p] = s.rounds
    count_active(t, s)


@rule
def distance(s, p, q):
    """Steps between two heads on an empty board."""
    return abs(np.int64(s.x[p]) - s.x[q]) + abs(np.int64(s.y[p]) - s.y[q])
