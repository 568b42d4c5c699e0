"""What Odin and Brunhilde have in common: they value all answers at once, and tell what they found."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.search.report import EVALUATION, Edge, SearchReport


class Valuer(StatelessAgent):
    """Plays the best of five values; the others are only known to be no better."""

    def __init__(self, game: Game, name: str, run: Callable[[np.ndarray], None], workspace: np.ndarray):
        self.game, self.name, self.run, self.workspace = game, name, run, workspace
        self.states = np.zeros(int(workspace["depth"][0]) + 2, game.rules.STATE)
        self.last: SearchReport | None = None

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        begin, workspace = time.monotonic(), self.workspace
        self.states[0] = state.record
        workspace["me"], workspace["nodes"] = state.player, 0
        self.run(self.states)
        chosen, values = int(workspace["chosen"][0, 0]), workspace["values"][0].tolist()
        order = sorted(range(ANSWERS), key=lambda answer: (answer != chosen, -values[answer]))
        self.last = SearchReport(
            algorithm=self.name,
            player=state.player,
            action=chosen,
            value=values[chosen],
            edges=[Edge(answer, state.format(answer), 1.0, values[answer], exact=answer == chosen) for answer in order],
            principal_variation=[chosen],
            line=[state.format(chosen)],
            nodes=int(workspace["nodes"][0]),
            depth=int(workspace["depth"][0]),
            seconds=time.monotonic() - begin,
            unit=EVALUATION,
        )
        return chosen

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the last choice was between."""
        return self.last


def new_workspace(fields: list[Any], **numbers: float) -> np.ndarray:
    """WORKSPACE[1]: numbers of a search, and what it works with."""
    workspace = np.zeros(1, np.dtype((np.record, fields), align=True))
    for name, number in numbers.items():
        workspace[name] = number
    return workspace
