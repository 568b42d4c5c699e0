"""MCTS: simulations per second beside OpenSpiel's C++ MCTSBot, threads, and memory."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable

from benchmarks.result import Result, medians, open_spiel, rate
from spielbaum.agents import make
from spielbaum.game import load
from spielbaum.params import Value
from spielbaum.search.mcts import Mcts
from spielbaum.search.mcts.tree import tree_bytes

SIMULATIONS = 10_000
MOVES = 10  # searches per measurement
PER_THREAD = 200_000


def simulations(title: str, name: str | pathlib.Path, peer_name: str | None = None, **options: Value) -> Result:
    """Simulations per second of processor time: one thread, random playouts, C = 1.4."""
    game = load(name, **options)
    state = game.new()
    agent = make(f"mcts:iterations={SIMULATIONS},c=1.4", game, seed=1)
    agent.act(state)

    def ours() -> float:
        for _ in range(MOVES):
            agent.act(state)
        return MOVES * SIMULATIONS

    unit = "simulations/s"
    pyspiel = open_spiel() if peer_name else None
    if pyspiel is None:
        return Result(title, medians(lambda: rate(ours))[0], unit)
    peer_game = pyspiel.load_game(peer_name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(peer_game, evaluator, 1.4, SIMULATIONS, 1000, False, 1, False)

    def theirs() -> float:
        bot.mcts_search(peer_game.new_initial_state())
        return SIMULATIONS

    value, peer_value = medians(lambda: rate(ours), lambda: rate(theirs), rounds=5)
    return Result(title, value, unit, "OpenSpiel MCTSBot (C++)", peer_value)


def two_threads() -> Result:
    """Simulations per second of real time on two threads, beside one."""
    game = load("connect-four")
    state = game.new()

    def pace(threads: int) -> Callable[[], float]:
        agent = make(f"mcts:iterations={PER_THREAD * threads},threads={threads}", game, seed=1)
        agent.act(state)

        def measure() -> float:
            begin = time.perf_counter()
            for _ in range(MOVES):
                agent.act(state)
            return MOVES * PER_THREAD * threads / (time.perf_counter() - begin)

        return measure

    both, single = medians(pace(2), pace(1), rounds=5)
    return Result("mcts/threads", both, "simulations/s", "one thread", single)


def bytes_per_edge() -> Result:
    """Memory of a tree per edge of its arrays, after 300 000 simulations of Connect Four."""
    game = load("connect-four")
    agent = make("mcts:iterations=300000", game, seed=1)
    agent.act(game.new())
    search = agent.search  # type: ignore[attr-defined]
    assert isinstance(search, Mcts)
    tree = search.trees[0].arrays
    return Result("mcts/memory", tree_bytes(tree) / len(tree.edges), "bytes/edge")
