"""What a position is worth to a player, as the thesis has it, and Greedy's choices by it.

With F', M', P' the production of a round, n the number of tiles and g = clamp(round * point_increment / 100, 0, 1),
where a shorter game is counted as if it had 100 rounds,

    E = (material * M' + food * F' + both * max(0, M') * max(0, F') + tiles * n) * (1 - g) + points * P' * g

To this come, for leaders with a character, trade * (all that a player's trade buildings yield) and

    (pressure * (foreign tiles on which it presses) + land * (unbuilt tiles on which it might build)) * (1 - g)

With science, E is multiplied by 1 + science * (known technologies / all) * (the share of rounds that are left): what a
technology is worth is what can still be built with it, and that is the more, the richer a player is.

E runs to tens of thousands; the rule `evaluate` divides it by SCALE to be on the scale of results.
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import lowest, ones
from spielbaum.games.quick_civ.board import REACH, TILES, WORDS
from spielbaum.games.quick_civ.buildings import CATEGORIES, CITY_CENTRE
from spielbaum.games.quick_civ.rules import (
    FOOD_PRICE,
    NOBODY,
    NONE,
    ONE,
    RESEARCH,
    ROUNDS,
    WAIT,
    affordable,
    distance,
    draw_build,
    food,
    has_site,
    is_unlocked,
    material,
    may_research,
    played,
    points,
    relation,
    yield_of,
)
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.params import Param
from spielbaum.rules import below, rule

SCALE = 20_000.0
WEIGHTS = (
    Param("material", 1.0, "worth of material produced in a round", low=0, tune=(0.0, 2.0)),
    Param("food", 1.0, "worth of food produced in a round", low=0, tune=(0.0, 2.0)),
    Param("points", 1.0, "worth of points produced in a round", low=0, tune=(0.0, 2.0)),
    Param("tiles", 1.0, "worth of a tile", low=0, tune=(0.0, 10.0)),
    Param("both", 1.0, "worth of the product of food and material", low=0, tune=(0.0, 2.0)),
    Param(
        "point-increment",
        1.75,
        "how early points count: from 0 to all in 100 rounds divided by this",
        low=0,
        tune=(0.2, 4.0),
    ),
    Param(
        "near",
        2,
        "how far from the last build the filter near-last keeps builds",
        low=0,
        high=REACH,
        tune=(0, 3),
        when="filter=near-last",
    ),
    Param(
        "science",
        2.0,
        "worth of all technologies at the start, as a share of the evaluation",
        low=0,
        tune=(0.0, 4.0),
        when="game.science",
    ),
    Param("pressure", 0.0, "worth of a foreign tile under own pressure", low=0, tune=(0.0, 10.0)),
    Param("land", 0.0, "worth of an unbuilt tile in reach of an own city centre", low=0, tune=(0.0, 10.0)),
    Param(
        "trade",
        0.0,
        "worth of what trade buildings yield in a round, besides that of all yields",
        low=0,
        tune=(0.0, 4.0),
    ),
)
MATERIAL_WEIGHT, FOOD_WEIGHT, POINTS_WEIGHT, TILES_WEIGHT, BOTH_WEIGHT, INCREMENT, NEAR, SCIENCE = range(8)
PRESSURE_WEIGHT, LAND_WEIGHT, TRADE_WEIGHT = 8, 9, 10
TRADE = CATEGORIES.index("trade")
DRAWS = 8  # in vain before all builds are listed


@rule
def lateness(rounds, weights):
    """g: how much points count instead of all else."""
    return min(max((rounds + 1) * weights[INCREMENT] / ROUNDS, 0.0), 1.0)


@rule
def worth(production, tiles, rounds, weights):
    """E, of a production, a number of tiles and the round that is played."""
    late = lateness(rounds, weights)
    m, f = material(production), food(production)
    early = weights[MATERIAL_WEIGHT] * m + weights[FOOD_WEIGHT] * f + weights[BOTH_WEIGHT] * max(0, m) * max(0, f)
    early += weights[TILES_WEIGHT] * tiles
    return early * (1.0 - late) + weights[POINTS_WEIGHT] * points(production) * late


@rule
def evaluate(t, s, weights, player):
    value = worth(s.production[player], s.tiles[player], played(t, s), weights)
    if weights[PRESSURE_WEIGHT] > 0.0:
        value += weights[PRESSURE_WEIGHT] * pressed_tiles(s, player) * (1.0 - lateness(played(t, s), weights))
    if weights[LAND_WEIGHT] > 0.0:
        value += weights[LAND_WEIGHT] * free_land(s, player) * (1.0 - lateness(played(t, s), weights))
    if weights[TRADE_WEIGHT] > 0.0:
        value += weights[TRADE_WEIGHT] * trade_yield(t, s, player)
    if t.technologies > 0:
        left = 1.0 - played(t, s) / ROUNDS
        value *= 1.0 + weights[SCIENCE] * ones(s.known[player]) / t.technologies * left
    return value / SCALE


@rule
def pressed_tiles(s, player):
    """How many foreign tiles are under the pressure of a player."""
    n = 0
    for word in range(WORDS):
        built = s.own[0, word] | s.own[1, word] | s.own[2, word] | s.own[3, word]
        n += ones(s.pressed[player, word] & built & ~s.own[player, word])
    return n


@rule
def free_land(s, player):
    """How many unbuilt tiles are in reach of a player's city centres."""
    n = 0
    for word in range(WORDS):
        built = s.own[0, word] | s.own[1, word] | s.own[2, word] | s.own[3, word]
        n += ones(s.reach[player, REACH, word] & ~built)
    return n


