"""Plans of Quick Civ: queues of own builds, what becomes of them, what that is worth, and how to change them.

A plan is a queue. In each round its first build happens as soon as it can be paid, so that a plan saves up for what is
dear, and what a build needs to be known is researched before it; a build that has become impossible, because somebody
else has the tile, is left out. Everybody else waits, and sieges go on.

What a position is worth to a player are the points that it promises at the end of the game. With r rounds left, F, M
and P in stock, F', M', P' the production of a round and n tiles,

    V = P + r P' + gain / 2 r^2 h(x) (free + (1 - free) h(y)),    h(x) = 1 - e^-x
    x = (M' + 2 M / r) / means,    y = (F' + 2 (F + tile n) / r) / land

The last term is what builds to come will add: one a round, each of which raises P' by up to `gain`, as far as there is
the material to pay them and the food to have land for them. Material beyond what one build a round costs is worth
nothing, which tells by itself when to turn from growth to points. A plan is worth V after it less `envy` times what
the others have then, on average.
"""

from __future__ import annotations

import math

import numpy as np

from spielbaum.bits import lowest, ones
from spielbaum.games.quick_civ.board import REACH, WORDS
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, FOOD, MATERIAL, POINTS
from spielbaum.games.quick_civ.evaluate import next_technology, production_with
from spielbaum.games.quick_civ.rules import (
    FOOD_PRICE,
    NOBODY,
    NONE,
    ONE,
    RESEARCH,
    WAIT,
    act,
    distance,
    end_round,
    food,
    is_unlocked,
    keeps_centre,
    legal_tiles,
    material,
    may_research,
    points,
)
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import below, rule, uniform
from spielbaum.search.kernels import ucb1

LONGEST = 24  # builds of a plan
FARTHEST = 32  # rounds that are looked ahead
SPARE = 4  # builds of a plan beyond those that are reached within the horizon
GAIN, MEANS, LAND, FREE, TILE = range(5)
IMPOSSIBLE, TOO_DEAR, POSSIBLE = range(3)
ANY = -1  # building
NEVER = -1  # can this be done
FRONT_DRAWS = 12  # of a site near others before that is given up
MILITARY, BLIND = 0.2, 0.15  # of new builds: the military, and others that are not compared

