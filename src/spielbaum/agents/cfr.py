"""An agent that has solved the whole game before its first move, for games that are small enough."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.agents.registry import AgentType
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.params import Param, Value
from spielbaum.rules import random_stream
from spielbaum.search.cfr import solve
from spielbaum.search.extensive import Tree, extensive
from spielbaum.search.mcts.decide import sample_index

Options = tuple[tuple[str, Value], ...]
PARAMS = (Param("traversals", 100, "of the whole tree; the more, the nearer to an equilibrium", low=1),)


class Stopped(Exception):
    """Somebody needs an answer before the game is solved."""


@dataclass(frozen=True)
class Ask:
    """Tells a solver when to stop; all are equal, so that a solution is found whoever asks for it."""

    stop: Callable[[int], None] = field(compare=False)


@functools.lru_cache(maxsize=4)
def solved(module: types.ModuleType, options: Options, traversals: int, ask: Ask) -> tuple[Tree, np.ndarray]:
    """A game's tree and its strategy, solved once in a process."""
    tree = extensive(Game(module, dict(options)), ask.stop)
    return tree, solve(tree, traversals, ask.stop)


class Cfr(StatelessAgent):
    """Draws its action from a strategy for the whole game, found by counterfactual regret minimisation.

    Where it is stopped before it has solved the game, any action is as good as another.
    """

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.key = game.module, tuple(game.options.items()), values["traversals"]
        self.rng = random_stream(seed)
        self.last: dict[int, float] | None = None
        self.enough = threading.Event()

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        self.enough.clear()
        actions, chances = self.strategy(state, watch)
        self.last = dict(zip(actions, chances.tolist(), strict=True))
        return actions[sample_index(chances, self.rng)]

    def strategy(self, state: State, watch: Watch | None) -> tuple[list[int], np.ndarray]:
        """The legal actions, and how likely each is played."""

        def ask(done: int) -> None:
            if watch is not None:
                watch()
            if self.enough.is_set():
                raise Stopped

        try:
            tree, strategy = solved(*self.key, Ask(ask))
        except Stopped:
            return state.actions, np.full(len(state.actions), 1 / len(state.actions))
        view = tree.views[state.player, state.array.tobytes()]
        return view.actions, strategy[view.slot : view.slot + len(view.actions)]

    def stop(self) -> None:
        """Answer soon, from any thread."""
        self.enough.set()

    def chances(self) -> dict[int, float] | None:
        """The strategy at the last decision."""
        return self.last


CFR = AgentType("cfr", "plays by a near equilibrium of the whole game, which it solves first", lambda game: PARAMS, Cfr)
