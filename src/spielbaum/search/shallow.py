"""The tree of a search that keeps no positions: the actions at its root, as its report tells them."""

from __future__ import annotations

from dataclasses import replace

from spielbaum.errors import SpielbaumError
from spielbaum.game import State
from spielbaum.search.report import SearchReport, TreeNode

NO_ACTION = -1


def tree(report: SearchReport, most: int) -> TreeNode:
    """The root and its first children."""
    children = [TreeNode(edge.action, edge.move, report.player, edge.visits, edge.value) for edge in report.edges]
    visits = sum(edge.visits for edge in report.edges)
    return TreeNode(NO_ACTION, "", report.player, visits, report.value, children[:most], len(children) > most)


def with_tree(report: SearchReport, nodes: int) -> SearchReport:
    """The report, with its tree where one is asked for."""
    return replace(report, tree=tree(report, nodes)) if nodes else report


def branch(report: SearchReport, state: State, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
    """The root, or one of the actions there, and the position in which it was searched or that it leads to."""
    root = tree(report, len(report.edges))
    if not path:
        return tree(report, top if depth > 0 else 0), state.copy()
    found = [child for child in root.children if [child.action] == path]
    if not found:
        raise SpielbaumError(f"the tree has no node {path}")
    return found[0], state.copy().play(path[0])
