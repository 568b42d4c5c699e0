"""Amazons, where over two thousand moves are legal at once: simulations per second, and memory."""

from __future__ import annotations

from benchmarks.mcts import simulations
from benchmarks.result import Result
from spielbaum.agents import make
from spielbaum.game import load

ITERATIONS = 100_000
MEGABYTE = 1 << 20


def searching() -> Result:
    """Simulations per second beside OpenSpiel's, which makes three moves of one: from, to, arrow."""
    return simulations("wide/amazons", "amazons", "amazons")


def memory() -> Result:
    """What the tree takes after so many simulations of the first position."""
    game = load("amazons")
    agent = make(f"mcts:iterations={ITERATIONS},c=1.4", game, seed=1)
    agent.act(game.new())
    report = agent.report()
    assert report is not None
    return Result("wide/memory", report.memory / MEGABYTE, "MB")
