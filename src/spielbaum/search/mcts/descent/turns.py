"""One decision after the other. A game of rounds is searched this way where only own decisions are in the tree,
and with `model=sequential`: the others choose after the searching player and know what it has chosen.
"""

import numpy as np

from spielbaum.linked import CHAINED, parts, pick, rules
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.tree import ROOT
from spielbaum.search.mcts.work import NOW, PATH


@inlined
def descend(t, tree, states, raw, work, p, rng):
    s = states[NOW]
    edge, depth = np.int64(ROOT), np.int64(0)
    parts.depart(work, p)
    while depth < PATH:
        mover = rules.player(t, s)
        if mover == TERMINAL:
            break
        node = parts.nodes.find(t, tree, states, raw, work, edge, mover, p, rng)
        if node < 0:
            break
        edge = pick.next_edge(t, tree, states, work, node, depth, mover, p, rng)
        if CHAINED and edge < 0:
            break
        work.path[depth] = edge
        work.at[depth] = node
        action = tree.edges[edge].action
        parts.stepped(work, depth, p)
        parts.noted(work, action, mover, p)
        parts.opponents.step(t, states, work, action, p, rng)
        depth += 1
    work.length = depth
    return depth
