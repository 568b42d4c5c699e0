"""Random games of Connect Four from start to end inside one kernel."""

from __future__ import annotations

import numpy as np

from spielbaum.benchmarks.result import Result, medians, rate
from spielbaum.game import buffer_size, load
from spielbaum.rules import random_stream

GAMES, LIMIT = 300_000, 1000


def random_games() -> Result:
    """Games per second of processor time on one core."""
    game = load("connect-four")
    states = np.zeros(2, game.module.STATE)
    states[0] = game.new().record
    buffer, rng = np.zeros(buffer_size(game.module), np.int64), random_stream(1)
    results, totals = np.zeros(game.module.PLAYERS), np.zeros(game.module.PLAYERS)
    kernel = game.kernels.playouts.run
    kernel(game.tables, states, buffer, results, totals, rng, 1, LIMIT)

    def play() -> float:
        kernel(game.tables, states, buffer, results, totals, rng, GAMES, LIMIT)
        return GAMES

    return Result("playouts/connect-four", medians(lambda: rate(play))[0], "games/s")
