"""Networks in kernels: evaluations per second in the tree, and moves per second of self-play, on one core.

What a net has learned does not matter for its speed, but how many of its units are silent does: weights are random.
"""

from __future__ import annotations

import pathlib
import tempfile

from spielbaum.agents import make
from spielbaum.benchmarks.result import Result, medians, rate
from spielbaum.game import load
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from spielbaum.networks.selfplay import BATCH, Course, Player

SIZE, SEED = "256-32", 1
ITERATIONS = 100_000


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


def self_play() -> Result:
    """Moves of Connect Four, each searched by 64 simulations."""
    game = load("connect-four")
    player = Player(game, random_weights(game, SIZE, SEED), Course(simulations=64, few=64, share=1.0))
    player.play(SEED, 0)

    def played() -> float:
        return float(player.play(SEED, 1, BATCH)[1])

    return Result("networks/self-play", medians(lambda: rate(played))[0], "moves/s")
