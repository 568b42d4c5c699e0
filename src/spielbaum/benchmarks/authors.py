"""Games from plain rules, as a new author writes them: how fast they are searched, and how soon."""

from __future__ import annotations

import pathlib

from spielbaum.benchmarks.mcts import simulations
from spielbaum.benchmarks.result import Result
from spielbaum.benchmarks.start import first_move

GAMES = pathlib.Path(__file__).with_name("games")
NAMES = ("breakthrough", "othello", "hex")  # OpenSpiel calls them the same


def file_of(name: str) -> pathlib.Path:
    return GAMES / f"{name}.py"


def searching(name: str) -> Result:
    """Simulations per second beside OpenSpiel's."""
    return simulations(f"authors/{name}", file_of(name), name)


def cold(name: str) -> Result:
    """Processor time until the first move, with nothing in the cache."""
    return first_move(f"authors/{name}-cold", str(file_of(name)))
