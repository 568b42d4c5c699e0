"""`evolution`: lays out its next builds and improves the layout by small changes, the method of `architect`.

The search is `kernels/evolution.py`.
"""

from __future__ import annotations

from spielbaum.games.quick_civ.kernels import evolution as template
from spielbaum.games.quick_civ.players.planner import PARAMS, THEMES, Planner, kind
from spielbaum.params import Param

HEAT = Param("heat", 0.0, "points by which a changed plan may be worse, on average", low=0, tune=(0.0, 40.0))


class Evolution(Planner):
    """Rolling horizon evolution."""

    name = "evolution"

    def run(self, iterations: int) -> int:
        """Try so many changes of the plan."""
        kernels = self.game.kernels.link(template)
        found = (self.soldiers, self.themes, self.tried, self.values_of, self.rng, iterations)
        return int(kernels.run(self.context, self.trail, self.states, self.plans, self.task, self.weights, *found))


EVOLUTION = kind(
    Evolution, "evolves a plan of its next builds, by the points that it promises", (*PARAMS, THEMES, HEAT)
)
