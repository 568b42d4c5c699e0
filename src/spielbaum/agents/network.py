"""Agents with a network: `network` searches with its priors and values, `policy` plays what it likes best.

`network` is Monte Carlo tree search with PUCT, whose leaves are valued at once (AlphaZero: Silver et al. 2017), or, by
an ONNX file, later.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents import mcts
from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.clock import Clock
from spielbaum.compile.bind import Context
from spielbaum.game import Game, State, buffer_size
from spielbaum.networks import files, onnx
from spielbaum.networks.kernels import network
from spielbaum.networks.kernels import planes as planes_template
from spielbaum.networks.net import NetContext, with_net
from spielbaum.params import Param, Value
from spielbaum.search.report import CHANCE, Edge, SearchReport

PUCT: dict[str, Value] = {"select": "puct", "value": "network", "expand": "all", "c": 2.0, "reuse": "keep"}


def objection(game: Game) -> str | None:
    return None if game.has("features") or game.has("planes") else "the game has neither a rule 'features' nor 'planes'"


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
    if values["value"] == "network" and onnx.is_onnx(values["net"]):
        values = values | {"value": "onnx"}
    return (mcts.build_information_set if game.hidden else mcts.build)(game, values, seed)


def policy_params(game: Game) -> tuple[Param, ...]:
    nets = list(files.shipped(game))
    return (Param("net", nets[-1] if nets else "", "the network, a file or the name of one", file=True),)


class NetPolicy(StatelessAgent):
    """Plays the legal action that the network likes best."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game = game
        self.ask = asker(game, values["net"])
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

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the last choice was between."""
        return self.last


Asker = Callable[[State], tuple[np.ndarray, np.ndarray, float]]
"""The legal actions, how likely a network thinks each, and what it gives the player to move."""


def asker(game: Game, name: str) -> Asker:
    """How to ask a network about a position."""
    if onnx.is_onnx(name):
        return functools.partial(ask_onnx, onnx.load(name, game), game.new_context())
    return functools.partial(ask_compiled, with_net(game.new_context(), files.load(name, game)))


def ask_compiled(context: NetContext, state: State) -> tuple[np.ndarray, np.ndarray, float]:
    game, n = state.game, len(state.actions)
    size, players = buffer_size(game.module), game.module.PLAYERS
    results, buffer, priors = np.zeros((1, players)), np.zeros(size, np.int64), np.zeros((1, size))
    game.kernels.link(network).ask(context, state.array, game.players, results, buffer, priors)
    return buffer[:n], priors[0, :n], float(results[0, state.player])


def ask_onnx(net: onnx.OnnxNet, context: Context, state: State) -> tuple[np.ndarray, np.ndarray, float]:
    planes, actions = np.zeros((1, *state.game.module.PLANES), np.float32), np.array(state.actions)
    state.game.kernels.link(planes_template).draw(context, state.array, planes)
    logits, values = net.ask(planes)
    likely = np.exp(logits[0, actions] - logits[0, actions].max())
    return actions, likely / likely.sum(), float(values[0, 0])
