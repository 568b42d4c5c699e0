"""Portfolio search: a tree of scripts in place of builds.

A script is a simple player of its own: it builds what is most promising of one category, such as food, housing, points
or the military, or of all of them. In each round of the horizon one script decides, so that a node has a handful of
children where builds would be a thousand. Sources: Churchill & Buro 2013, "Portfolio Greedy Search and Simulation for
Large-Scale Combat in StarCraft"; Barriga et al. 2015, "Puppet Search".

Scripts compare only some builds that they draw, `draws` of them, so the tree is open loop: a node stands for the
scripts that decided so far. Children are chosen by UCB1 over values scaled to 0 ... 1, beyond the tree scripts are
drawn. At the root each script has one build, the best of all that it may choose, and the one with the best mean is
played.

This is not the general search: an edge is a script and no action of the game. What a script does is drawn anew each
time, two scripts may build the same, and the general search could not say which of its actions a child stands for.
"""

import numpy as np

from spielbaum.bits import lowest
from spielbaum.compile.link import kernel
from spielbaum.games.quick_civ.board import WORDS
from spielbaum.games.quick_civ.buildings import CATEGORIES
from spielbaum.games.quick_civ.planning import FARTHEST, TASK, is_near_others, promise_with, standing
from spielbaum.games.quick_civ.rules import (
    NONE,
    ONE,
    STATE,
    WAIT,
    act,
    affordable,
    draw_build,
    end_round,
    farthest,
    keeps_centre,
    legal_tiles,
)
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import below, random_stream, rule
from spielbaum.search.kernels import ucb1

ALL = len(CATEGORIES)  # the script that may build anything
SCRIPTS = ALL + 1
SOLDIERS = CATEGORIES.index("military")
NODE = np.dtype((np.record, [("total", "f8", SCRIPTS), ("visits", "i8", SCRIPTS), ("child", "i4", SCRIPTS)]))
TREE = np.dtype(
    (
        np.record,
        [
            ("c", "f8"),
            ("used", "i8"),
            ("least", "f8"),
            ("most", "f8"),
            ("node", "i4", FARTHEST),
            ("script", "i4", FARTHEST),
            ("depth", "i8"),
            ("first", "i8", SCRIPTS),  # what each script builds now
        ],
    )
)


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, tasks, w, nodes = np.zeros(1, STATE), np.zeros(1, TASK), np.zeros(1), np.zeros(1, NODE)
    trees, tried = np.zeros(1, TREE), np.zeros(1, np.int64)
    return [
        (list_builds, (t, states, tasks, w, trees)),
        (run, (t, states, states, tasks, w, nodes, trees, tried, w, random_stream(0), 0)),
    ]


@kernel
def list_builds(t, trail, tasks, w, trees):
    """What each script builds now."""
    for script in range(SCRIPTS):
        trees[0].first[script] = best_build(t.tables, trail[0], tasks[0].me, script, w)


@kernel
def run(t, trail, states, tasks, w, nodes, trees, tried, values, rng, iterations):
    """So many iterations; how many it was."""
    for _ in range(iterations):
        states[0] = trail[0]
        iterate(t.tables, states[0], tasks[0], w, nodes, trees[0], rng)
        tried[trees[0].first[trees[0].script[0]]] += 1
        back_up(nodes, trees[0], standing(t.tables, states[0], tasks[0].me, w, tasks[0].envy))
    tasks[0].iterations += iterations
    write_values(nodes[0], trees[0], values)
    return iterations


@rule
def write_values(root, tree, values):
    """What each build at the root is worth: the mean of its script, the best of them where several have the same."""
    for script in range(SCRIPTS):
        values[tree.first[script]] = -np.inf
    for script in range(SCRIPTS):
        if root.visits[script] > 0:
            action = tree.first[script]
            values[action] = max(values[action], root.total[script] / root.visits[script])


