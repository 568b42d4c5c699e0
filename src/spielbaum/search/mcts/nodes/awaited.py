"""A node for every path of actions, made when what a network says of the position has arrived."""

from spielbaum.rules import inlined


@inlined
def find(t, tree, states, raw, work, edge, mover, p, rng):
    return int(tree.edges[edge].node)
