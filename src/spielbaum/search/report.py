"""What every search reports, whatever the algorithm: the CLI prints it, the browser draws it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from spielbaum.errors import SpielbaumError
from spielbaum.game import State


@dataclass(frozen=True)
class Edge:
    """A root action with what the search found out about it, from the mover's point of view.

    A value that is not `exact` is an upper bound: alpha-beta stops looking once a move is worse.
    """

    action: int
    move: str
    visits: float
    value: float | None
    prior: float | None = None
    exact: bool = True


@dataclass(frozen=True)
class TreeNode:
    """A position of the search tree, for drawing: how it was reached, and what lies below.

    `more` says that some of its children are not shown.
    """

    action: int
    move: str
    player: int
    visits: float
    value: float | None
    children: list[TreeNode] = field(default_factory=list)
    more: bool = False


@dataclass(frozen=True)
class SearchReport:
    """The result of a search.

    `nodes` counts iterations (MCTS) or positions (minimax). `value` is the expectation of the
    player to move: the mean result for MCTS, the evaluation for minimax; `proven` says that it is
    the game's own result. `table_hits` is the share of look-ups that found their position, `cut_off` that of the
    simulations that were ended before the game was, so that nothing but the evaluation can be learned from them.
    """

    algorithm: str
    player: int
    action: int
    value: float
    edges: list[Edge]
    principal_variation: list[int]
    line: list[str]
    nodes: int
    depth: int
    seconds: float
    memory: int = 0
    full: bool = False
    table_hits: float | None = None
    cut_off: float | None = None
    proven: bool = False
    tree: TreeNode | None = None

    @property
    def per_second(self) -> float:
        """Iterations or positions per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {**asdict(self), "per_second": self.per_second}


def notation(state: State, actions: list[int]) -> list[str]:
    """A line of actions in the game's notation, as far as it can be played from what is known."""
    names, state = [], state.copy()
    for action in actions:
        if action not in state.actions:
            break
        names.append(state.format(action))
        state.play(action)
    return names


def line_tree(state: State, actions: list[int], value: float) -> TreeNode:
    """A principal variation as a tree, for searches that keep no other; opponents see its value the other way round."""
    teams, me, here = state.game.teams, state.player, state.copy()
    steps = []
    for action, name in zip(actions, notation(state, actions), strict=False):
        steps.append((action, name, here.player))
        here.play(action)
    below: list[TreeNode] = []
    for action, name, mover in reversed(steps):
        below = [TreeNode(action, name, mover, 1.0, value if teams[mover] == teams[me] else -value, below)]
    return TreeNode(-1, "", -1, 1.0, value, below)


def line_branch(state: State | None, report: SearchReport | None, path: list[int]) -> tuple[TreeNode, State]:
    """What follows in the principal variation behind some of its actions, and the position there."""
    if state is None or report is None:
        raise SpielbaumError("nothing was found yet, so there is no tree to look at")
    line = report.principal_variation
    if path != line[: len(path)]:
        raise SpielbaumError(f"the tree has no node {path}: {report.algorithm} keeps its best line only")
    here, node = state.copy(), line_tree(state, line, report.value)
    for action in path:
        here.play(action)
        node = node.children[0]
    return node, here