PLAN = np.dtype(
    (
        np.record,
        [
            ("build", "i4", LONGEST),  # actions, in their order
            ("since", "i4", LONGEST + 1),  # the round, from now, in which each has come to be the first one
            ("length", "i8"),
            ("reached", "i8"),  # how many of them were built or left out
            ("now", "i8"),  # what it has us do in this round
            ("value", "f8"),
        ],
    )
)
TASK = np.dtype(
    (
        np.record,
        [
            ("me", "i8"),
            ("horizon", "i8"),  # rounds in which is built
            ("tail", "i8"),  # rounds after them in which sieges go on
            ("draws", "i8"),  # builds that are compared before one of them gets into a plan
            ("themes", "f8"),  # share of changes that plan anew with two buildings that go together
            ("envy", "f8"),
            ("heat", "f8"),
            ("iterations", "i8"),
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


@rule
def promise_with(t, s, p, tile, building, w):
    """V without the points in stock if something were built, whether it can be paid or not."""
    new, spent = 0, 0
    if s.owner[tile] == NOBODY:
        new, spent = 1, FOOD_PRICE[distance(s, p, tile)]
    production = production_with(t, s, p, tile, building)
    stock_food, stock_material = s.stock[p, FOOD] - spent, s.stock[p, MATERIAL] - t.price[building]
    return promise(production, s.tiles[p] + new, stock_food, stock_material, t.rounds - s.rounds, w)


# --- what becomes of a plan ---------------------------------------------------------------------


@rule
def chance_of(t, s, p, action):
    """Whether a build could be made now if it were known, later when it can be paid, or not at all."""
    tile, building = action // KINDS, action % KINDS
    spent = 0
    if s.owner[tile] == p:
        if s.building[tile] == CITY_CENTRE and keeps_centre(s, p):
            return IMPOSSIBLE
    elif s.owner[tile] != NOBODY:
        return IMPOSSIBLE
    else:
        away = distance(s, p, tile)
        if away > REACH:
            return IMPOSSIBLE
        spent = FOOD_PRICE[away]
    return POSSIBLE if t.price[building] <= s.stock[p, MATERIAL] and spent <= s.stock[p, FOOD] else TOO_DEAR


@rule
def next_build(t, s, p, plan):
    """What the plan has us do now; what can't be built any more is left out."""
    while plan.reached < plan.length:
        step = step_towards(t, s, p, np.int64(plan.build[plan.reached]))
        if step != NEVER:
            return step
        plan.reached += 1
    return WAIT


@rule
def step_towards(t, s, p, action):
    """A build if it can be made now, what to research for it, to wait until that can be paid, or NEVER."""
    chance = chance_of(t, s, p, action)
    if chance == IMPOSSIBLE:
        return NEVER
    if not is_unlocked(s, p, action % KINDS):
        wanted = next_technology(t, s, p, action % KINDS)
        return wanted if may_research(t, s, p, wanted - RESEARCH) else WAIT
    return action if chance == POSSIBLE else WAIT


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
        act(t, s, me, action)
        if action < WAIT:
            plan.reached += 1
            plan.since[plan.reached] = number + 1
        end_round(t, s)


@rule
def outcome(t, s, trail, plan, task, w, first):
    """What the rest of a plan leads to, from its round `first` on."""
    follow(t, s, plan, task.me, first, task.horizon, trail, False)
    for _ in range(task.tail):
        if s.rounds < t.rounds:
            end_round(t, s)
    return standing(t, s, task.me, w, task.envy)


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
def draw_gainful(t, s, p, w, draws, one, other, rng):
    """The most promising of some builds that are drawn, with two buildings alone unless these are ANY."""
    best, chosen = -1e300, WAIT
    for _ in range(draws):
        tile = draw_site(s, p, rng)
        if tile >= 0:
            building = below(rng, KINDS) if one == ANY else one if below(rng, 2) == 0 else other
            value = promise_with(t, s, p, tile, building, w)
            if value > best:
                best, chosen = value, tile * KINDS + building
    return chosen


@rule
def draw_military(t, s, p, soldiers, rng):
    """A military building near others."""
    for _ in range(FRONT_DRAWS):
        tile = draw_site(s, p, rng)
        if tile >= 0 and is_near_others(t, s, p, tile):
            return tile * KINDS + soldiers[below(rng, len(soldiers))]
    return WAIT


@rule
def draw_new(t, s, p, w, soldiers, draws, rng):
    """A build for a plan: mostly one that gains at once, at times a military one, or any."""
    kind = uniform(rng)
    if kind < MILITARY:
        action = draw_military(t, s, p, soldiers, rng)
        if action != WAIT:
            return action
    return draw_gainful(t, s, p, w, 1 if kind < MILITARY + BLIND else draws, ANY, ANY, rng)


# --- how plans change ---------------------------------------------------------------------------


@rule
def draw_place(t, plan, task, now, rng):
    """A place of a plan within the horizon, or the one after its end; -1 where there is none."""
    rounds = min(task.horizon, t.rounds - now)
    places = plan.reached + (plan.since[plan.reached] < rounds)
    return below(rng, min(places, LONGEST - 1)) if places > 0 else -1


@rule
def vary(t, s, trail, plan, place, task, w, soldiers, themes, rng):
    """Change a plan from one place on, in whose position `s` is; the round up to which it was played, -1 for none."""
    first = np.int64(plan.since[place])
    plan.reached = place
    if uniform(rng) < task.themes:
        return rebuild(t, s, trail, plan, task, w, themes, first, rng)
    return first if change(t, s, plan, place, task, w, soldiers, rng) else -1


@rule
def change(t, s, plan, place, task, w, soldiers, rng):
    """Insert, replace, remove or move one build; whether anything is different."""
    kind = below(rng, 10)
    if place == plan.length or kind < 3:
        return insert(plan, place, draw_new(t, s, task.me, w, soldiers, task.draws, rng))
    if kind < 6:
        action = draw_new(t, s, task.me, w, soldiers, task.draws, rng)
        if action != WAIT:
            plan.build[place] = action
        return action != WAIT
    if kind == 6:
        remove(plan, place)
        return True
    if kind == 7:
        tile = draw_site(s, task.me, rng)
        if tile >= 0:
            plan.build[place] = tile * KINDS + plan.build[place] % KINDS
        return tile >= 0
    if place + 1 >= plan.length:
        return False
    other = place + 1 + below(rng, plan.length - place - 1)
    action = np.int64(plan.build[other])
    remove(plan, other)
    return insert(plan, place, action)


@rule
def rebuild(t, s, trail, plan, task, w, themes, first, rng):
    """Plan some builds of two kinds that go together in place of what was planned; the round at which they stand."""
    theme, number = below(rng, themes.shape[0]), first
    wanted = min(plan.reached + 2 + below(rng, 6), LONGEST - 1)
    while plan.reached < wanted and number < task.horizon and s.rounds < t.rounds:
        action = draw_gainful(t, s, task.me, w, task.draws, themes[theme, 0], themes[theme, 1], rng)
        if action == WAIT:
            break
        here = plan.reached
        plan.build[here] = action
        plan.length = max(plan.length, here + 1)
        while plan.reached == here and number < task.horizon and s.rounds < t.rounds:
            follow(t, s, plan, task.me, number, number + 1, trail, False)
            number += 1
    return number


@rule
def insert(plan, place, action):
    if action == WAIT:
        return False
    plan.length = min(plan.length + 1, LONGEST)
    for i in range(plan.length - 1, place, -1):
        plan.build[i] = plan.build[i - 1]
    plan.build[place] = action
    return True


@rule
def remove(plan, place):
    plan.length -= 1
    for i in range(place, plan.length):
        plan.build[i] = plan.build[i + 1]


@rule
def best_child(nodes, tree, node):
    """The child of a node with the best UCB1 over values that are scaled by all that were seen."""
    best, chosen = -1e300, -1
    scale = max(tree.most - tree.least, 1e-9)
    explore = ucb1.exploration(tree.c, nodes[node].visits + 1.0)
    child = nodes[node].child
    while child >= 0:
        inverse_visits = 1.0 / max(nodes[child].visits, 1)
        mean = (nodes[child].total * inverse_visits - tree.least) / scale
        score = ucb1.score(mean, inverse_visits, explore)
        if score > best:
            best, chosen = score, child
        child = nodes[child].sibling
    return chosen
