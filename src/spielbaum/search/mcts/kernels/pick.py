"""MCTS between phases 1 and 2: which edge of a node to follow."""

from spielbaum.linked import LINKED_EDGES, components
from spielbaum.rules import inlined
from spielbaum.search.mcts.kernels import choose


@inlined
def next_edge(t, tree, states, work, node, path_index, mover, p, rng):
    """Untried first where the expansion wants it, what a modifier prefers, else what is selected.

    -1 where the node has no edges and the tree no room.
    """
    edge = components.expand.untried(t, states, tree, node, mover, work, p, rng)
    if edge >= 0:
        return edge
    edge = components.override_selection(t, states, tree, node, mover, work, p, rng)
    if edge >= 0 and not components.is_closed(tree, edge):
        return edge
    if LINKED_EDGES and tree.nodes[node].count == 0:
        return -1
    return choose.select(tree, node, path_index, work, p, rng)
