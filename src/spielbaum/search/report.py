"""What every search reports, whatever the algorithm: the CLI prints it, the browser draws it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

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
    the game's own result. `table_hits` is the share of look-ups that found their position.
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
    """A principal variation as a tree, for searches that keep no other."""
    names = notation(state, actions)
    player = state.player
    node: TreeNode | None = None
    for action, name in reversed(list(zip(actions, names, strict=False))):
        node = TreeNode(action, name, player, 1.0, value, [node] if node else [])
    return TreeNode(-1, "", -1, 1.0, value, [node] if node else [])