@rule
def trade_yield(t, s, player):
    """What the trade buildings of a player yield in a round, of all resources."""
    total = 0
    for word in range(WORDS):
        tiles = s.own[player, word]
        while tiles != NONE:
            tile = 64 * word + lowest(tiles)
            tiles &= tiles - ONE
            building = np.int64(s.building[tile])
            if t.category[building] == TRADE:
                produced = yield_of(t, s, tile, player, building)
                total += food(produced) + material(produced) + points(produced)
    return total


@rule
def production_with(t, s, p, tile, building):
    """What a player would produce after a build on an own or an unbuilt tile."""
    production = s.production[p] + yield_of(t, s, tile, p, building)
    old_owner, old_building = np.int64(s.owner[tile]), max(np.int64(s.building[tile]), 0)
    if old_owner == p:
        production -= yield_of(t, s, tile, p, old_building)
    old = relation(p, old_owner)
    for i in range(t.near.shape[1]):
        other = t.near[tile, i]
        if other >= 0 and s.owner[other] == p:
            rows = t.of_tiles[s.building[other], np.int64(i >= 6)]
            production += rows[relation(p, p), building] - rows[old, old_building]
    return production


@rule
def best_build(t, s, player, weights):
    """Greedy's move: the build after which E is the largest, if it is larger than now; otherwise to wait.

    If the best build needs a technology, the first one that is missing is researched, where that can be paid.
    """
    rounds = played(t, s)
    best, chosen = worth(s.production[player], s.tiles[player], rounds, weights) + 1e-9, WAIT
    best_locked, wanted = best, WAIT
    kinds = affordable(t, s, player)
    for tile in range(TILES):
        if t.exists[tile] and kinds > 0 and has_site(s, player, tile):
            tiles = s.tiles[player] + (s.owner[tile] == NOBODY)
            for building in range(kinds):
                value = worth(production_with(t, s, player, tile, building), tiles, rounds, weights)
                if is_unlocked(s, player, building):
                    if value > best:
                        best, chosen = value, tile * KINDS + building
                elif value > best_locked:
                    best_locked, wanted = value, next_technology(t, s, player, building)
    if best_locked > best and may_research(t, s, player, wanted - RESEARCH):
        return wanted
    return chosen


@rule
def next_technology(t, s, player, building):
    """What to research first for a building that a player does not know how to build."""
    technology = t.unlocked_by[building]
    while t.needs[technology] & ~s.known[player] != NONE:
        technology = lowest(t.needs[technology] & ~s.known[player])
    return RESEARCH + technology


@rule
def best_centre(t, s, player):
    """Where a city centre adds the most unbuilt tiles to what is in reach, the cheaper the better; or to wait."""
    best, chosen = 0, WAIT
    if affordable(t, s, player) == 0:
        return chosen
    for tile in range(TILES):
        if t.exists[tile] and s.owner[tile] == NOBODY and has_site(s, player, tile):
            new = 0
            for word in range(WORDS):
                built = s.own[0, word] | s.own[1, word] | s.own[2, word] | s.own[3, word]
                new += ones(t.within[tile, REACH, word] & ~built & ~s.reach[player, REACH, word])
            value = 1000 * new - FOOD_PRICE[distance(s, player, tile)]
            if value > best:
                best, chosen = value, tile * KINDS + CITY_CENTRE
    return chosen


@rule
def wait():
    """JustWaiting: nobody builds, and only sieges go on."""
    return WAIT


@rule
def at_random(t, s, player, rng):
    """Any build or research, all as likely; to wait where there is none."""
    return draw_build(t, s, player, rng, 0)


@rule
def at_random_without_overwrite(t, s, player, rng):
    """Any build on an unbuilt tile."""
    return draw_kept(t, s, player, rng, False)


@rule
def at_random_with_military(t, s, player, rng):
    """Any build on an unbuilt tile, or where the old or the new building is a military one."""
    return draw_kept(t, s, player, rng, True)


@rule
def draw_kept(t, s, player, rng, military):
    """A build on an unbuilt tile, with `military` also an overbuild of the military; all as likely."""
    for _ in range(DRAWS):
        action = draw_build(t, s, player, rng, 0)
        if action >= WAIT or is_new(s, action) or (military and concerns_military(t, s, action)):
            return action
    chosen, found, kinds = WAIT, 0, affordable(t, s, player)
    for tile in range(TILES):
        if t.exists[tile] and kinds > 0 and has_site(s, player, tile):
            for building in range(kinds):
                action = tile * KINDS + building
                if not is_unlocked(s, player, building):
                    continue
                if is_new(s, action) or (military and concerns_military(t, s, action)):
                    found += 1
                    if below(rng, found) == 0:
                        chosen = action
    return chosen


@rule
def is_new(s, action):
    return s.owner[action // KINDS] == NOBODY


@rule
def concerns_military(t, s, action):
    return t.military[action % KINDS] == 1 or t.military[max(np.int64(s.building[action // KINDS]), 0)] == 1


POLICIES = {
    "wait": wait,
    "random": at_random,
    "greedy": best_build,
    "best-centre": best_centre,
    "random-without-overwrite": at_random_without_overwrite,
    "random-without-overwrite-with-military": at_random_with_military,
}
