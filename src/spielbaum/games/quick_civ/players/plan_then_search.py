"""`plan-then-search`: an evolution lays out the next builds, then a tree search decides on their order.

What the thesis proposed as its next step: the wide choice, what to build where, is left to the evolution
(`kernels/evolution.py`), and Monte Carlo tree search has only as many actions as the plan has builds
(`kernels/order.py`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents.agent import Watch
from spielbaum.game import Game
from spielbaum.games.quick_civ.kernels import order
from spielbaum.games.quick_civ.players.evolution import Evolution
from spielbaum.games.quick_civ.players.planner import BEST, CURRENT, PARAMS, THEMES, kind
from spielbaum.params import Param
from spielbaum.search.budget import Budget, slices

MOST_NODES = 1 << 16
SHARE = Param(
    "layout", 0.7, "share of the budget for the layout; the rest is for its order", low=0, high=1, tune=(0.2, 1.0)
)
C = Param("c", 0.3, "exploration constant of the search for an order", low=0, tune=(0.01, 2.0), log=True)


class PlanThenSearch(Evolution):
    """Two searches, one after the other."""

    name = "plan-then-search"

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        super().__init__(game, values, seed)
        self.kernels = game.kernels.link(order)
        self.nodes, self.tree = np.zeros(MOST_NODES, self.kernels.NODE), np.zeros(1, self.kernels.TREE)
        self.tree["c"] = values["c"]

    def search(self, budget: Budget, watch: Watch | None) -> None:
        """The layout first; it has its share of whatever limits the search."""
        self.clear_tree()
        self.order(0)  # compiles at the very first time, before the clock starts
        end, now, share = budget.end(), time.monotonic(), self.values["layout"]
        first = None if budget.iterations is None else int(share * budget.iterations)
        if first != 0 and share > 0:
            slices(self.run, replace(budget, iterations=first), now + share * (end - now), watch)
        if len(self.planned()) > 1:
            self.plans[CURRENT] = self.plans[BEST]
            self.plans["length"][CURRENT] = len(self.planned())
        rest = None if budget.iterations is None else budget.iterations - int(self.task["iterations"][0])
        if rest != 0 and share < 1:
            step = self.order if len(self.planned()) > 1 else self.run  # one build has no order
            slices(step, replace(budget, iterations=rest), end, watch)

    def clear_tree(self) -> None:
        """A tree with nothing but its root."""
        self.tree["used"], self.tree["least"], self.tree["most"] = 1, np.inf, -np.inf
        self.nodes[0] = np.zeros(1, self.kernels.NODE)[0]
        self.nodes["child"][0] = -1

    def order(self, iterations: int) -> int:
        """Try so many orders of the plan."""
        found = (self.weights, self.nodes, self.tree, self.tried, self.values_of, self.rng, iterations)
        return int(self.kernels.run(self.context, self.trail, self.states, self.plans, self.task, *found))


PLAN_THEN_SEARCH = kind(
    PlanThenSearch, "evolves a plan of its next builds, then searches for their order", (*PARAMS, THEMES, SHARE, C)
)
