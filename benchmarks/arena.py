"""What the arena costs above the games themselves, and how it scales."""

from __future__ import annotations

import pathlib
import tempfile
import time

import numpy as np

from benchmarks.kernels import playouts as template
from benchmarks.result import Result, medians, rate
from spielbaum.arena import Store, make_plan, play
from spielbaum.arena.executors import Worker
from spielbaum.arena.kernel_runner import KernelRunner, kernel_runner_for
from spielbaum.game import load

GAMES = 200_000
SEARCHED = 60
SCALING = 300
STORED = 100_000
POLICY, GAME = "roomy", "light-cycles"
SEARCH = "mcts:iterations=1000"


def batches() -> Result:
    """Games per second of processor time between compiled policies, beside a kernel that only plays them."""
    game = load(GAME)
    plan = make_plan(game, [POLICY, POLICY], GAMES, rotate=False)
    runner = kernel_runner_for(plan, game)
    assert runner is not None
    between(runner, 1)

    def arena() -> float:
        return rate(lambda: play(plan).games)

    def bare() -> float:
        return rate(lambda: between(runner, GAMES))

    ours, theirs = medians(arena, bare, rounds=5)
    return Result("arena/batch", ours, "games/s", "the bare kernel", theirs)


def between(runner: KernelRunner, games: int) -> float:
    """Play so many games in the bare kernel."""
    game, work = runner.game, runner.work
    work["dice"], work["rng"] = 1, 2
    game.kernels.link(template).between(game.context, runner.states, work, runner.policies, runner.weights, games)
    return games


def overhead() -> Result:
    """What a game of a match between searches costs beyond their thinking, in milliseconds."""
    plan = make_plan(load("connect-four"), [SEARCH, SEARCH], SEARCHED)
    play(plan)  # compiles

    def beyond() -> float:
        with tempfile.TemporaryDirectory() as folder, Store(pathlib.Path(folder) / "games.db") as store:
            run = play(plan, store=store)
            thought = sum(float(batch.seconds.sum()) for batch in run.batches)
            return 1000 * (run.seconds - thought) / run.games

    return Result("arena/overhead", medians(beyond)[0], "ms/game")


def workers() -> Result:
    """Games per second of two processes beside one, in a match between searches."""
    plan = make_plan(load("connect-four"), [SEARCH, SEARCH], SCALING)

    def speed(number: int) -> float:
        """Between the first and the last games that count: to start a process takes a second, once."""
        begun, seen = time.perf_counter(), list[tuple[float, int]]()
        play(plan, workers=number, watch=lambda run: seen.append((time.perf_counter(), run.games)))
        (begin, first), (end, last) = seen[0] if len(seen) > 1 else (begun, 0), seen[-1]  # few games may come at once
        return (last - first) / (end - begin)

    two, one = medians(lambda: speed(2), lambda: speed(1))
    return Result("arena/workers", two, "games/s", "one worker", one)


def storing() -> Result:
    """Games per second that the store takes in batches, until they are on the disk."""
    game = load(GAME)
    plan = make_plan(game, [POLICY, "random"], STORED)
    batches, _ = Worker(plan).play(np.arange(STORED))

    def store_all() -> float:
        with tempfile.TemporaryDirectory() as folder, Store(pathlib.Path(folder) / "games.db") as store:
            run = store.create_run("match", plan, "")
            begin = time.perf_counter()
            for batch in batches:
                store.add(run, batch)
                store.commit()
            return STORED / (time.perf_counter() - begin)

    return Result("arena/store", medians(store_all)[0], "games/s")
