"""Monte Carlo tree search as an agent, plain and over information sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.game import Game, State
from spielbaum.params import Param
from spielbaum.search.budget import Budget
from spielbaum.search.mcts import Mcts, settings
from spielbaum.search.report import SearchReport, TreeNode


def params(game: Game) -> tuple[Param, ...]:
    return settings.mcts_params(game) + weight_params(game)


def information_set_params(game: Game) -> tuple[Param, ...]:
    return settings.ismcts_params(game) + weight_params(game)


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(Mcts(game, values, weight_values(game, values), seed=seed), values)


def build_information_set(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    search = Mcts(game, values, weight_values(game, values), information_sets=True, seed=seed)
    return SearchAgent(search, values)


class SearchAgent:
    """Plays what a search finds within its budget."""

    def __init__(self, search: Any, values: dict[str, Any]):
        self.search = search
        self.values = values

    def act(
        self,
        state: State,
        deadline: float | None = None,
        *,
        interrupt: Callable[[], bool] | None = None,
        watch: Callable[[], None] | None = None,
    ) -> int:
        """The action to play. Between two slices `watch` is called, who may ask for a report,
        and `interrupt`, who may say that it is enough.
        """
        budget = Budget(self.values.get("iterations"), self.values.get("seconds"), deadline, interrupt=interrupt)
        return int(self.search.think(state, budget, watch))

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        report: SearchReport = self.search.report(tree_nodes)
        return report

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """Part of the tree, some levels down from the end of a path of actions, and the position there."""
        node: tuple[TreeNode, State] = self.search.branch(path, depth, top)
        return node
