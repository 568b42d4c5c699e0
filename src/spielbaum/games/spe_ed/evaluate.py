"""What a position is worth to a player: by the room that the player has, and by what the others have.

With A the largest component that touches a head, F the number of free cells and e the active enemies,

    area              A / F
    area_div_enemies  A / (1 + Σ A_e)

are the two evaluations of Team Valhalla's players, 0 for who is out. The general agents are given the first one less
the mean of the enemies', on the scale of results: w_area·A/F - w_enemies·mean A_e/F, and -1 for who is out.
"""

from __future__ import annotations

from spielbaum.games.spe_ed.area import area_around, areas, free_cells
from spielbaum.params import Param
from spielbaum.rules import rule

EVALUATIONS = ("area", "area_div_enemies")
AREA, AREA_DIV_ENEMIES = range(2)
WEIGHTS = (
    Param("area", 1.0, "worth of all free cells", low=0, tune=(0.0, 2.0)),
    Param("enemies", 0.5, "what all free cells are worth to the enemies, the mean of them", low=0, tune=(0.0, 2.0)),
)
METRICS = ("area", "speed")


@rule
def worth(t, s, player, which, scratch):
    """One of the two evaluations."""
    if s.died[player] > 0:
        return 0.0
    if which == AREA:
        return area_around(t, s, player, scratch) / max(free_cells(t, s), 1)
    areas(t, s, scratch)
    own, all_of_them = scratch.area[player], 0
    for p in range(t.players):
        all_of_them += scratch.area[p]
    return own / (1.0 + (all_of_them - own))


@rule
def evaluate(t, s, weights, player, scratch):
    if s.died[player] > 0:
        return -1.0
    areas(t, s, scratch)
    others, enemies = 0, s.active - 1
    for p in range(t.players):
        if p != player:
            others += scratch.area[p]
    value = weights[0] * scratch.area[player] - weights[1] * others / max(enemies, 1)
    return value / max(free_cells(t, s), 1)


@rule
def metrics(t, s, player, scratch, out):
    """The cells that a player can reach without jumping, and its speed; nothing for who is out."""
    active = s.died[player] == 0
    out[0] = area_around(t, s, player, scratch) if active else 0
    out[1] = s.speed[player] if active else 0
