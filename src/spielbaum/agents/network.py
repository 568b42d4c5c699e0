"""Agents with a network: `network` searches with its priors and values, `policy` plays what it likes best.

`network` is Monte Carlo tree search with PUCT, whose leaves are valued at once (AlphaZero: Silver et al. 2017).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents import mcts
from spielbaum.agents.agent import Reflex, Watch
from spielbaum.clock import Clock
from spielbaum.game import Game, State, buffer_size
from spielbaum.networks import files
from spielbaum.networks.net import with_net
from spielbaum.params import Param, Value
from spielbaum.search.report import CHANCE, Edge, SearchReport

PUCT: dict[str, Value] = {"select": "puct", "value": "network", "expand": "all", "c": 2.0, "reuse": "keep"}


def objection(game: Game) -> str | None:
    return None if game.has("features") else "the game has no rule 'features'"


def lacks_net(kind: str, game: Game) -> bool:
    """Whether an agent plays only with a net of somebody's own, as none comes with the game."""
    return kind in ("network", "policy") and not files.shipped(game)


def params(game: Game) -> tuple[Param, ...]:
    """Those of tree search, with a network where leaves are valued."""
    general = mcts.information_set_params(game) if game.hidden else mcts.params(game)
    nets = list(files.shipped(game))
    defaults: dict[str, Value] = PUCT | {"net": nets[-1] if nets else ""}
    return tuple(replace(param, default=defaults[param.name]) if param.name in defaults else param for param in general)


def build(game: Game, values: dict[str, Any], seed: int) -> Any:
    return (mcts.build_information_set if game.hidden else mcts.build)(game, values, seed)


def policy_params(game: Game) -> tuple[Param, ...]:
    nets = list(files.shipped(game))
    return (Param("net", nets[-1] if nets else "", "the network, a file or the name of one"),)


class NetPolicy(Reflex):
    """Plays the legal action that the network likes best."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game = game
        self.context = with_net(game.new_context(), files.load(values["net"], game))
        self.last: SearchReport | None = None

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        begin = time.monotonic()
        actions, priors, value = self.ask(state)
        order = np.argsort(-priors, kind="stable")
        chosen = int(actions[order[0]])
        self.last = SearchReport(
            algorithm="policy",
            player=state.player,
            action=chosen,
            value=value,
            edges=[
                Edge(int(actions[i]), state.format(int(actions[i])), 0.0, None, prior=float(priors[i])) for i in order
            ],
            principal_variation=[chosen],
            line=[state.format(chosen)],
            nodes=1,
            depth=0,
            seconds=time.monotonic() - begin,
            unit=CHANCE,
        )
        return chosen

    def ask(self, state: State) -> tuple[np.ndarray, np.ndarray, float]:
        """The legal actions, how likely the network thinks each, and what it gives the player to move."""
        size, players = buffer_size(self.game.module), self.game.module.PLAYERS
        results, buffer, priors = np.zeros((1, players)), np.zeros(size, np.int64), np.zeros((1, size))
        self.game.kernels.network.ask(self.context, state.array, self.game.players, results, buffer, priors)
        n = len(state.actions)
        return buffer[:n], priors[0, :n], float(results[0, state.player])

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the last choice was between."""
        return self.last
