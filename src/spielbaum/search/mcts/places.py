"""Walking through a tree of MCTS from Python, action by action, whatever it was grown from.

In a tree of turns a place is an edge. In a tree of rounds it is a round and what its first movers have chosen:
the statistics of the next one do not depend on that, and only a whole joint action leads on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from spielbaum.game import State
from spielbaum.search.mcts.decide import LOST, WON
from spielbaum.search.mcts.growers import Grower, next_round
from spielbaum.search.mcts.tree import PROVEN, ROOT


@dataclass(frozen=True)
class Place:
    """Where one is in a tree, with the position there as the tree supposes it to be."""

    grower: Grower
    state: State
    edge: int = ROOT
    key: np.uint64 | None = None
    choices: dict[int, int] = field(default_factory=dict)

    def children(self) -> list[int]:
        """The edges from here."""
        if self.key is None:
            return self.grower.children(self.edge)
        return [] if self.state.over else self.grower.decisions(self.key, self.state)

    def child(self, action: int) -> int:
        """The edge of an action, -1 if there is none."""
        return next((edge for edge in self.children() if self.grower.tree.edges[edge].action == action), -1)

    def visits(self, edge: int) -> float:
        return float(self.grower.tree.edges["visits"][edge])

    def visited(self) -> list[int]:
        """The edges from here that were tried, the most visited first."""
        return sorted((edge for edge in self.children() if self.visits(edge) > 0), key=lambda edge: -self.visits(edge))

    def likeliest(self) -> int:
        """The edge that play would go on with: the most visited one, but a proven win first and a loss last; or -1."""
        values = self.proofs()
        order = sorted(self.visited(), key=lambda edge: -rank(values.get(int(self.grower.tree.edges[edge].action))))
        return next(iter(order), -1)

    def proofs(self) -> dict[int, float]:
        """The actions from here whose results are proven, with their exact values for the mover."""
        if "SOLVES" not in self.grower.structure.flags:
            return {}
        edges = self.grower.tree.edges[self.children()]
        known = edges[edges["proven"] == PROVEN]
        return dict(zip(known["action"].tolist(), (known["total"] / known["visits"]).tolist(), strict=True))

    def after(self, edge: int) -> Place:
        """The place behind an edge."""
        action, state = int(self.grower.tree.edges[edge].action), self.state.copy()
        mover, movers = state.player, state.movers
        if action in state.actions:
            state.play(action)
        if self.key is None:
            return Place(self.grower, state, edge)
        choices = {**self.choices, mover: action}
        if len(choices) < len(movers):
            return Place(self.grower, state, edge, self.key, choices)
        return Place(self.grower, state, edge, next_round(self.key, [choices[q] for q in movers]))


def rank(value: float | None) -> int:
    """1 for a proven win, -1 for a proven loss, 0 for all else."""
    return 0 if value is None else (value >= WON) - (value <= LOST)


def root_of(grower: Grower, state: State) -> Place:
    """The place with which a search begins."""
    return Place(grower, state, ROOT, grower.root_key if grower.rounds else None)
