"""Evolution of a plan."""

import math

import numpy as np

from spielbaum.games.quick_civ.planning import (
    FARTHEST,
    LONGEST,
    PLAN,
    WEIGHTS,
    draw_gene,
    draw_gainful,
    draw_site,
    follow,
    standing,
    wait_for_sieges,
)
from spielbaum.games.quick_civ.rules import ACTION_CODES, STATE, WAIT
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.link import kernel
from spielbaum.rules import below, random_stream, rule, uniform

DESK = np.dtype(
    (
        np.record,
        [
            ("me", "i8"),
            ("horizon", "i8"),
            ("tail", "i8"),
            ("draws", "i8"),
            ("envy", "f8"),
            ("heat", "f8"),
            ("theme", "i8"),
            ("iterations", "i8"),
            ("accepted", "i8"),
        ],
    )
)
REPLACE, INSERT, REMOVE, HOIST, RESITE = range(5)
CURRENT, TRIAL, BEST = range(3)


def examples(t):
    states, plans, desks = np.zeros(1, STATE), np.zeros(3, PLAN), np.zeros(1, DESK)
    w, soldiers, rng = np.zeros(WEIGHTS), np.zeros(1, np.int64), random_stream(0)
    themes = np.zeros((1, 2), np.int64)
    tried, values = np.zeros(1, np.int64), np.zeros(1)
    return [
        (begin, (t, states, states, plans, desks, w)),
        (run, (t, states, states, plans, desks, w, soldiers, themes, tried, values, rng, 0)),
    ]


@kernel
def begin(t, trail, states, plans, desks, w):
    """Value the plan at hand from the position with which the trail begins."""
    plan = plans[CURRENT]
    plan.reached, plan.since[0] = 0, 0
    retrace(t.tables, trail, states, plan, desks[0])
    states[0] = trail[0]
    plan.value = outcome(t.tables, trail, states, plan, desks[0], w, 0)
    plans[BEST] = plan


@kernel
def run(t, trail, states, plans, desks, w, soldiers, themes, tried, values, rng, iterations):
    """Try so many changes of the plan; how many it was."""
    desk = desks[0]
    for _ in range(iterations):
        vary(t.tables, trail, states, plans, desk, w, soldiers, themes, tried, values, rng)
    desk.iterations += iterations
    return iterations


@rule
def outcome(t, trail, states, plan, desk, w, first):
    s = states[0]
    follow(t, s, plan, desk.me, first, desk.horizon, trail, False)
    wait_for_sieges(t, s, desk.tail)
    return standing(t, s, desk.me, w, desk.envy)


@rule
def retrace(t, trail, states, plan, desk):
    """Keep the positions on the way of a plan."""
    plan.reached = 0
    states[0] = trail[0]
    follow(t, states[0], plan, desk.me, 0, desk.horizon, trail, True)


@rule
def vary(t, trail, states, plans, desk, w, soldiers, themes, tried, values, rng):
    current, trial = plans[CURRENT], plans[TRIAL]
    plans[TRIAL] = plans[CURRENT]
    places = current.reached + 1 if current.since[current.reached] < min(desk.horizon, t.rounds - trail[0].rounds) else current.reached
    if places == 0:
        return
    place = below(rng, min(places, LONGEST - 1))
    first = np.int64(current.since[place])
    states[0] = trail[first]
    trial.reached = place
    if below(rng, 100) < desk.theme:
        first = rebuild(t, states[0], trail, trial, place, first, desk, w, themes, rng)
    elif not change(t, states[0], trial, place, desk, w, soldiers, rng):
        return
    trial.value = outcome(t, trail, states, trial, desk, w, first)
    tried[trial.now] += 1
    values[trial.now] = max(values[trial.now], trial.value)
    if trial.value >= current.value - desk.heat * -math.log(1.0 - uniform(rng)):
        desk.accepted += 1
        trial.length = min(trial.length, trial.reached + 4)
        plans[CURRENT] = trial
        retrace(t, trail, states, plans[CURRENT], desk)
        if trial.value > plans[BEST].value:
            plans[BEST] = plans[CURRENT]


@rule
def change(t, s, plan, place, desk, w, soldiers, rng):
    """Change a plan at one place, in whose position it then stands; whether anything is different."""
    kind = below(rng, 10)
    length = plan.length
    if place == length or kind < 3:
        return insert(plan, place, draw_gene(t, s, desk.me, w, soldiers, desk.draws, rng))
    if kind < 6:
        plan.build[place] = draw_gene(t, s, desk.me, w, soldiers, desk.draws, rng)
        return plan.build[place] != WAIT
    if kind == 6:
        remove(plan, place)
        return True
    if kind == 7:
        tile = draw_site(s, desk.me, rng)
        if tile < 0:
            return False
        plan.build[place] = tile * KINDS + plan.build[place] % KINDS
        return True
    if place + 1 >= length:
        return False
    other = place + 1 + below(rng, length - place - 1)
    gene = plan.build[other]
    remove(plan, other)
    return insert(plan, place, gene)


@rule
def rebuild(t, s, trail, plan, place, first, desk, w, themes, rng):
    """Plan some builds of two kinds that go together in place of what was planned; the round at which they are done."""
    theme = below(rng, themes.shape[0])
    wanted = min(place + 2 + below(rng, 6), LONGEST - 1)
    number = first
    while plan.reached < wanted and number < desk.horizon and s.rounds < t.rounds:
        gene = draw_gainful(t, s, desk.me, w, desk.draws, themes[theme, 0], themes[theme, 1], rng)
        if gene == WAIT:
            break
        here = plan.reached
        plan.build[here] = gene
        plan.length = max(plan.length, here + 1)
        while plan.reached == here and number < desk.horizon and s.rounds < t.rounds:
            follow(t, s, plan, desk.me, number, number + 1, trail, False)
            number += 1
    return number


@rule
def insert(plan, place, gene):
    if gene == WAIT:
        return False
    plan.length = min(plan.length + 1, LONGEST)
    for i in range(plan.length - 1, place, -1):
        plan.build[i] = plan.build[i - 1]
    plan.build[place] = gene
    return True


@rule
def remove(plan, place):
    plan.length -= 1
    for i in range(place, plan.length):
        plan.build[i] = plan.build[i + 1]
