"""Networks in kernels: evaluations per second in the tree and in alpha-beta, and moves per second of self-play.

All on one core.
What a net has learned does not matter for its speed, but how many of its units are silent does: weights are random.
"""

from __future__ import annotations

import pathlib
import tempfile
from typing import Any

import numpy as np

from benchmarks.result import ROUNDS, Result, medians, rate
from spielbaum.agents import make
from spielbaum.game import Game, load
from spielbaum.networks import files
from spielbaum.networks.net import random_weights, shapes
from spielbaum.training.selfplay import BATCH, SelfPlayConfig, SelfPlayer

SIZE, SEED = "256-32", 1
ITERATIONS = 100_000
SEARCHED = {"connect-four": (SIZE, 12), "latrunculi": ("64-32", 5)}  # by alpha-beta: the size of the net, and the depth


def in_tree(name: str) -> Result:
    """Iterations of `network`, each of which values a leaf; nodes that are expanded get priors as well."""
    game = load(name)
    with tempfile.TemporaryDirectory() as folder:
        net = pathlib.Path(folder) / "random.npz"
        files.save(net, game, SIZE, random_weights(game, SIZE, SEED))
        agent = make(f"network:net={net},iterations={ITERATIONS},reuse=fresh", game, SEED)
    state = game.new(SEED)
    agent.act(state)

    def searched() -> float:
        agent.act(state)
        return float(ITERATIONS)

    return Result(f"networks/{name}", medians(lambda: rate(searched))[0], "evaluations/s")


def in_alphabeta(name: str) -> Result:
    """Evaluations at the leaves of a search to a fixed depth, with a net of the size that such searches use."""
    game, (size, depth) = load(name), SEARCHED[name]
    with tempfile.TemporaryDirectory() as folder:
        net = pathlib.Path(folder) / "random.npz"
        files.save(net, game, size, random_weights(game, size, SEED) | random_heads(game, size))
        agents = [make(f"alphabeta:depth={depth},evaluate={net}", game, SEED) for _ in range(ROUNDS + 1)]
    state = game.new(SEED)
    agents.pop().act(state)

    def searched() -> float:
        agent: Any = agents.pop()  # whose table is empty
        agent.act(state)
        return float((agent.search.context.kept.turn - 1).sum())

    return Result(f"networks/alphabeta-{name}", medians(lambda: rate(searched))[0], "evaluations/s")


def random_heads(game: Game, size: str) -> dict[str, np.ndarray]:
    """A value head that tells positions apart, without which alpha-beta has nothing to prune by."""
    shape = shapes(game, size)["value"]
    return {"value": np.random.default_rng(SEED).normal(0.0, 0.3, shape).astype(np.float32)}


def self_play() -> Result:
    """Moves of Connect Four, each searched by 64 simulations."""
    game = load("connect-four")
    weights = random_weights(game, SIZE, SEED)
    player = SelfPlayer(game, weights, weights, SelfPlayConfig(simulations=64, few=64, share=1.0))
    player.play(SEED, 0)

    def played() -> float:
        return float(player.play(SEED, 1, BATCH)[1])

    return Result("networks/self-play", medians(lambda: rate(played))[0], "moves/s")
