"""`one`: one random untried action after the other is struck off before the selection has a say."""

from spielbaum.linked import children, parts
from spielbaum.rules import rule


@rule
def untried(t, states, tree, node, mover, work, p, rng):
    """The next untried child in use, -1 when each has been tried."""
    n = tree.nodes[node]
    count, seen = parts.limit(tree, node, p), 0
    for edge in range(n.first, n.first + n.count):
        if seen < count and children.eligible(tree, edge, work):
            seen += 1
            if tree.edges[edge].visits == 0.0:
                return edge
    return -1
