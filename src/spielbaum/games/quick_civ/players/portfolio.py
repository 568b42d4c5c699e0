"""`portfolio`: a tree search over scripts, one of which decides in each round.

Portfolio search: Churchill & Buro 2013, Barriga et al. 2015. The search is `kernels/scripts.py`. Its scripts
build what is most promising of one category each, or of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.game import Game
from spielbaum.games.quick_civ.kernels import scripts
from spielbaum.games.quick_civ.players.planner import BEST, PARAMS, Planner, kind
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.params import Param

MOST_NODES = 1 << 16
C = Param("c", 0.3, "exploration constant of UCB1", low=0, tune=(0.01, 2.0), log=True)


class Portfolio(Planner):
    """Open-loop tree search over scripts."""

    name = "portfolio"

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        super().__init__(game, values, seed)
        self.kernels = game.kernels.link(scripts)
        self.nodes, self.tree = np.zeros(MOST_NODES, self.kernels.NODE), np.zeros(1, self.kernels.TREE)
        self.tree["c"] = values["c"]

    def start_search(self) -> None:
        """A tree with nothing but its root, at which each script has one build."""
        self.tree["used"], self.tree["least"], self.tree["most"] = 1, np.inf, -np.inf
        self.nodes[0] = np.zeros(1, self.kernels.NODE)[0]
        self.kernels.list_builds(self.context, self.trail, self.task, self.weights, self.tree)
        self.choose_plan()

    def run(self, iterations: int) -> int:
        """So many iterations."""
        found = (self.weights, self.nodes, self.tree, self.tried, self.values_of, self.rng, iterations)
        done = int(self.kernels.run(self.context, self.trail, self.states, self.task, *found))
        self.choose_plan()
        return done

    def choose_plan(self) -> None:
        """A plan of one build, that of the script with the best mean."""
        visits, totals = self.nodes["visits"][0], self.nodes["total"][0]
        means = np.where(visits > 0, totals / np.maximum(visits, 1), -np.inf)
        action, plan = int(self.tree["first"][0, int(np.argmax(means))]), self.plans[BEST]
        plan["now"], plan["value"], plan["length"] = action, max(means.max(), -1e300), int(action != WAIT)
        plan["build"][0], plan["reached"] = action, plan["length"]


PORTFOLIO = kind(Portfolio, "searches a tree of scripts, which each build the best of one category", (*PARAMS, C))
