"""`all`: all children at once; the selection chooses among them from the start."""

from spielbaum.rules import inlined


@inlined
def untried(t, states, tree, node, mover, work, p, rng):
    return -1
