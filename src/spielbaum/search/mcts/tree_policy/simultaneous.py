"""Round by round: each mover has a node of its own, selects from its own statistics and knows of no other choice.

Decoupled selection (Lanctot et al. 2013; Tak, Lanctot & Winands 2014): the joint action leads on. A round is known
by the joint actions that led to it, or, with information sets, by what each mover sees.
"""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.linked import BY_VIEW, OPEN_LOOP, components, rules
from spielbaum.rules import inlined, mix, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import edges, pick
from spielbaum.search.mcts.tree import find_slot
from spielbaum.search.mcts.workspace import NOW, PATH

COMPONENT = Component(
    "tree_policy",
    node=(("round", "u8"), ("before", "u8")),  # the round of the node, and the one that led to it
    thread=lambda game, flags: [
        ("root_key", "u8"),
        ("step", "i4", PATH),  # the round of each decision on the path
        ("others", "u8", PATH),  # a key of the node and of what the others chose
        ("choices", "i4", game.module.PLAYERS),  # as the state keeps them
    ],
    provides={"rounds", "keyed"},
)


@inlined
def descend(t, s, tree, states, raw, work, own, p, rng):
    s.round_first = 0  # whoever searches, simulated movers are asked in one order
    key, before = own.root_key, np.uint64(0)
    work.length = 0
    components.on_iteration_start(work, p)
    for depth in range(PATH):
        begin, count = work.length, np.int64(s.round_count)
        if count == 0 or begin + count > PATH:
            return depth
        if not nodes_of(t, tree, states, raw, work, key, before, depth, p, rng):
            return depth
        if not choices_of(t, tree, states, work, depth, p, rng):
            work.length = begin
            return depth
        before = key
        key = lead_on(tree, work, key, begin, p)
        rules.resolve_round(t, s, own.choices, rng)
    return PATH


@rule
def nodes_of(t, tree, states, raw, work, key, before, depth, p, rng):
    """Find the nodes of all movers, new or known, for the path; False for a leaf.

    A round that is reached for the first time is a leaf. The next time it will be searched.
    """
    s, known = states[NOW], True
    for i in range(s.round_count):
        mover = np.int64(s.round_movers[i])
        mine = components.nodes.view_key(t, states, raw, work, mover) if BY_VIEW else mix(key, mover)
        slot = find_slot(tree, mine)
        node = np.int64(tree.slots[slot])
        if node < 0:
            if depth > 0 and known and hooks.decided(t, s, work.result):
                return False
            known = False
            node = edges.expand(t, s, tree, work, 0.0, mover, p, rng)
            if node < 0:
                return False
            n = tree.nodes[node]
            n.key, n.simultaneous.round, n.simultaneous.before = mine, key, before
            tree.slots[slot] = node
        work.path_nodes[work.length + i] = node
    if not known and depth > 0:
        for i in range(s.round_count):
            tree.nodes[work.path_nodes[work.length + i]].visits += 1.0
    return known or depth == 0


@rule
def choices_of(t, tree, states, work, depth, p, rng):
    """Every mover's choice, put on the path; False where somebody has none."""
    s = states[NOW]
    for i in range(s.round_count):
        path_index, mover = work.length, np.int64(s.round_movers[i])
        node = np.int64(work.path_nodes[path_index])
        if OPEN_LOOP and not edges.refresh(t, s, tree, node, work, mover, p, rng):
            return False
        edge = pick.next_edge(t, tree, states, work, node, path_index, mover, p, rng)
        if edge < 0:
            return False
        work.path[path_index], work.simultaneous.step[path_index] = edge, depth
        work.length = path_index + 1
    return True


@rule
def lead_on(tree, work, key, begin, p):
    """Take the joint action; the key of the round that it leads to."""
    for path_index in range(begin, work.length):
        e = tree.edges[work.path[path_index]]
        work.simultaneous.choices[e.mover] = e.action
        components.on_edge(work, path_index, p)
        components.on_action(work, e.action, e.mover, p)
    for path_index in range(begin, work.length):
        others = tree.nodes[work.path_nodes[path_index]].key
        for other in range(begin, work.length):
            if other != path_index:
                others = mix(others, tree.edges[work.path[other]].action)
        work.simultaneous.others[path_index] = others
        key = mix(key, tree.edges[work.path[path_index]].action)
    return key
