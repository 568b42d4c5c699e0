"""Greedy: the action after which the game's evaluation is best for its player; ties at random."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.clock import Clock
from spielbaum.game import Game, State, buffer_size
from spielbaum.kernels import greedy
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search.frames import SURE
from spielbaum.search.report import Edge, SearchReport, unit_of


def params(game: Game) -> tuple[Param, ...]:
    return weight_params(game)


def objection(game: Game) -> str | None:
    return None if game.has("evaluate") else "the game has no rule 'evaluate'"


class Greedy(StatelessAgent):
    """Looks one action ahead. What it may not see it guesses once, where the game hides something."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game = game
        self.weights = np.append(weight_values(game, values), 0.0)  # never empty
        self.rng = random_stream(seed)
        self.last: SearchReport | None = None

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        begin = time.monotonic()
        game, size = self.game, buffer_size(self.game.module)
        states = np.zeros(2, game.rules.STATE)
        states[0] = state.record
        actions, spare, values = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size)
        results = np.zeros(game.module.PLAYERS)
        chosen, n = game.kernels.link(greedy).choose(
            game.context, states, actions, spare, values, results, self.weights, self.rng
        )
        order = np.argsort(-values[:n], kind="stable")
        self.last = SearchReport(
            algorithm="greedy",
            player=state.player,
            action=int(chosen),
            value=shown_value(values[:n].max()),
            edges=[Edge(int(actions[i]), state.format(int(actions[i])), 1.0, shown_value(values[i])) for i in order],
            principal_variation=[int(chosen)],
            line=[state.format(int(chosen))],
            nodes=int(n),
            depth=1,
            seconds=time.monotonic() - begin,
            unit=unit_of(state, "evaluate", self.weights),
        )
        return int(chosen)

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the last choice was between."""
        return self.last


def shown_value(value: float) -> float:
    """A value as other searches report it: a game that is over with this action is won or lost in one move."""
    return float(value if abs(value) < SURE else np.sign(value) * (SURE - 1))
