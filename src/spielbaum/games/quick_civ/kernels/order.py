"""In which order to build what is planned: single-player Monte Carlo tree search over the orders of one plan.

Source: Schadd et al. 2008, "Single-Player Monte-Carlo Tree Search". A node stands for the builds that come first, in
their order; its children each take one of the others next. What is left is shuffled, the plan is followed, and its
value, scaled to 0 ... 1 between the least and the largest that were seen, is counted on the way. Children are chosen by
UCB1. Since nothing is left to chance, the best order that was seen is played.

This is not the general search: an edge is a build of the plan and no action of the game, which may wait or research
for many rounds before it can make that build, and a path has no position until the whole order is followed.
"""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.quick_civ.planning import LONGEST, PLAN, TASK, best_child, outcome
from spielbaum.games.quick_civ.rules import STATE
from spielbaum.rules import below, random_stream, rule

CURRENT, TRIAL, BEST = range(3)
NODE = np.dtype(
    (
        np.record,
        [("total", "f8"), ("visits", "i8"), ("child", "i4"), ("sibling", "i4"), ("children", "i4"), ("build", "i4")],
    )
)
TREE = np.dtype(
    (np.record, [("c", "f8"), ("used", "i8"), ("least", "f8"), ("most", "f8"), ("path", "i4", LONGEST + 1)])
)


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, plans, tasks, w = np.zeros(1, STATE), np.zeros(3, PLAN), np.zeros(1, TASK), np.zeros(1)
    tried, nodes, trees = np.zeros(1, np.int64), np.zeros(1, NODE), np.zeros(1, TREE)
    return [(run, (t, states, states, plans, tasks, w, nodes, trees, tried, w, random_stream(0), 0))]


@kernel
def run(t, trail, states, plans, tasks, w, nodes, trees, tried, values, rng, iterations):
    """Try so many orders of the plan at hand; how many it was."""
    for _ in range(iterations):
        iterate(t.tables, trail, states, plans, tasks[0], w, nodes, trees[0], tried, values, rng)
    tasks[0].iterations += iterations
    return iterations


@rule
def iterate(t, trail, states, plans, task, w, nodes, tree, tried, values, rng):
    plans[TRIAL] = plans[CURRENT]
    trial = plans[TRIAL]
    depth = descend(nodes, tree, trial, rng)
    shuffle(trial, depth, rng)
    trial.reached, trial.since[0] = 0, 0
    states[0] = trail[0]
    trial.value = outcome(t, states[0], trail, trial, task, w, 0)
    tried[trial.now] += 1
    values[trial.now] = max(values[trial.now], trial.value)
    back_up(nodes, tree, depth, trial.value)
    if trial.value > plans[BEST].value:
        plans[BEST] = plans[TRIAL]


@rule
def descend(nodes, tree, plan, rng):
    """Bring the builds that are chosen to the front; how many they are."""
    node, depth = 0, 0
    tree.path[0] = 0
    while depth < plan.length:
        if nodes[node].children < plan.length - depth:
            fresh = add_child(nodes, tree, node, plan, depth, rng)
            if fresh >= 0:
                depth += 1
                tree.path[depth] = fresh
            return depth
        node = best_child(nodes, tree, node)
        bring(plan, depth, nodes[node].build)
        depth += 1
        tree.path[depth] = node
    return depth


@rule
def add_child(nodes, tree, node, plan, depth, rng):
    """A node for a build that no child takes; -1 where there is no room."""
    if tree.used == len(nodes):
        return -1
    place = depth + below(rng, plan.length - depth)
    for _ in range(plan.length):  # the next one that no child takes
        if not is_taken(nodes, node, plan.build[place]):
            break
        place = place + 1 if place + 1 < plan.length else depth
    fresh = tree.used
    tree.used += 1
    n = nodes[fresh]
    n.total, n.visits, n.child, n.children = 0.0, 0, -1, 0
    n.build, n.sibling = plan.build[place], nodes[node].child
    nodes[node].child = fresh
    nodes[node].children += 1
    bring(plan, depth, n.build)
    return fresh


@rule
def is_taken(nodes, node, build):
    child = nodes[node].child
    while child >= 0:
        if nodes[child].build == build:
            return True
        child = nodes[child].sibling
    return False


@rule
def bring(plan, place, build):
    """Exchange a later build with the one at a place."""
    for i in range(place, plan.length):
        if plan.build[i] == build:
            plan.build[i], plan.build[place] = plan.build[place], plan.build[i]
            return


@rule
def shuffle(plan, first, rng):
    for i in range(plan.length - 1, first, -1):
        j = first + below(rng, i - first + 1)
        plan.build[i], plan.build[j] = plan.build[j], plan.build[i]


@rule
def back_up(nodes, tree, depth, value):
    tree.least, tree.most = min(tree.least, value), max(tree.most, value)
    for i in range(depth + 1):
        n = nodes[tree.path[i]]
        n.total += value
        n.visits += 1
