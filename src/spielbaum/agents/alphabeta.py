"""Minimax and alpha-beta as agents."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.searching import SearchAgent, ponder_params
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.game import Game
from spielbaum.params import Param
from spielbaum.search import alphabeta


def objection(game: Game) -> str | None:
    if game.chance:
        return "it can't look through chance; use mcts"
    if game.hidden:
        return "it needs to see everything; use ismcts or mcts"
    return None


def params(game: Game) -> tuple[Param, ...]:
    return alphabeta.ALPHABETA + ponder_params(game) + weight_params(game)


def minimax_params(game: Game) -> tuple[Param, ...]:
    return alphabeta.MINIMAX + ponder_params(game) + weight_params(game)


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(alphabeta.AlphaBeta(game, values, weight_values(game, values), seed=seed), values)


def build_minimax(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(alphabeta.Minimax(game, values, weight_values(game, values), seed=seed), values)
