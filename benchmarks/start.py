"""How long it takes to get going: import, first move from a warm cache, compilation from nothing."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks.result import Result, medians
from spielbaum.compile.cache import CACHE_VARIABLE

FIRST_MOVE = """
import spielbaum
game = spielbaum.load({!r})
spielbaum.agent("mcts:iterations=1000", game, seed=1).act(game.new())
"""
CONNECT_FOUR = FIRST_MOVE.format("connect-four")
EVERYTHING = "import spielbaum.cli; spielbaum.cli.main(['warm', 'connect-four'])"


def seconds(code: str, cache: str | None = None) -> float:
    """The time of a fresh process that runs some code, from its start to its end."""
    environment = {**os.environ, CACHE_VARIABLE: cache} if cache else dict(os.environ)
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
    return time.perf_counter() - begin


def importing() -> Result:
    """A process that only imports the engine; `import spielbaum` alone puts that off."""
    return Result("start/import", medians(lambda: seconds("import spielbaum.agents"), rounds=5)[0], "s")


def from_a_warm_cache() -> Result:
    """A second process, to the end of its first move of Connect Four by MCTS."""
    seconds(CONNECT_FOUR)
    return Result("start/warm", medians(lambda: seconds(CONNECT_FOUR), rounds=5)[0], "s")


def cold_compilation() -> Result:
    """Everything that Connect Four needs, compiled into an empty cache."""

    def once() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return seconds(EVERYTHING, folder)

    return Result("start/cold", medians(once)[0], "s")


def first_move(title: str, game: str) -> Result:
    """Processor time of a fresh process until its first move by MCTS, with nothing in the cache."""
    code = FIRST_MOVE.format(game)

    def once() -> float:
        with tempfile.TemporaryDirectory() as folder:
            before = of_children()
            seconds(code, folder)
            return of_children() - before

    return Result(title, medians(once)[0], "s")


def of_children() -> float:
    """The processor time of all processes that were started from here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
