"""How `tyr` judges a position: weighted parts of what the territories tell.

With T_p the size of the territory of p, everybody's value is a weighted mean of parts from 0 to 1, above `ALIVE`:

| part | what it is |
|---|---|
| `territory` | the mean over all others q of T_p / (T_p + T_q), as if each pair fought a duel; 1 where q is out |
| `survival` | T_p / (T_p + 40): a little room is worth a lot to who has none |
| `share` | T_p of all free cells |
| `roomy` | cells of the territory that lie in a free block of 2 x 2, so that no dead end counts, as a share of T_p |
| `alone` | T_p of all free cells where the territory borders on nobody's |
| `distance` | steps to the nearest opponent, up to 20 |
| `slow` | how much slower than the fastest |
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import ones
from spielbaum.games.spe_ed.rules import FASTEST, JUMP_SPEED
from spielbaum.games.spe_ed.steps import distance
from spielbaum.games.spe_ed.voronoi import divide, stride
from spielbaum.params import Param
from spielbaum.rules import rule

ALIVE, OUT = 0.1, 0.1  # all values of the living lie above the first, those of the others below the second
LITTLE_ROOM, FAR = 40.0, 20.0
ONE, LAST = np.uint64(1), np.uint64(63)

PARTS = (
    Param("territory", 1.0, "weight of the territory compared with those of the others", low=0, tune=(0.0, 2.0)),
    Param("survival", 0.5, "weight of having any room at all", low=0, tune=(0.0, 2.0)),
    Param("share", 0.5, "weight of the territory as a share of the free cells", low=0, tune=(0.0, 2.0)),
    Param("roomy", 0.1, "weight of a territory without dead ends", low=0, tune=(0.0, 1.0)),
    Param("alone", 0.0, "weight of a territory that borders on nobody's", low=0, tune=(0.0, 1.0)),
    Param("distance", 0.0, "weight of the distance to the nearest opponent", low=0, tune=(0.0, 1.0)),
    Param("slow", 0.05, "weight of being slow", low=0, tune=(0.0, 0.5)),
)
TERRITORY, SURVIVAL, SHARE, ROOMY, ALONE, DISTANCE, SLOW = range(len(PARTS))


@rule
def judge(t, s, room, weights, workspace):
    """The values of all who are near and alive, into `workspace.value`; the weights add up to 1."""
    for p in range(t.players):
        room.pace[p] = min(np.int64(s.speed[p]), workspace.pace) if s.died[p] == 0 else 0
        room.leap[p] = s.speed[p] if s.speed[p] >= JUMP_SPEED else 0
        room.lead[p] = 0 if workspace.near >> p & 1 else workspace.depth
    divide(t, s, room)
    for p in range(t.players):
        if workspace.near >> p & 1 and s.died[p] == 0:
            parts = compared(t, s, room, p) * weights[TERRITORY]
            own = np.int64(room.cells[p])
            parts += own / (own + LITTLE_ROOM) * weights[SURVIVAL] + own / workspace.free * weights[SHARE]
            if weights[ROOMY] > 0.0 and own > 0:
                parts += blocks(s, room, p) / own * weights[ROOMY]
            if room.border[p] == 0:
                parts += own / workspace.free * weights[ALONE]
            if weights[DISTANCE] > 0.0:
                parts += min(nearest(t, s, p), FAR) / FAR * weights[DISTANCE]
            parts += (FASTEST - s.speed[p]) / (FASTEST - 1.0) * weights[SLOW]
            workspace.value[p] = ALIVE + (1.0 - ALIVE) * parts


@rule
def compared(t, s, room, p):
    """How the territory compares with those of the others."""
    total = 0.0
    for q in range(t.players):
        if q != p:
            theirs = np.int64(room.cells[q]) if s.died[q] == 0 else 0
            total += (room.cells[p] + 1.0) / (room.cells[p] + theirs + (2.0 if s.died[q] == 0 else 1.0))
    return total / (t.players - 1)


@rule
def blocks(s, room, p):
    """How many cells of a territory lie in a block of 2 x 2 cells of it."""
    w = stride(s)
    first, last = w, w * np.uint64(s.height + 1)
    own, corner, left, total = room.own[p], room.step, room.spare, 0
    for i in range(w):
        corner[i] = left[i] = np.uint64(0)
    for i in range(first, last):
        across = own[i] & (own[i] >> ONE | own[i + ONE] << LAST)
        under = own[i + w] & (own[i + w] >> ONE | own[i + w + ONE] << LAST)
        corner[i] = across & under
    for i in range(first, last):
        left[i] = corner[i] | corner[i - w]
    for i in range(first, last):
        total += ones((left[i] | left[i] << ONE | left[i - ONE] >> LAST) & room.free[i])
    return total


@rule
def nearest(t, s, p):
    """Steps to the nearest active opponent."""
    least = np.int64(FAR)
    for q in range(t.players):
        if q != p and s.died[q] == 0:
            least = min(least, distance(s, p, q))
    return least
