"""Plans of Quick Civ: queues of own builds, what becomes of them, what that is worth, and how to change them.

A plan is a queue. In each round its first build happens as soon as it can be paid, so that a plan saves up for what is
dear; a build that has become impossible, because somebody else has the tile, is left out. Everybody else waits, and
sieges go on. What a position is worth to a player is the points that it promises at the end of the game: with r rounds
left, P points in stock, F', M', P' the production of a round, n tiles, F and M in stock,

    V = P + p(r) P' + m(r) M' + f(r) F' + b(r) sqrt(max(0, M') max(0, F')) + t(r) n + s(r) M + u(r) F

where the w p ... u are a table by the rounds that are left (`players/prospects.py`). A plan is worth V after it
less a share of what the others have then.
"""

from __future__ import annotations

import math

import numpy as np

from spielbaum.bits import lowest, ones
from spielbaum.games.quick_civ.board import REACH, TILES, WORDS
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, FOOD, MATERIAL, POINTS
from spielbaum.games.quick_civ.evaluate import production_with
from spielbaum.games.quick_civ.rules import (
    FOOD_PRICE,
    NOBODY,
    NONE,
    ONE,
    WAIT,
    act,
    distance,
    end_round,
    food,
    has,
    keeps_centre,
    legal_tiles,
    material,
    points,
)
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import below, rule, uniform

LONGEST = 24  # builds of a plan
FARTHEST = 32  # rounds that are looked ahead
GAIN, MEANS, LAND, FREE, TILE = range(5)
WEIGHTS = 5
IMPOSSIBLE, TOO_DEAR, POSSIBLE = range(3)

PLAN = np.dtype(
    (
        np.record,
        [
            ("build", "i4", LONGEST),  # actions, in their order
            ("since", "i2", LONGEST + 1),  # the round, from now, in which each has come to be the first one
            ("length", "i8"),
            ("reached", "i8"),  # how many of them were built or left out
            ("now", "i8"),  # what it has us do in this round
            ("value", "f8"),
        ],
    )
)


# --- what a position promises -------------------------------------------------------------------


@rule
def promise(production, tiles, stock_food, stock_material, left, w):
    """V without the points in stock, with so many rounds left."""
    if left <= 0:
        return 0.0
    means = (material(production) + 2.0 * stock_material / left) / w[MEANS]
    land = (food(production) + 2.0 * (stock_food + w[TILE] * tiles) / left) / w[LAND]
    pace = (1.0 - math.exp(-max(means, 0.0))) * (w[FREE] + (1.0 - w[FREE]) * (1.0 - math.exp(-max(land, 0.0))))
    return left * (points(production) + 0.5 * w[GAIN] * left * pace)


@rule
def prospect(t, s, p, w):
    """V of a player."""
    stock = s.stock[p]
    return stock[POINTS] + promise(s.production[p], s.tiles[p], stock[FOOD], stock[MATERIAL], t.rounds - s.rounds, w)


@rule
def standing(t, s, me, w, envy):
    """Our V less `envy` times that of the others, on average."""
    others = 0.0
    for p in range(t.players):
        if p != me:
            others += prospect(t, s, p, w)
    return prospect(t, s, me, w) - envy * others / (t.players - 1)


# --- what becomes of a plan ---------------------------------------------------------------------


@rule
def chance_of(t, s, p, action):
    """Whether a build can be made now, later when it can be paid, or not at all."""
    tile, building = action // KINDS, action % KINDS
    price = 0
    if s.owner[tile] == p:
        if s.building[tile] == CITY_CENTRE and keeps_centre(s, p):
            return IMPOSSIBLE
    elif s.owner[tile] != NOBODY:
        return IMPOSSIBLE
    else:
        away = distance(s, p, tile)
        if away > REACH:
            return IMPOSSIBLE
        price = FOOD_PRICE[away]
    return POSSIBLE if t.price[building] <= s.stock[p, MATERIAL] and price <= s.stock[p, FOOD] else TOO_DEAR


