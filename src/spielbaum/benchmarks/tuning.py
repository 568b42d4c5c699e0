"""What a tuner costs beyond its games: proposing and resolving agents, keeping the store, judging what was played."""

from __future__ import annotations

import pathlib
import tempfile

import numpy as np

from spielbaum.arena import Store
from spielbaum.arena.executors import Worker
from spielbaum.benchmarks.result import Result, medians, rate
from spielbaum.game import load
from spielbaum.tune.job import prepare
from spielbaum.tune.run import tune

GAMES, ROUNDS = 200, 5  # short turns: a busy machine disturbs both alike
AGENT = "mcts:iterations=200"
METHODS = ("evolution", "ntbea", "spsa")


def overhead(method: str) -> Result:
    """Games per second of processor time in a tuning run, beside those of the same games without tuner and store."""
    job = prepare(load("connect-four"), [AGENT], vary=["c"], name=method, games=GAMES, test_games=0)
    with tempfile.TemporaryDirectory() as folder, Store(pathlib.Path(folder) / "games.db") as store:
        tune(job, store=store)  # compiles
        plans = [run.plan for run in store.runs()]

    def tuned() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return rate(lambda: tune(job, store=pathlib.Path(folder) / "games.db").games)

    def alone() -> float:
        return rate(lambda: sum(len(block) for plan in plans for block in Worker(plan).play(np.arange(plan.total))[0]))

    ours, bare = medians(tuned, alone, rounds=ROUNDS)
    return Result(f"tuning/{method}", ours, "games/s", "its games alone", bare)
