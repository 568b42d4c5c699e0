"""How `architect` plans: an evolution of one plan, a queue of its next builds, over a rolling horizon.

In each iteration a copy of the plan is changed at one place (`planning.py`): a build is inserted, replaced, removed,
moved to another tile or to an earlier time, or the plan is laid out anew from there with two buildings of which one
lives on the other. The copy takes the place of the plan if its value is not smaller by more than `heat` times an
exponentially distributed number: a (1+1) evolution strategy without heat, simulated annealing with it (Kirkpatrick et
al. 1983). Rolling horizon: Perez et al. 2013, "Rolling Horizon Evolution versus Tree Search for Navigation in
Single-Player Real-Time Games".

Positions on the way of the plan are kept, so that only what comes after a change is played.
"""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.quick_civ.planning import PLAN, SPARE, TASK, draw_place, follow, outcome, vary
from spielbaum.games.quick_civ.rules import STATE
from spielbaum.rules import random_stream, rule, uniform

CURRENT, TRIAL, BEST = range(3)


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, plans, tasks, w = np.zeros(1, STATE), np.zeros(3, PLAN), np.zeros(1, TASK), np.zeros(1)
    soldiers, themes, tried, values = np.zeros(1, np.int64), np.zeros((1, 2), np.int64), np.zeros(1, np.int64), w
    return [
        (value_plan, (t, states, states, plans, tasks, w)),
        (run, (t, states, states, plans, tasks, w, soldiers, themes, tried, values, random_stream(0), 0)),
    ]


@kernel
def value_plan(t, trail, states, plans, tasks, w):
    """Value the plan at hand from the position with which the trail begins."""
    retrace(t.tables, trail, states, plans[CURRENT], tasks[0])
    plans[CURRENT].reached = 0
    states[0] = trail[0]
    plans[CURRENT].value = outcome(t.tables, states[0], trail, plans[CURRENT], tasks[0], w, 0)
    plans[BEST] = plans[CURRENT]


@kernel
def run(t, trail, states, plans, tasks, w, soldiers, themes, tried, values, rng, iterations):
    """Try so many changes of the plan; how many it was."""
    for _ in range(iterations):
        evolve(t.tables, trail, states, plans, tasks[0], w, soldiers, themes, tried, values, rng)
    tasks[0].iterations += iterations
    return iterations


@rule
def evolve(t, trail, states, plans, task, w, soldiers, themes, tried, values, rng):
    current, trial = plans[CURRENT], plans[TRIAL]
    place = draw_place(t, current, task, trail[0].rounds, rng)
    if place < 0:
        return
    plans[TRIAL] = plans[CURRENT]
    states[0] = trail[current.since[place]]
    first = vary(t, states[0], trail, trial, place, task, w, soldiers, themes, rng)
    if first < 0:
        return
    trial.value = outcome(t, states[0], trail, trial, task, w, first)
    tried[trial.now] += 1
    values[trial.now] = max(values[trial.now], trial.value)
    if trial.value >= current.value + task.heat * math.log(1.0 - uniform(rng)):
        trial.length = min(trial.length, trial.reached + SPARE)
        plans[CURRENT] = plans[TRIAL]
        retrace(t, trail, states, plans[CURRENT], task)
        if current.value > plans[BEST].value:
            plans[BEST] = plans[CURRENT]


@rule
def retrace(t, trail, states, plan, task):
    """Keep the positions on the way of a plan."""
    plan.reached, plan.since[0] = 0, 0
    states[0] = trail[0]
    follow(t, states[0], plan, task.me, 0, task.horizon, trail, True)
