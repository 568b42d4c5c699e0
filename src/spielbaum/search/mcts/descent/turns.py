"""One decision after the other. A game of rounds is searched this way where only own decisions are in the tree,
and with `model=sequential`: the others choose after the searching player and know what it has chosen.
"""

from spielbaum.linked import parts, pick, rules
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.tree import ROOT
from spielbaum.search.mcts.work import NOW, PATH


@inlined
def descend(t, tree, states, raw, work, p, rng):
    s = states[NOW]
    edge = ROOT
    work.length = 0
    parts.depart(work, p)
    for depth in range(PATH):
        mover = rules.player(t, s)
        if mover == TERMINAL:
            return depth
        node = parts.nodes.find(t, tree, states, raw, work, edge, mover, p, rng)
        if node < 0:
            return depth
        edge = pick.next_edge(t, tree, states, work, node, depth, mover, p, rng)
        if edge < 0:
            return depth
        work.path[depth] = edge
        work.at[depth] = node
        work.length = depth + 1
        action = tree.edges[edge].action
        parts.stepped(work, depth, p)
        parts.noted(work, action, mover, p)
        parts.opponents.step(t, states, work, action, p, rng)
    return PATH