@rule
def iterate(t, s, task, w, nodes, tree, rng):
    """Let scripts play the horizon, those of the tree as long as it has any."""
    node, tree.depth = 0, 0
    for number in range(task.horizon):
        if s.rounds == t.rounds:
            break
        script = below(rng, SCRIPTS) if node < 0 else choose(nodes, tree, node, rng)
        act(t, s, task.me, tree.first[script] if number == 0 else draw_by(t, s, task, script, w, rng))
        end_round(t, s)
        if node >= 0:
            tree.node[number], tree.script[number], tree.depth = node, script, number + 1
            node = next_node(nodes, tree, node, script)
    for _ in range(task.tail):
        if s.rounds < t.rounds:
            end_round(t, s)


@rule
def choose(nodes, tree, node, rng):
    """A script that was not tried yet, or the one with the best score."""
    n, total, untried = nodes[node], 0, 0
    for script in range(SCRIPTS):
        total += n.visits[script]
        untried += n.visits[script] == 0
    if untried > 0:
        left = below(rng, untried)
        for script in range(SCRIPTS):
            if n.visits[script] == 0:
                if left == 0:
                    return script
                left -= 1
    best, chosen, scale = -1e300, 0, max(tree.most - tree.least, 1e-9)
    explore = ucb1.exploration(tree.c, total + 1.0)
    for script in range(SCRIPTS):
        inverse_visits = 1.0 / n.visits[script]
        mean = (n.total[script] * inverse_visits - tree.least) / scale
        score = ucb1.score(mean, inverse_visits, explore)
        if score > best:
            best, chosen = score, script
    return chosen


@rule
def next_node(nodes, tree, node, script):
    """The node below, which is added at the second visit; -1 beyond the tree."""
    child = np.int64(nodes[node].child[script])
    if child == 0 and nodes[node].visits[script] > 0 and tree.used < len(nodes):
        child = tree.used
        tree.used += 1
        nodes[node].child[script] = child
        for other in range(SCRIPTS):
            nodes[child].total[other], nodes[child].visits[other], nodes[child].child[other] = 0.0, 0, 0
    return child if child > 0 else -1


@rule
def back_up(nodes, tree, value):
    tree.least, tree.most = min(tree.least, value), max(tree.most, value)
    for i in range(tree.depth):
        nodes[tree.node[i]].total[tree.script[i]] += value
        nodes[tree.node[i]].visits[tree.script[i]] += 1


@rule
def draw_by(t, s, task, script, w, rng):
    """What a script builds: the most promising of some builds that it may choose; to wait where it finds none."""
    best, chosen = -1e300, WAIT
    for _ in range(task.draws):
        action = draw_build(t, s, task.me, rng, 0)
        if action == WAIT:
            return WAIT
        if may_choose(t, s, task.me, script, action):
            value = promise_with(t, s, task.me, action // KINDS, action % KINDS, w)
            if value > best:
                best, chosen = value, action
    return chosen


@rule
def may_choose(t, s, p, script, action):
    """Builds of its category; the military near others alone."""
    if script == ALL:
        return True
    if t.category[action % KINDS] != script:
        return False
    return script != SOLDIERS or is_near_others(t, s, p, action // KINDS)


@rule
def best_build(t, s, p, script, w):
    """The most promising of all builds that a script may choose."""
    best, chosen, kinds = -1e300, WAIT, affordable(t, s, p)
    most, last_centre = farthest(s, p), keeps_centre(s, p)
    for word in range(WORDS):
        tiles = legal_tiles(s, p, word, most, last_centre)
        while tiles != NONE:
            tile = 64 * word + lowest(tiles)
            tiles &= tiles - ONE
            for building in range(kinds):
                if may_choose(t, s, p, script, tile * KINDS + building):
                    value = promise_with(t, s, p, tile, building, w)
                    if value > best:
                        best, chosen = value, tile * KINDS + building
    return chosen
