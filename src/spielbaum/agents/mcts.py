"""Monte Carlo tree search as an agent, plain and over information sets."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.game import Game, State
from spielbaum.params import Param
from spielbaum.search import settings
from spielbaum.search.budget import Budget
from spielbaum.search.mcts import Mcts
from spielbaum.search.report import SearchReport


def params(game: Game) -> tuple[Param, ...]:
    return settings.MCTS + weight_params(game)


def information_set_params(game: Game) -> tuple[Param, ...]:
    return settings.ISMCTS + weight_params(game)


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

    def act(self, state: State, deadline: float | None = None) -> int:
        budget = Budget(self.values.get("iterations"), self.values.get("seconds"), deadline)
        return int(self.search.think(state, budget))

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        report: SearchReport = self.search.report(tree_nodes)
        return report
