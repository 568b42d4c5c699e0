"""The strategy of an agent: how likely it plays each action.

An agent that draws its action tells how likely each of them was (`decide=mix`). Of any other only the answer is known,
which may depend on its seed. Either way the strategy is the mean over agents with several seeds, each of which decides
for the first time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spielbaum.agents.agent import Agent
from spielbaum.agents.registry import make
from spielbaum.game import State
from spielbaum.search.extensive import Tree


def strategy(agent: Agent, view: State, actions: list[int]) -> np.ndarray:
    """How likely an agent plays each action, after it has decided once."""
    chosen = agent.act(view)
    chances = agent.chances() or {chosen: 1.0}
    return np.array([chances.get(action, 0.0) for action in actions])


def whole_strategy(
    tree: Tree, spec: str, searches: int, seed: int, watch: Callable[[int], None] | None = None
) -> np.ndarray:
    """The mean strategy of agents with so many seeds at all that players of a game are shown; by the tree's slots."""
    found = np.zeros(tree.by_view.size)
    for number, view in enumerate(tree.views.values(), 1):
        agents = (make(spec, tree.game, seed + search) for search in range(searches))
        mean = np.mean([strategy(agent, view.state, view.actions) for agent in agents], axis=0)
        found[view.slot : view.slot + len(view.actions)] = mean
        if watch is not None:
            watch(number)
    return found
