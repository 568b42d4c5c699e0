"""A node for every position: those reached by different orders of moves share it (transpositions)."""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import edges
from spielbaum.search.mcts.tree import ROOT, find_slot

COMPONENT = Component(
    "nodes",
    chosen_by="transpositions",
    provides={"keyed", "shared-nodes"},
    excludes={"rounds"},
    requires={"all-decisions"},
    needs=("a rule 'key'", "full information", "no dice"),
)


@inlined
def find(t, s, tree, work, edge, e, mover, p, rng):
    if e.node < 0:
        if edge != ROOT and (e.visits < p.expand_visits or hooks.decided(t, s, work.result)):
            return -1
        e.node = shared(t, s, tree, work, hooks.key(t, s), e.visits, mover, p, rng)
    return np.int64(e.node)


@inlined
def shared(t, s, tree, work, key, visits, mover, p, rng):
    """The node of this key; expanded if it is the first time that the position comes up."""
    slot = find_slot(tree, key)
    if tree.slots[slot] < 0:
        node = edges.expand(t, s, tree, work, visits, mover, p, rng)
        if node < 0:
            return -1
        tree.nodes[node].key = key
        tree.slots[slot] = node
    return np.int64(tree.slots[slot])
