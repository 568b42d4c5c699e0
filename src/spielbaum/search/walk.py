"""The log of a depth-first search as a tree to walk in; how they are written is told in `log.py`."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import State
from spielbaum.search.report import SearchReport, TreeNode, marked
from spielbaum.search.search_log import AGAIN, AT_MOST, BOUNDS, EXACT


def branch(
    books: list[np.ndarray], state: State | None, report: SearchReport | None, path: list[int], depth: int, top: int
) -> tuple[TreeNode, State]:
    """The best children of each node, some levels down from the end of a path of actions, and the position there.

    Of several books of log, each of a search of its own, the first one that knows a root move tells about it.
    """
    if state is None or report is None:
        raise SpielbaumError("nothing was found yet, so there is no tree to look at")
    if not path:
        return root_below(books, state, report, depth, top), state.copy()
    here, (book, index) = state.copy(), first_note(books, path[0])
    for ply, action in enumerate(path):
        if ply and index is not None:
            index = child(book, index, ply, action)
        if index is None:
            raise SpielbaumError(f"the tree has no node {path}: it was not looked at, or is too deep to be kept")
        node = node_of(book[index], here)
        here.play(action)
    assert index is not None
    return below(book, index, node, here, depth, top), here


def root_below(books: list[np.ndarray], state: State, report: SearchReport, depth: int, top: int) -> TreeNode:
    """The root with its best moves as they are reported."""
    shown = report.edges[:top] if depth > 0 else []
    nodes = []
    for edge in shown:
        bound = BOUNDS[EXACT if edge.exact else AT_MOST]
        node = TreeNode(edge.action, edge.move, state.player, edge.visits, edge.value, bound=bound)
        book, index = first_note(books, edge.action)
        after = state.copy().play(edge.action)
        nodes.append(node if index is None else below(book, index, node, after, depth - 1, top))
    visits = sum(edge.visits for edge in report.edges)
    return TreeNode(-1, "", -1, visits, report.value, nodes, more=len(report.edges) > len(nodes))


def most_visited(books: list[np.ndarray], state: State, report: SearchReport, nodes: int) -> TreeNode:
    """The most visited part: from the root, always the most visited neighbour of what is shown already."""
    root, order = root_below(books, state, report, 0, 0), itertools.count()
    waiting: list[tuple[float, int, TreeNode, np.ndarray, int, State]] = []

    def look_below(node: TreeNode, state: State, book: np.ndarray, found: list[int]) -> None:
        for i in found:
            heapq.heappush(waiting, (-float(book[i]["nodes"]), next(order), node, book, i, state))

    for edge in report.edges:
        book, index = first_note(books, edge.action)
        look_below(root, state, book, [] if index is None else [index])
    shown = 1
    while waiting and shown < nodes:
        _, _, above, book, i, here = heapq.heappop(waiting)
        above.children.append(node_of(book[i], here))
        after = here.copy().play(int(book[i]["action"]))
        look_below(above.children[-1], after, book, children(book, i, int(book[i]["ply"])))
        shown += 1
    return marked(root, {id(above) for _, _, above, *_ in waiting})


def first_note(books: list[np.ndarray], action: int) -> tuple[np.ndarray, int | None]:
    """The newest note of a root move with its book."""
    found = ((book, child(book, len(book), 0, action)) for book in books)
    return next((pair for pair in found if pair[1] is not None), (books[0], None))


def child(book: np.ndarray, index: int, ply: int, action: int) -> int | None:
    """The note of a move at a position of some ply."""
    return next((i for i in children(book, index, ply) if book[i]["action"] == action), None)


def children(book: np.ndarray, index: int, ply: int) -> list[int]:
    """The log of what was tried at a position of some ply: the one at an index, or the root at the end of all."""
    before = np.flatnonzero(book["ply"][:index] <= ply)
    first = int(before[-1]) + 1 if len(before) else 0
    mine = (book["ply"][first:index] == ply + 1) & (book["bound"][first:index] != AGAIN)
    return sorted((first + np.flatnonzero(mine)).tolist(), key=lambda i: rank(book[i]))


def rank(one: Any) -> tuple[bool, float]:
    """The best move first; those that are only known to be no better by what was spent on them."""
    return (True, -one["nodes"]) if one["bound"] == AT_MOST else (False, -one["value"])


def below(book: np.ndarray, index: int, node: TreeNode, state: State, depth: int, top: int) -> TreeNode:
    """A node with the `top` best of its children, some levels down; `state` is the position there."""
    found = children(book, index, int(book[index]["ply"]))
    shown = found[:top] if depth > 0 else []
    nodes = [
        below(book, i, node_of(book[i], state), state.copy().play(int(book[i]["action"])), depth - 1, top)
        for i in shown
    ]
    return replace(node, children=nodes, more=len(found) > len(shown))


def node_of(one: Any, state: State) -> TreeNode:
    """A note as a node of a tree, without what lies below; `state` is where the move was made."""
    action, bound = int(one["action"]), BOUNDS[one["bound"]]
    return TreeNode(action, state.format(action), state.player, float(one["nodes"]), float(one["value"]), bound=bound)
