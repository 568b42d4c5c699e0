"""Greedy: the build after which the evaluation is the best, and a city centre every so many rounds."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.agents.random import Policy
from spielbaum.agents.registry import AgentType
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.params import Param

ROUNDS = Param("turns-for-city-centre", 15, "rounds between two city centres", low=0, tune=(1, 50))


class Greedy(StatelessAgent):
    """Counts the rounds until the next city centre; when it can't be built, it is tried again in the next round."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        weights = weight_values(game, values)
        self.builder, self.founder = (Policy(game, name, weights, seed) for name in ("greedy", "best-centre"))
        self.rounds = self.left = values[ROUNDS.name]

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        if self.left > 0:
            self.left -= 1
            return self.builder.act(state)
        centre = self.founder.act(state)
        if centre == WAIT:
            return self.builder.act(state)
        self.left = self.rounds
        return centre


GREEDY = AgentType(
    "greedy",
    "plays the build after which its evaluation is best, and founds a city centre now and then",
    lambda game: (ROUNDS, *weight_params(game)),
    Greedy,
)
