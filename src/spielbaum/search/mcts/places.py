"""Walking through a tree of MCTS from Python, action by action, whatever it was grown from.

In a tree of turns a place is an edge. In a tree of rounds it is a round and what its first movers have chosen:
the statistics of the next one do not depend on that, and only a whole joint action leads on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from spielbaum.game import State
from spielbaum.search.mcts.decide import LOST, WON
from spielbaum.search.mcts.search_tree import SearchTree, next_round
from spielbaum.search.mcts.tree import ROOT


@dataclass(frozen=True)
class Place:
    """Where one is in a tree, with the position there as the tree supposes it to be."""

    tree: SearchTree
    state: State
    edge: int = ROOT
    key: np.uint64 | None = None
    choices: dict[int, int] = field(default_factory=dict)

    def children(self) -> list[int]:
        """The edges from here."""
        if self.key is None:
            return self.tree.children(self.edge)
        return [] if self.state.over else self.tree.decisions(self.key, self.state)

    def child(self, action: int) -> int:
        """The edge of an action, -1 if there is none."""
        return next((edge for edge in self.children() if self.tree.arrays.edges[edge].action == action), -1)

    def visits(self, edge: int) -> float:
        return float(self.tree.arrays.edges["visits"][edge])

    def visited(self) -> list[int]:
        """The edges from here that were tried, the most visited first."""
        return sorted((edge for edge in self.children() if self.visits(edge) > 0), key=lambda edge: -self.visits(edge))

    def likeliest(self) -> int:
        """The edge that play would go on with: the most visited one, but a proven win first and a loss last; or -1."""
        values, actions = self.proofs(), self.tree.arrays.edges["action"]
        order = sorted(self.visited(), key=lambda edge: -rank(values.get(int(actions[edge]))))
        return next(iter(order), -1)

    def proofs(self) -> dict[int, float]:
        """The actions from here whose results are proven, with their exact values for the mover."""
        proven, actions = self.tree.proven(self.children()), self.tree.arrays.edges["action"]
        return {int(actions[edge]): value for edge, value in proven.items()}

    def before(self, edge: int) -> State:
        """The position in which an edge is chosen.

        Where only own decisions are in the tree, all others are supposed to take their first legal action until then.
        """
        state = self.state.copy()
        if "OWN_ONLY" in self.tree.variant.flags:
            mover = int(self.tree.arrays.edges[edge].mover)
            while not state.over and state.player != mover:
                state.play(state.actions[0])
        return state

    def after(self, edge: int) -> Place:
        """The place behind an edge."""
        action, state = int(self.tree.arrays.edges[edge].action), self.before(edge)
        mover, movers = state.player, state.movers
        if action in state.actions:
            state.play(action)
        if self.key is None:
            return Place(self.tree, state, edge)
        choices = {**self.choices, mover: action}
        if len(choices) < len(movers):
            return Place(self.tree, state, edge, self.key, choices)
        return Place(self.tree, state, edge, next_round(self.key, [choices[q] for q in movers]))


def rank(value: float | None) -> int:
    """1 for a proven win, -1 for a proven loss, 0 for all else."""
    return 0 if value is None else (value >= WON) - (value <= LOST)


def root_of(tree: SearchTree, state: State) -> Place:
    """The place with which a search begins."""
    return Place(tree, state, ROOT, tree.root_key if tree.rounds else None)
