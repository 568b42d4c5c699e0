"""Games from plain rules, as a new author writes them: how fast they are searched, and how soon."""

from __future__ import annotations

import pathlib
import resource
import tempfile

from spielbaum.benchmarks.mcts import simulations
from spielbaum.benchmarks.result import Result, medians
from spielbaum.benchmarks.start import FIRST_MOVE, seconds

GAMES = pathlib.Path(__file__).with_name("games")
NAMES = ("breakthrough", "othello", "hex")  # OpenSpiel calls them the same


def file_of(name: str) -> pathlib.Path:
    return GAMES / f"{name}.py"


def searching(name: str) -> Result:
    """Simulations per second beside OpenSpiel's."""
    return simulations(f"authors/{name}", file_of(name), name)


def cold(name: str) -> Result:
    """Processor time of a fresh process until its first move, with nothing in the cache."""
    code = FIRST_MOVE.format(str(file_of(name)))

    def once() -> float:
        with tempfile.TemporaryDirectory() as folder:
            before = of_children()
            seconds(code, folder)
            return of_children() - before

    return Result(f"authors/{name}-cold", medians(once)[0], "s")


def of_children() -> float:
    """The processor time of all processes that were started from here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
