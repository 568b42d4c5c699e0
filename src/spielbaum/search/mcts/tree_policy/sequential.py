"""One decision after the other. A game of rounds is searched this way where only own decisions are in the tree,
and with `model=sequential`: the others choose after the searching player and know what it has chosen.
"""

import numpy as np

from spielbaum.linked import LINKED_EDGES, components, rules
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import pick
from spielbaum.search.mcts.tree import ROOT
from spielbaum.search.mcts.workspace import PATH

COMPONENT = Component("tree_policy")


@inlined
def descend(t, s, tree, states, raw, work, p, rng):
    edge, depth = np.int64(ROOT), np.int64(0)
    components.on_iteration_start(work, p)
    while depth < PATH:
        mover = rules.player(t, s)
        if mover == TERMINAL or components.ends_descent(tree, edge):
            break
        node = components.nodes.find(t, tree, states, raw, work, edge, mover, p, rng)
        if node < 0:
            break
        edge = pick.next_edge(t, tree, states, work, node, depth, mover, p, rng)
        if LINKED_EDGES and edge < 0:
            break
        work.path[depth] = edge
        work.path_nodes[depth] = node
        action = tree.edges[edge].action
        components.on_edge(work, depth, p)
        components.on_action(work, action, mover, p)
        components.opponents.step(t, states, work, action, p, rng)
        depth += 1
    work.length = depth
    return depth
