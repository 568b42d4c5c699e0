"""The prunings of the thesis: which builds a search looks at in its tree. To research is always kept.

only-military-overwrites   an overbuild only if the old or the new building is one of points or of the military
only-greedy-nodes          besides military builds only those after which the evaluation is larger than before
only-greedy-nodes-naive    the same by a copy of the map in which it is built, as the thesis measured it
near-last                  builds up to `weight.near` tiles from the last own build
near-last-repaired         also those near own tiles under siege, and every fifth round all of them
late-no-early              who has built one of the most expensive buildings drops the cheapest, but no city centre
peaceful                   no military builds, but on or beside an own tile under siege; no pruning of the thesis
no-waiting                 not to wait where something can be built; how the thesis may be read, no pruning of its
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.quick_civ.board import TILES, WORDS
from spielbaum.games.quick_civ.buildings import CATEGORIES, CITY_CENTRE
from spielbaum.games.quick_civ.evaluate import NEAR, is_new, production_with, worth
from spielbaum.games.quick_civ.rules import BASE_INCOME, NONE, WAIT, affordable, has, has_site, yield_of
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import rule

FILTERS = (
    "only-military-overwrites",
    "only-greedy-nodes",
    "only-greedy-nodes-naive",
    "near-last",
    "near-last-repaired",
    "late-no-early",
    "peaceful",
    "no-waiting",
)
ONLY_MILITARY_OVERWRITES, ONLY_GREEDY, ONLY_GREEDY_NAIVE, NEAR_LAST, NEAR_LAST_REPAIRED = range(5)
LATE_NO_EARLY, PEACEFUL, NO_WAITING = 5, 6, 7
OF_POINTS, OF_MILITARY = CATEGORIES.index("points"), CATEGORIES.index("military")
CHEAPEST = 10
ALL_EVERY = 5  # rounds
MAP = np.dtype((np.record, [("owner", "i1", TILES), ("building", "i1", TILES), ("nature", "i1", (TILES, 6))]))
SCRATCH_FIELDS = [("trial", MAP)]


@rule
def keep(t, s, player, which, action, weights, scratch):
    if action >= WAIT:
        return which != NO_WAITING or action > WAIT or not can_build(t, s, player)
    if which == NO_WAITING:
        return True
    tile, building = action // KINDS, action % KINDS
    if which == ONLY_MILITARY_OVERWRITES:
        return is_new(s, action) or overbuilds_for_war_or_points(t, s, tile, building)
    if which == ONLY_GREEDY:
        return t.military[building] == 1 or gains(t, s, player, tile, building, weights)
    if which == ONLY_GREEDY_NAIVE:
        return t.military[building] == 1 or gains_in_a_copy(t, s, player, tile, building, weights, scratch.trial)
    if which == NEAR_LAST:
        return has(t.within[s.last[player], int(weights[NEAR])], tile)
    if which == NEAR_LAST_REPAIRED:
        return is_near_what_matters(t, s, player, tile, int(weights[NEAR]))
    if which == PEACEFUL:
        return t.military[building] == 0 or is_near_siege(t, s, player, tile, 1)
    return s.late[player] == 0 or t.price[building] != CHEAPEST or building == CITY_CENTRE


@rule
def can_build(t, s, player):
    """Whether a player has a tile to build on, and the means."""
    if affordable(t, s, player) > 0:
        for tile in range(len(t.exists)):
            if t.exists[tile] and has_site(s, player, tile):
                return True
    return False


@rule
def overbuilds_for_war_or_points(t, s, tile, building):
    new, old = t.category[building], t.category[s.building[tile]]
    return new in (OF_POINTS, OF_MILITARY) or old in (OF_POINTS, OF_MILITARY)


@rule
def gains(t, s, p, tile, building, weights):
    """Whether a player's evaluation is larger after a build, by what changes."""
    tiles = s.tiles[p] + is_new(s, tile * KINDS)
    after = worth(production_with(t, s, p, tile, building), tiles, s.rounds, weights)
    return after > worth(s.production[p], s.tiles[p], s.rounds, weights)


@rule
def gains_in_a_copy(t, s, p, tile, building, weights, trial):
    """The same, by building in a copy of the map and adding up all that is produced there."""
    for other in range(len(t.exists)):
        trial.owner[other], trial.building[other] = s.owner[other], s.building[other]
        for i in range(t.of_nature.shape[1]):
            trial.nature[other, i] = s.nature[other, i]
    trial.owner[tile], trial.building[tile] = p, building
    production, tiles = BASE_INCOME, 0
    for other in range(len(t.exists)):
        if trial.owner[other] == p:
            production += yield_of(t, trial, other, p, np.int64(trial.building[other]))
            tiles += 1
    after = worth(production, tiles, s.rounds, weights)
    return after > worth(s.production[p], s.tiles[p], s.rounds, weights)


@rule
def is_near_what_matters(t, s, p, tile, most):
    """Near the last build or a tile of one's own that is besieged; every so many rounds everything is."""
    return (s.rounds + 1) % ALL_EVERY == 0 or has(t.within[s.last[p], most], tile) or is_near_siege(t, s, p, tile, most)


@rule
def is_near_siege(t, s, p, tile, most):
    """Whether a tile of a player within so many is under siege."""
    for word in range(WORDS):
        if t.within[tile, most, word] & s.running[word] & s.own[p, word] != NONE:
            return True
    return False


@rule
def changed(t, s, before, out):
    """All builds on tiles that have another owner or building than before, and on those beside them."""
    n = 0
    for tile in range(len(t.exists)):
        if t.exists[tile] and (is_other(s, before, tile) or is_beside_other(t, s, before, tile)):
            for building in range(KINDS):
                out[n] = tile * KINDS + building
                n += 1
    return n


@rule
def is_other(s, before, tile):
    return s.owner[tile] != before.owner[tile] or s.building[tile] != before.building[tile]


@rule
def is_beside_other(t, s, before, tile):
    for i in range(6):
        beside = np.int64(t.near[tile, i])
        if beside >= 0 and is_other(s, before, beside):
            return True
    return False
