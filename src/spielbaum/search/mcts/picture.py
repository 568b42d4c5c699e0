"""A tree of MCTS as something to draw."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace

from spielbaum.search.mcts.places import Place
from spielbaum.search.mcts.tree import ROOT
from spielbaum.search.report import TreeNode, marked


def most_visited(root: Place, nodes: int) -> TreeNode:
    """The most visited part: from the root, always the most visited neighbour of what is shown already."""
    order, shown = itertools.count(), set[int]()
    waiting: list[tuple[float, int, int, Place, TreeNode]] = []

    def look_below(place: Place, node: TreeNode) -> None:
        for edge in place.visited():
            heapq.heappush(waiting, (-place.visits(edge), edge, next(order), place, node))

    top = node_of(root, ROOT)
    look_below(root, top)
    while waiting and len(shown) + 1 < nodes:
        _, edge, _, place, above = heapq.heappop(waiting)
        if edge not in shown:  # what several ways lead to is drawn once
            shown.add(edge)
            above.children.append(node_of(place, edge))
            look_below(place.after(edge), above.children[-1])
    return marked(top, {id(above) for _, edge, *_, above in waiting if edge not in shown})


def below(place: Place, node: TreeNode, depth: int, top: int) -> TreeNode:
    """The `top` most visited children of each node, some levels down from a place."""
    visited = place.visited()
    shown = visited[:top] if depth > 0 else []
    children = [below(place.after(edge), node_of(place, edge), depth - 1, top) for edge in shown]
    return replace(node, children=children, more=len(visited) > len(shown))


def node_of(place: Place, edge: int) -> TreeNode:
    """An edge of a place, without what lies below."""
    e = place.tree.arrays.edges[edge]
    value = float(e.total / e.visits) if e.visits > 0 and edge != ROOT else None
    move = place.before(edge).format(int(e.action)) if edge != ROOT else ""
    bound = "proven" if edge in place.tree.proven([edge]) else "exact"
    return TreeNode(int(e.action), move, int(e.mover), float(e.visits), value, bound=bound)
