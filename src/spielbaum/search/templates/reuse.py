"""Between two moves: keep the subtree of what was played."""

from spielbaum.link import kernel
from spielbaum.search import tree


@kernel
def keep(t, old, new, edge, normalise):
    """Copy what lies below an edge into an empty tree."""
    tree.keep_subtree(old, new, edge, normalise)
