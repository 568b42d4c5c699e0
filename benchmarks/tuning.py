"""What a tuner costs beyond its games: proposing and resolving agents, keeping the store, judging what was played."""

from __future__ import annotations

import pathlib
import statistics
import tempfile
import time
from unittest import mock

import numpy as np

from benchmarks.result import ROUNDS, Result
from spielbaum.arena import executors
from spielbaum.arena.game_batch import GameBatch
from spielbaum.game import load
from spielbaum.tune.job import Job, prepare
from spielbaum.tune.run import tune

GAMES = 300
AGENT = "mcts:iterations=200"
METHODS = ("evolution", "ntbea", "spsa")


def overhead(method: str) -> Result:
    """Games per second of processor time in a tuning run with a store, beside those while it plays them."""
    job = prepare(load("connect-four"), [AGENT], vary=["c"], name=method, games=GAMES, test_games=0)
    measured(job)  # compiles
    rounds = [measured(job) for _ in range(ROUNDS)]
    whole, played = map(statistics.median, zip(*rounds, strict=True))
    return Result(f"tuning/{method}", whole, "games/s", "its games alone", played)


def measured(job: Job) -> tuple[float, float]:
    """Games per second of a run, and of its games: of one run, as two of them would differ by what else goes on."""
    spent = 0.0

    class Timed(executors.Worker):
        def play(self, numbers: np.ndarray) -> tuple[list[GameBatch], float]:
            nonlocal spent
            begin = time.process_time()
            found = super().play(numbers)
            spent += time.process_time() - begin
            return found

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(executors, "Worker", Timed):
        begin = time.process_time()
        games = tune(job, store=pathlib.Path(folder) / "games.db").games
        return games / (time.process_time() - begin), games / spent