@rule
def next_build(t, s, p, plan):
    """What the plan has us do now; what can't be built any more is left out."""
    while plan.reached < plan.length:
        action = np.int64(plan.build[plan.reached])
        chance = chance_of(t, s, p, action)
        if chance == POSSIBLE:
            return action
        if chance == TOO_DEAR:
            return WAIT
        plan.reached += 1
    return WAIT


@rule
def follow(t, s, plan, me, first, last, trail, record):
    """Play the rounds from `first` up to `last` by the plan; with `record` the position before each is kept."""
    for number in range(first, last):
        if s.rounds == t.rounds:
            break
        if record:
            trail[number] = s
        before = plan.reached
        action = next_build(t, s, me, plan)
        for i in range(before + 1, plan.reached + 1):
            plan.since[i] = number
        if number == 0:
            plan.now = action
        if action != WAIT:
            act(t, s, me, action)
            plan.reached += 1
            plan.since[plan.reached] = number + 1
        end_round(t, s)


@rule
def wait_for_sieges(t, s, rounds):
    for _ in range(rounds):
        if s.rounds < t.rounds:
            end_round(t, s)


# --- what could be built ------------------------------------------------------------------------


@rule
def draw_site(s, p, rng):
    """A tile on which a player may build, now or once it can be paid; -1 where there is none."""
    last_centre, total = keeps_centre(s, p), 0
    for word in range(WORDS):
        total += ones(legal_tiles(s, p, word, REACH, last_centre))
    if total == 0:
        return -1
    place = below(rng, total)
    for word in range(WORDS):
        tiles = legal_tiles(s, p, word, REACH, last_centre)
        here = ones(tiles)
        if place < here:
            for _ in range(place):
                tiles &= tiles - ONE
            return 64 * word + lowest(tiles)
        place -= here
    return -1


@rule
def is_near_others(t, s, p, tile):
    """Whether somebody else has a tile within two of this one."""
    for word in range(WORDS):
        others = NONE
        for q in range(t.players):
            if q != p:
                others |= s.own[q, word]
        if t.within[tile, 2, word] & others != NONE:
            return True
    return False


@rule
def promise_with(t, s, p, tile, building, w):
    """V without the points in stock if something were built, whether it can be paid or not."""
    new, spent = 0, 0
    if s.owner[tile] == NOBODY:
        new, spent = 1, FOOD_PRICE[distance(s, p, tile)]
    production = production_with(t, s, p, tile, building)
    stock_food, stock_material = s.stock[p, FOOD] - spent, s.stock[p, MATERIAL] - t.price[building]
    return promise(production, s.tiles[p] + new, stock_food, stock_material, t.rounds - s.rounds, w)


@rule
def draw_gainful(t, s, p, w, draws, one, other, rng):
    """The most promising of some builds that are drawn, of two buildings alone unless these are negative."""
    best, chosen = -1e300, WAIT
    for _ in range(draws):
        tile = draw_site(s, p, rng)
        if tile >= 0:
            building = below(rng, KINDS) if one < 0 else one if below(rng, 2) == 0 else other
            value = promise_with(t, s, p, tile, building, w)
            if value > best:
                best, chosen = value, tile * KINDS + building
    return chosen


@rule
def draw_military(t, s, p, soldiers, rng):
    """A military building near others."""
    for _ in range(12):
        tile = draw_site(s, p, rng)
        if tile >= 0 and is_near_others(t, s, p, tile):
            return tile * KINDS + soldiers[below(rng, len(soldiers))]
    return WAIT


@rule
def draw_gene(t, s, p, w, soldiers, draws, rng):
    """A build for a plan: mostly one that gains at once, at times a military or any other one."""
    kind = uniform(rng)
    if kind < 0.2:
        action = draw_military(t, s, p, soldiers, rng)
        if action != WAIT:
            return action
    few = kind < 0.35
    return draw_gainful(t, s, p, w, 1 if few else draws, -1, -1, rng)
