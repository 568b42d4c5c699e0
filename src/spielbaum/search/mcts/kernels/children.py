"""The children of a node: in which order they lie, and which of them are eligible now."""

import numpy as np

from spielbaum.linked import LINKED_EDGES, OPEN_LOOP, components
from spielbaum.rules import below, inlined, rule


@inlined
def after(tree, edge):
    """The next edge of the same node."""
    return tree.edges[edge].next if LINKED_EDGES else edge + 1


@inlined
def eligible(tree, edge, work):
    if components.is_closed(tree, edge):
        return False
    return is_available(tree, edge, work) if OPEN_LOOP else True


@inlined
def is_available(tree, edge, work):
    """Whether an edge of an open-loop node is legal now, for the player whose turn it is."""
    e = tree.edges[edge]
    return work.stamps[e.action] == work.now and e.mover == work.mover


@rule
def child_of(tree, node, action, mover):
    """The node's edge for a mover's action, -1 if there is none."""
    n = tree.nodes[node]
    edge = int(n.first)
    for _ in range(n.count):
        if tree.edges[edge].action == action and tree.edges[edge].mover == mover:
            return np.int64(edge)
        edge = after(tree, edge)
    return -1


@rule
def random_child(tree, node, count, work, rng):
    """A uniformly random one of the first so many eligible children."""
    n = tree.nodes[node]
    chosen, seen = -1, 0
    edge = int(n.first)
    for _ in range(n.count):
        if seen < count and eligible(tree, edge, work):
            seen += 1
            if below(rng, seen) == 0:
                chosen = edge
        edge = after(tree, edge)
    return chosen
