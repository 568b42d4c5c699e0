"""`neat`: plays what the best net of a population answers; by default of the one that comes with the game."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.agents.registry import AgentType
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.kernels import neat as template
from spielbaum.games.spe_ed.neat.net import load_net
from spielbaum.params import Param

PARAMS = (Param("net", "", "a file of train-neat; the one that comes with the game unless given", file=True),)


class Neat(StatelessAgent):
    """Answers by a net."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.net = load_net(values["net"])
        self.values = self.net.room
        self.game = game

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        kernel = self.game.kernels.link(template).choose
        return int(kernel(self.game.context, state.array, state.player, tuple(self.net), self.values))


NEAT = AgentType("neat", "a net that was evolved; it sees what is around its head", lambda game: PARAMS, Neat)
