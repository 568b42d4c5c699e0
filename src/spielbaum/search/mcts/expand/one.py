"""`one`: one random untried action after the other is struck off before the selection has a say."""

import numpy as np

from spielbaum.linked import LIMITED, OPEN_LOOP, components
from spielbaum.rules import rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import children

COMPONENT = Component("expand", node=(("tried", "i8"),), provides={"all-edges"})
IN_ORDER = not (OPEN_LOOP or LIMITED)  # children are tried in the order in which they lie


@rule
def untried(tree, node, work, p):
    """The next untried child in use, -1 when each has been tried."""
    n = tree.nodes[node]
    if IN_ORDER:
        return next_in_order(tree, n)
    count, seen = components.child_limit(tree, node, p), 0
    for edge in range(n.first, n.first + n.count):
        if seen < count and children.eligible(tree, edge, work):
            seen += 1
            if tree.edges[edge].visits == 0.0:
                return edge
    return -1


@rule
def next_in_order(tree, n):
    """The first child without a visit; those before it need not be looked at again."""
    if tree.edges[n.first].visits == 0.0:
        n.one.tried = 0
    while n.one.tried < n.count and tree.edges[n.first + n.one.tried].visits > 0.0:
        n.one.tried += 1
    return np.int64(n.first) + n.one.tried if n.one.tried < n.count else -1
