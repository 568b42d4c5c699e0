"""Phase 2, expand: how a node gets its children.

    untried(t, states, tree, node, mover, work, p, rng)    an edge to try before the selection has a say, or -1
    list_actions(t, s, mover, out)                         the actions of a new node, in their order; how many

All edges of a node are made when it is, unless a component provides `linked-edges`: then it makes each when it is
tried. They are the legal actions in random order, unless a component provides `lists-actions`: then it lists them.
"""

DEFAULT = "all"
HELP = "all children at once, one random untried action, one by one as they are drawn, or by memory"
WIDE = 1024  # actions: beyond them children are drawn one by one unless something else is chosen
