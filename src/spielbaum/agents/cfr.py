"""An agent that has solved the whole game before its first move, for games that are small enough."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from spielbaum.agents.agent import Reflex, Watch
from spielbaum.agents.kinds import Kind
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.params import Param, Value
from spielbaum.rules import random_stream
from spielbaum.search.cfr import solve
from spielbaum.search.extensive import Tree, extensive
from spielbaum.search.mcts.decide import drawn

Options = tuple[tuple[str, Value], ...]
PARAMS = (Param("traversals", 100, "of the whole tree; the more, the nearer to an equilibrium", low=1),)


@functools.lru_cache(maxsize=4)
def solved(module: types.ModuleType, options: Options, traversals: int) -> tuple[Tree, np.ndarray]:
    """A game's tree and its strategy, solved once in a process."""
    tree = extensive(Game(module, dict(options)))
    return tree, solve(tree, traversals)


class Cfr(Reflex):
    """Draws its action from a strategy for the whole game, found by counterfactual regret minimisation."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.key = game.module, tuple(game.options.items()), values["traversals"]
        self.rng = random_stream(seed)
        self.last: dict[int, float] | None = None

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        tree, strategy = solved(*self.key)
        view = tree.views[state.player, state.array.tobytes()]
        chances = strategy[view.slot : view.slot + len(view.actions)]
        self.last = dict(zip(view.actions, chances.tolist(), strict=True))
        return view.actions[drawn(chances, self.rng)]

    def chances(self) -> dict[int, float] | None:
        """The strategy at the last decision."""
        return self.last


CFR = Kind("cfr", "plays by a near equilibrium of the whole game, which it solves first", lambda game: PARAMS, Cfr)
