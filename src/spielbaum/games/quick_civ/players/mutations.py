"""`evolutionary-mcts`: a tree of whole plans, each a mutation of the one above it (Baier & Cowling 2018).

The search is `kernels/mutations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.game import Game
from spielbaum.games.quick_civ.kernels import mutations as template
from spielbaum.games.quick_civ.players.planner import CURRENT, PARAMS, THEMES, Planner, kind
from spielbaum.params import Param

MOST_NODES = 1 << 17
TREE_PARAMS = (
    Param("c", 0.1, "exploration constant of UCB1", low=0, tune=(0.01, 1.0), log=True),
    Param(
        "widen",
        1.0,
        "mutations of a plan that was visited n times: widen * sqrt(n)",
        low=0.1,
        tune=(0.3, 5.0),
        log=True,
    ),
)


class Mutations(Planner):
    """Evolutionary Monte Carlo tree search."""

    name = "evolutionary-mcts"

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        super().__init__(game, values, seed)
        self.kernels = game.kernels.link(template)
        self.nodes, self.tree = np.zeros(MOST_NODES, self.kernels.NODE), np.zeros(1, self.kernels.TREE)
        for param in TREE_PARAMS:
            self.tree[param.name] = values[param.name]

    def start_search(self) -> None:
        """A tree with the plan at hand as its root."""
        super().start_search()
        value = self.plans["value"][CURRENT]
        self.tree["used"], self.tree["least"], self.tree["most"] = 1, value, value
        root = self.nodes[:1]
        root["plan"], root["total"], root["visits"] = self.plans[CURRENT], value, 1
        root["parent"], root["child"], root["sibling"], root["children"] = -1, -1, -1, 0

    def run(self, iterations: int) -> int:
        """So many mutations."""
        found = (self.nodes, self.tree, self.tried, self.values_of, self.rng, iterations)
        plans = (self.plans, self.task, self.weights, self.soldiers, self.themes)
        return int(self.kernels.run(self.context, self.trail, self.states, *plans, *found))


MUTATIONS = kind(Mutations, "searches a tree of plans, each a mutation of another", (*PARAMS, THEMES, *TREE_PARAMS))
