"""MCTS between phases 1 and 2: which edge of a node to follow."""

from spielbaum.linked import CHAINED, choose, parts
from spielbaum.rules import inlined


@inlined
def next_edge(t, tree, states, work, node, entry, mover, p, rng):
    """Untried first where the expansion wants it, what a modifier prefers, else what is selected.

    -1 where the node has no edges and the tree no room.
    """
    edge = parts.expand.untried(t, states, tree, node, mover, work, p, rng)
    if edge >= 0:
        return edge
    edge = parts.prefer(t, states, tree, node, mover, work, p, rng)
    if edge >= 0 and not parts.closed(tree, edge):
        return edge
    if CHAINED and tree.nodes[node].count == 0:
        return -1
    return choose.select(tree, node, entry, work, p, rng)
