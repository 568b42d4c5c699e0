"""The Python side of a component: what it does before, between and after decisions.

A search has one host for each of its components. A component that needs nothing of this keeps the plain `Host`, whose
methods change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spielbaum.game import Game, State
    from spielbaum.search.mcts.search_tree import SearchTree


class Host:
    """What the search asks of a component. `record` is the name of the component's sub-records."""

    def __init__(self, game: Game, values: Mapping[str, Any], record: str):
        self.game, self.values, self.record = game, values, record

    def own(self, tree: SearchTree) -> Any:
        """The fields that the component keeps with a thread: a record whose fields can be read and set by name."""
        return tree.work[0][self.record]

    def edge_field(self, tree: SearchTree, name: str, edges: list[int]) -> np.ndarray:
        """What the component keeps with some edges under a name."""
        found: np.ndarray = tree.arrays.edges[self.record][name][edges]
        return found

    # --- before a decision ------------------------------------------------------------------------

    def context(self, context: Any) -> Any:
        """What kernels see of the game; a network is added here."""
        return context

    def on_new_tree(self, tree: SearchTree) -> None:
        """A tree was made, with zeros in the component's fields."""

    def between_decisions(self, tree: SearchTree, world: np.ndarray) -> None:
        """The position has changed from that of the last decision to `world`."""

    def on_reuse(self, tree: SearchTree) -> None:
        """A part of the old tree has become the tree."""

    def before_decision(self, tree: SearchTree, rng: np.ndarray) -> None:
        """A decision begins; `rng` is its stream of random numbers."""

    def on_budget(self, tree: SearchTree, iterations: int) -> None:
        """It will have so many iterations; 0 where nobody knows."""

    # --- after a search ---------------------------------------------------------------------------

    def is_settled(self, tree: SearchTree) -> bool:
        """Whether nothing is left to search."""
        return False

    def proven(self, tree: SearchTree, edges: list[int]) -> dict[int, float]:
        """Those of some edges whose values are proven, with these values for the mover."""
        return {}

    def ranking(self, tree: SearchTree) -> dict[int, float] | None:
        """What to compare root actions by instead of their visits; None for the visits."""
        return None

    def strategy(self, tree: SearchTree, edges: list[int]) -> np.ndarray | None:
        """How often each of some edges should be played, not normalised; None for the visits."""
        return None

    def value_hook(self) -> str | None:
        """Which rule says what values are counted in; None where the component does not value."""
        return None


class DecideHost(Host):
    """Which root action is played: see the folder `decide`."""

    draws = False
    """Whether the action is drawn from the strategy of the root."""

    def choose(self, visits: np.ndarray, means: np.ndarray) -> int:
        """The index of the chosen child: the most visited one, of equals the first with the largest mean."""
        return int(np.argmax(np.where(visits == visits.max(), means, -np.inf)))

    def is_decided(self, visits: np.ndarray, means: np.ndarray) -> bool:
        """Whether the decision needs no more search."""
        return True


class ReuseHost(Host):
    """What becomes of the tree between two decisions: see the folder `reuse`."""

    keeps = True

    def carry_over(self, tree: SearchTree, state: State, actions: list[int]) -> None:
        """Make what lies behind some actions, played since `state`, the tree: nothing of it."""
        tree.restart()
