"""A node for every path of actions: the plain tree."""

from spielbaum.kernels import hooks
from spielbaum.linked import OPEN_LOOP
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import edges
from spielbaum.search.mcts.tree import ROOT

COMPONENT = Component("nodes")


@inlined
def find(t, s, tree, work, edge, e, mover, p, rng):
    if e.node < 0:
        if edge != ROOT and (e.visits < p.expand_visits or hooks.decided(t, s, work.result)):
            return -1
        e.node = edges.expand(t, s, tree, work, e.visits, mover, p, rng)
        if e.node < 0:
            return -1
    if OPEN_LOOP and not edges.refresh(t, s, tree, e.node, work, mover, p, rng):
        return -1
    return int(e.node)
