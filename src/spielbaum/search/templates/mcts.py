"""Monte Carlo tree search, linked with a game: the loop whose lines are the phases.

The phases stand in files of their own (select, expand, simulate, backup). One kernel serves plain
MCTS, trees of own decisions only, open-loop trees and information-set MCTS (Cowling, Powley &
Whitehouse 2012), because they differ only in what happens between two nodes.
"""

import numpy as np

from spielbaum.link import kernel
from spielbaum.linked import expand, hooks, rules, simulate
from spielbaum.rules import HALF, LOW_HALF, TERMINAL, inlined, mix, rule
from spielbaum.search import backup, select
from spielbaum.search.settings import DIFFERENCE, FIXED, IN_TREE
from spielbaum.search.tree import FULL, ROOT, STARVED, find_slot
from spielbaum.search.work import MAX_DEPTH, NOW, OTHERS, ROOT_STATE, TRY


@kernel
def run(t, tree, states, raw, works, settings, rng, iterations):
    """Iterate; the number of iterations done, fewer where the tree must grow first."""
    work, p = works[0], settings[0]
    if p.value == DIFFERENCE:
        for q in range(p.players):
            work.at_root[q] = hooks.evaluate(t, states[ROOT_STATE], work.weights, q)
    for done in range(iterations):
        states[NOW] = states[ROOT_STATE]
        if p.draw_hidden:
            draw_world(t, states[NOW], p, rng)
        depth = descend(t, tree, states, raw, work, p, rng)
        simulate.simulate(t, states, work, p, rng)
        backup.backup(tree, depth, work, p)
        if p.rave > 0.0:
            backup.backup_amaf(tree, depth, work)
        if tree.used[STARVED] and not tree.used[FULL]:
            return done + 1
    return iterations


@inlined
def draw_world(t, s, p, rng):
    """Fill in what the searching player can't see."""
    if p.guess < 0:
        hooks.determinize(t, s, p.me, rng)
    else:
        hooks.guess(t, s, p.guess, p.me, rng)


@inlined
def descend(t, tree, states, raw, work, p, rng):
    """Select and expand from the root to a leaf, playing along in NOW; the depth of the leaf."""
    s = states[NOW]
    edge = ROOT
    work.trail_length = 0
    work.path_dice = work.plan
    for depth in range(MAX_DEPTH):
        mover = rules.player(t, s)
        if mover == TERMINAL:
            return depth
        if p.by_view:
            node = node_of_view(t, tree, states, raw, work, edge, mover, p, rng)
        else:
            node = node_below(t, s, tree, work, edge, mover, p, rng)
        if node < 0:
            return depth
        edge = next_edge(t, tree, states, work, node, mover, p, rng)
        work.path[depth] = edge
        work.at[depth] = node
        work.trail_start[depth] = work.trail_length
        action = tree.edges[edge].action
        backup.note(work, action, mover, p)
        step(t, states, work, action, p, rng)
    return MAX_DEPTH


@inlined
def node_below(t, s, tree, work, edge, mover, p, rng):
    """The node of the position that an edge has led to, new or known; -1 for a leaf."""
    e = tree.edges[edge]
    if e.node < 0:
        if edge != ROOT and e.visits < p.expand_visits:
            return -1
        if p.share:
            e.node = shared_node(t, s, tree, work, hooks.key(t, s), e.visits, mover, p, rng)
        else:
            e.node = expand.expand(t, s, tree, work, np.uint64(0), e.visits, mover, p, rng)
        if e.node < 0:
            return -1
    if p.open_loop and not expand.refresh(t, s, tree, e.node, work, mover, p, rng):
        return -1
    return np.int64(e.node)


@inlined
def node_of_view(t, tree, states, raw, work, edge, mover, p, rng):
    """The node of the information set: what the mover sees decides which one it is."""
    states[TRY] = states[NOW]
    hooks.hide(t, states[TRY], mover)
    key = view_key(raw[TRY], work.salts, mover)
    s, visits = states[NOW], tree.edges[edge].visits
    if tree.slots[find_slot(tree, key)] < 0 and edge != ROOT and visits < p.expand_visits:
        return -1
    node = shared_node(t, s, tree, work, key, visits, mover, p, rng)
    if node >= 0:
        tree.edges[edge].node = node
        if not expand.refresh(t, s, tree, node, work, mover, p, rng):
            return -1
    return node


@rule
def view_key(words, salts, mover):
    """A key for what a player sees: each word times two random numbers of its place, which no other place has."""
    first, second = np.uint64(0), np.uint64(0)
    for i in range(len(words)):
        first ^= np.uint64(words[i]) * np.uint64(salts[0, i])
        second ^= np.uint64(words[i]) * np.uint64(salts[1, i])
    key = mix(np.uint64(1), mover)
    for half in (first & LOW_HALF, first >> HALF, second & LOW_HALF, second >> HALF):
        key = mix(key, half)
    return key


@inlined
def shared_node(t, s, tree, work, key, visits, mover, p, rng):
    """The node of this key; expanded if it is the first time that the position comes up."""
    slot = find_slot(tree, key)
    if tree.slots[slot] < 0:
        node = expand.expand(t, s, tree, work, key, visits, mover, p, rng)
        if node < 0:
            return -1
        tree.slots[slot] = node
    return np.int64(tree.slots[slot])


@inlined
def next_edge(t, tree, states, work, node, mover, p, rng):
    """The edge to follow: untried first, by the simulation policy below the threshold, else selected."""
    n = tree.nodes[node]
    if p.one:
        edge = select.untried_child(tree, node, work, p)
        if edge >= 0:
            return edge
    if n.visits < p.threshold:
        simulate.draw_policies(work, p, rng)
        action = simulate.choose(t, states, work, mover, rng)
        for edge in range(n.first, n.first + n.count):
            if tree.edges[edge].action == action:
                return edge
    return select.select(tree, node, work, p, rng)


@inlined
def step(t, states, work, action, p, rng):
    """Play an action of the tree and, where only own decisions are in it, what the others answer."""
    if p.opponents == IN_TREE:
        rules.play(t, states[NOW], action, rng)
        return
    dice = rng[0]
    if p.opponents == FIXED:
        rng[0] = mix(work.path_dice, action)
    rules.play(t, states[NOW], action, rng)
    answer(t, states, work, p, rng)
    if p.opponents == FIXED:
        work.path_dice = rng[0]
        rng[0] = dice


@rule
def answer(t, states, work, p, rng):
    """The others play by their policy until it is our side's turn again."""
    simulate.draw_policies(work, p, rng)
    for _ in range(p.limit):
        player = rules.player(t, states[NOW])
        if player == TERMINAL or work.side[player] != OTHERS:
            return
        action = simulate.choose(t, states, work, player, rng)
        backup.note(work, action, player, p)
        rules.play(t, states[NOW], action, rng)
