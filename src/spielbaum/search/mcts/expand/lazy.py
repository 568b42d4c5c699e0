"""`lazy`: as `one`, but an edge is made only when it is tried: for nodes with a thousand legal actions.

An untried action is drawn with the game's `sample`, rejecting what was tried or what a filter strikes off. After
some rejections in a row all are listed: then few are left, or none, and the node is complete.
"""

from spielbaum.linked import LIMITED, OPEN_LOOP, components
from spielbaum.rules import rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import untried_actions
from spielbaum.search.mcts.tree import FULL, has_room

COMPONENT = Component(
    "expand",
    node=(("complete", "i8"),),
    thread=untried_actions.fields,
    provides={"linked-edges"},
    excludes={"compares-children"},  # here they are made when they are tried
)


@rule
def untried(t, s, tree, node, mover, work, own, p, rng):
    n = tree.nodes[node]
    if n.count == 0:
        n.lazy.complete = 0
    if (
        (LIMITED and n.count >= components.child_limit(tree, node, p))
        or (n.lazy.complete and not OPEN_LOOP)
        or tree.used[FULL]
    ):
        return -1
    if not has_room(tree, 1):
        return -1
    action = untried_actions.draw(t, s, tree, node, mover, work, own, p, rng)
    if action < 0:
        n.lazy.complete = 1
        return -1
    return untried_actions.new_edge(tree, node, action, mover)
