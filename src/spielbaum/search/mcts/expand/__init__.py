"""Phase 2, expand: how a node gets its children.

    untried(t, states, tree, node, mover, work, p, rng)    an edge to try before the selection has a say, or -1

All edges of a node are made when it is, unless a part says CHAINED: then it makes each one when it is tried.
"""

DEFAULT = "all"
HELP = "all children at once, one random untried action, drawn one by one, or by memory"
WIDE = 1024  # actions: beyond them children are drawn one by one unless something else is chosen
