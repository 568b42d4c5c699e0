"""Agents that do not look ahead: uniformly random, and a game's own policies."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.clock import Clock
from spielbaum.errors import IllegalAction
from spielbaum.game import Game, State, buffer_size
from spielbaum.kernels import policies
from spielbaum.rules import random_stream


class Random(StatelessAgent):
    """Plays a uniformly random legal action."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.rng = random_stream(seed)
        self.buffer = np.empty(buffer_size(game.module), np.int64)
        self.legal = list[int]()

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        self.legal = state.actions
        kernel = state.game.kernels.link(policies).sample
        return int(kernel(state.game.context, state.array, self.buffer, self.rng))

    def chances(self) -> dict[int, float] | None:
        """The same for all."""
        return dict.fromkeys(self.legal, 1 / len(self.legal)) if self.legal else None


class Policy(StatelessAgent):
    """Follows one of the game's playout policies."""

    def __init__(self, game: Game, name: str, weights: np.ndarray, seed: int):
        self.name = name
        self.which = list(game.module.POLICIES).index(name)
        self.weights = weights
        self.rng = random_stream(seed)

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        kernel = state.game.kernels.link(policies).choose
        action = int(kernel(state.game.context, state.array, self.which, self.weights, self.rng))
        if action not in state.actions:
            raise IllegalAction(f"policy {self.name!r} of {state.game.name} chose {action}, which is not legal")
        return action
