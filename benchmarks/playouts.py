"""Random games from start to end inside one kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.kernels import playouts as template
from benchmarks.result import Result, medians, rate
from spielbaum.game import Game, buffer_size, load
from spielbaum.rules import random_stream

GAMES, LIMIT = 300_000, 5000


def random_games() -> Result:
    """Games of Connect Four per second of processor time on one core."""
    play = player(load("connect-four"), GAMES)

    def games() -> float:
        play()
        return GAMES

    return Result("playouts/connect-four", medians(lambda: rate(games))[0], "games/s")


def player(game: Game, games: int) -> Callable[[], float]:
    """A function that plays so many random games and answers how many plies they had; already compiled."""
    states = np.zeros(2, game.rules.STATE)
    states[0] = game.new().record
    buffer, rng = np.zeros(buffer_size(game.module), np.int64), random_stream(1)
    results, totals = np.zeros(game.module.PLAYERS), np.zeros(game.module.PLAYERS)

    def play(number: int = games) -> float:
        return float(game.kernels.link(template).run(game.context, states, buffer, results, totals, rng, number, LIMIT))

    play(1)
    return play
