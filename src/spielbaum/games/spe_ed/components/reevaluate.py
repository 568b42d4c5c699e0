"""`reevaluate`: the tree is kept with its visits and values, but every kept node is valued once more (Team Valhalla).

Their program keeps what lies below the answer that was played and clears only the mark "evaluated" of each node. An
iteration ends at the first node without the mark, values it, and sets the mark; only then does the search go below it.
So an old plan is checked step by step against the new position, and its old values still count.
"""

from __future__ import annotations

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.reuse.keep import COMPONENT as KEEP
from spielbaum.search.mcts.reuse.keep import Keep
from spielbaum.search.mcts.search_tree import SearchTree
from spielbaum.search.mcts.tree import ROOT, USED_EDGES


class Reevaluate(Keep):
    def on_reuse(self, tree: SearchTree) -> None:
        kept = tree.arrays.edges[self.record]["stale"]
        kept[: tree.arrays.used[USED_EDGES]] = 1
        kept[ROOT] = 0  # no iteration ends at the root: its value would compare nothing


COMPONENT = Component(
    "reuse",
    edge=(("stale", "i1"),),  # not valued since the tree was kept
    provides=KEEP.provides,
    excludes=KEEP.excludes | {"rounds"},
    host=Reevaluate,
)


@inlined
def ends_descent(tree, e):
    if e.reevaluate.stale == 0:
        return False
    e.reevaluate.stale = 0
    if e.node >= 0:
        tree.nodes[e.node].visits += 1.0  # a node's visits are those of the edge that leads to it
    return True
