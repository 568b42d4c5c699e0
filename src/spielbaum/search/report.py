"""What every search reports, whatever the algorithm: the CLI prints it, the browser draws it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from spielbaum.errors import GameError
from spielbaum.game import State


@dataclass(frozen=True)
class Edge:
    """A root action with what the search found out about it, from the mover's point of view.

    A value that is not `exact` is an upper bound: alpha-beta stops looking once a move is worse. One that is `proven`
    is the game's own result, which MCTS finds with `solve`.
    """

    action: int
    move: str
    visits: float
    value: float | None
    prior: float | None = None
    exact: bool = True
    proven: bool = False


@dataclass(frozen=True)
class TreeNode:
    """A position of the search tree, for drawing: how it was reached, and what lies below.

    `value` is that of the player who moved there. `bound` says how it is meant: `exact`, or `at least` or `at most` so
    much where a search stopped looking because more could not matter, or `proven` where it is the game's own result.
    `more` says that some children are not shown.
    """

    action: int
    move: str
    player: int
    visits: float
    value: float | None
    children: list[TreeNode] = field(default_factory=list)
    more: bool = False
    bound: str = "exact"

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:.3g}"
        return f"<TreeNode {self.move or 'root'}: {self.visits:,.0f} visits{value}, {len(self.children)} children>"


@dataclass(frozen=True)
class Unit:
    """What values are counted in: the word for it, and how many of it a value of 1 is.

    Two words are the engine's own: `chance` is that of winning, a draw counted as half, where -1 is a loss and 1 a
    win; `evaluation` is a game's judgement without a unit.
    """

    name: str
    scale: float = 1.0


CHANCE, EVALUATION = Unit("chance"), Unit("evaluation")


@dataclass(frozen=True)
class SearchReport:
    """The result of a search.

    `nodes` counts iterations (MCTS) or positions (minimax). `value` is the expectation of the
    player to move: the mean result for MCTS, the evaluation for minimax; `proven` says that it is
    the game's own result. `table_hits` is the share of look-ups that found their position, `cut_off` that of the
    simulations that were ended before the game was, so that nothing but the evaluation can be learned from them.
    All values of the report are counted in its `unit`, but for those that say when a game is won or lost.
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
    unit: Unit = CHANCE

    def __repr__(self) -> str:
        move = self.line[0] if self.line else str(self.action)
        value = f"{'proven' if self.proven else 'value'} {self.value:.3g}"
        return f"<SearchReport of {self.algorithm}: {move}, {value}, {self.nodes:,} nodes in {self.seconds:.2g} s>"

    @property
    def per_second(self) -> float:
        """Iterations or positions per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {**asdict(self), "per_second": self.per_second}


def unit_of(state: State, hook: str, weights: np.ndarray) -> Unit:
    """What values mean that come from `returns` or from `evaluate`, as the game declares it (`units`)."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a weight may be 0
        declared = state.game.tell("units", s=state.copy().record, weights=weights) if state.game.has("units") else {}
    match declared.get(hook, ("", 0.0)):
        case (str(name), int() | float() | np.number() as scale):
            if math.isfinite(scale) and scale > 0:
                return Unit(name, float(scale))
            return CHANCE if hook == "returns" else EVALUATION
        case wrong:
            raise GameError(f"{state.game.title}: units must give for {hook!r} a word and a number, not {wrong!r}")


def notation(state: State, actions: list[int]) -> list[str]:
    """A line of actions in the game's notation, as far as it can be played from what is known."""
    names, state = [], state.copy()
    for action in actions:
        if action not in state.actions:
            break
        names.append(state.format(action))
        state.play(action)
    return names


def marked(node: TreeNode, unfinished: set[int]) -> TreeNode:
    """The same tree, told where some children are not shown."""
    children = [marked(child, unfinished) for child in node.children]
    return replace(node, children=children, more=id(node) in unfinished)
