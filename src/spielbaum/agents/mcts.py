"""Monte Carlo tree search as an agent, plain and over information sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from spielbaum.agents.searching import SearchAgent, ponder_params
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.game import Game
from spielbaum.params import Param
from spielbaum.search.mcts import Mcts, settings


def params(game: Game) -> tuple[Param, ...]:
    return settings.mcts_params(game) + ponder_params(game) + evaluation_params(game)


def information_set_params(game: Game) -> tuple[Param, ...]:
    return settings.ismcts_params(game) + ponder_params(game) + evaluation_params(game)


def evaluation_params(game: Game) -> tuple[Param, ...]:
    """The weights of the game's evaluation, which matter where a search looks at it."""
    policies = "|".join(policy for policy in game.policies if policy != "random")
    evaluated = " or ".join(["depth", "value=evaluation|difference", *([f"simulate={policies}"] if policies else [])])
    return tuple(
        replace(weight, when=" & ".join(filter(None, [weight.when, evaluated]))) for weight in weight_params(game)
    )


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(Mcts(game, values, weight_values(game, values), seed=seed), values)


def build_information_set(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    search = Mcts(game, values, weight_values(game, values), information_sets=True, seed=seed)
    return SearchAgent(search, values)
