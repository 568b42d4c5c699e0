"""Evolutionary Monte Carlo tree search: a tree whose nodes are whole plans, and whose edges are mutations.

Source: Baier & Cowling 2018, "Evolutionary MCTS for Multi-Action Adversarial Games". The root is the plan at hand; a
child differs from its parent by one change of `planning.py`, and what such a change makes impossible is left out when
the plan is followed. This is not the general search: an edge changes a plan and is no action of the game, and a node is
a whole plan, all of them from the same position.

An iteration goes down by UCB1 over values scaled to 0 ... 1 between the least and the largest that were seen, as long
as a node has as many children as its visits allow, `widen` sqrt(N) and at least one (progressive widening in
place of the source's bandit over all mutations, of which there are thousands here); then it adds a child, whose plan is
valued without a playout and counted on the way up. The best plan that was seen is played.
"""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.quick_civ.planning import PLAN, SPARE, TASK, best_child, draw_place, follow, outcome, vary
from spielbaum.games.quick_civ.rules import STATE
from spielbaum.rules import random_stream, rule

CURRENT, TRIAL, BEST = range(3)
NODE = np.dtype(
    (
        np.record,
        [
            ("plan", PLAN),
            ("total", "f8"),
            ("visits", "i8"),
            ("parent", "i4"),
            ("child", "i4"),
            ("sibling", "i4"),
            ("children", "i4"),
        ],
    )
)
TREE = np.dtype((np.record, [("c", "f8"), ("widen", "f8"), ("used", "i8"), ("least", "f8"), ("most", "f8")]))


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, plans, tasks, w = np.zeros(1, STATE), np.zeros(3, PLAN), np.zeros(1, TASK), np.zeros(1)
    soldiers, themes, tried = np.zeros(1, np.int64), np.zeros((1, 2), np.int64), np.zeros(1, np.int64)
    nodes, trees, rng = np.zeros(1, NODE), np.zeros(1, TREE), random_stream(0)
    return [(run, (t, states, states, plans, tasks, w, soldiers, themes, nodes, trees, tried, w, rng, 0))]


@kernel
def run(t, trail, states, plans, tasks, w, soldiers, themes, nodes, trees, tried, values, rng, iterations):
    """So many iterations; how many it was."""
    for _ in range(iterations):
        iterate(t.tables, trail, states, plans, tasks[0], w, soldiers, themes, nodes, trees[0], tried, values, rng)
    tasks[0].iterations += iterations
    return iterations


@rule
def iterate(t, trail, states, plans, task, w, soldiers, themes, nodes, tree, tried, values, rng):
    node = descend(nodes, tree)
    plans[TRIAL] = nodes[node].plan
    trial, s = plans[TRIAL], states[0]
    place = draw_place(t, trial, task, trail[0].rounds, rng)
    if place < 0:
        return
    states[0] = trail[0]
    trial.reached = 0
    follow(t, s, trial, task.me, 0, trial.since[place], trail, False)
    first = vary(t, s, trail, trial, place, task, w, soldiers, themes, rng)
    if first < 0:
        return
    trial.value = outcome(t, s, trail, trial, task, w, first)
    trial.length = min(trial.length, trial.reached + SPARE)
    tried[trial.now] += 1
    values[trial.now] = max(values[trial.now], trial.value)
    if trial.value > plans[BEST].value:
        plans[BEST] = plans[TRIAL]
    if tree.used < len(nodes):
        node = add_child(nodes, tree, node)
        nodes[node].plan = plans[TRIAL]
    back_up(nodes, tree, node, trial.value)


@rule
def descend(nodes, tree):
    """The node that gets a child."""
    node = 0
    while nodes[node].children > 0 and nodes[node].children >= tree.widen * math.sqrt(nodes[node].visits):
        node = best_child(nodes, tree, node)
    return node


@rule
def add_child(nodes, tree, node):
    fresh = tree.used
    tree.used += 1
    n = nodes[fresh]
    n.total, n.visits, n.child, n.children = 0.0, 0, -1, 0
    n.parent, n.sibling = node, nodes[node].child
    nodes[node].child = fresh
    nodes[node].children += 1
    return fresh


@rule
def back_up(nodes, tree, node, value):
    tree.least, tree.most = min(tree.least, value), max(tree.most, value)
    while node >= 0:
        nodes[node].total += value
        nodes[node].visits += 1
        node = nodes[node].parent
