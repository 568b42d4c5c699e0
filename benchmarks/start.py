"""How long it takes to get going: import, first move from a warm cache, compilation from nothing."""

from __future__ import annotations

import functools
import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks.result import Result, medians
from spielbaum.compile import shipped
from spielbaum.compile.cache import CACHE_VARIABLE
from spielbaum.game import built_in

FIRST_MOVE = """
import spielbaum
game = spielbaum.load({!r})
spielbaum.agent("mcts:iterations=1000", game, seed=1).act(game.new())
"""
FIRST_DECISION = """
import spielbaum, spielbaum.agents, spielbaum.agents.warm_up as warm_up
game = spielbaum.load({!r})
agent, state = spielbaum.agents.make(spielbaum.agents.opponent(game), game, 1), game.new()
warm_up.LOOK = 0.0
agent.act(state.view(state.player), watch=warm_up.stopping(agent))
"""
COMPILED = {shipped.VARIABLE: "off"}
CONNECT_FOUR = FIRST_MOVE.format("connect-four")
EVERYTHING = "import spielbaum.cli; spielbaum.cli.main(['warm', 'connect-four'])"


def seconds(code: str, cache: str | None = None, **variables: str) -> float:
    """The time of a fresh process that runs some code, from its start to its end."""
    environment = {**os.environ, **variables, **({CACHE_VARIABLE: cache} if cache else {})}
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
            return seconds(EVERYTHING, folder, **COMPILED)

    return Result("start/cold", medians(once)[0], "s")


def first_move(title: str, game: str) -> Result:
    """Processor time of a fresh process until its first move by MCTS, with nothing in the cache."""
    return Result(title, medians(lambda: busy(FIRST_MOVE.format(game), **COMPILED))[0], "s")


def shipped_kernels() -> Result:
    """The same until the first decision of a game's default level, with the kernels that came with the package.

    Of all built-in games the one that takes longest.
    """
    codes = [FIRST_DECISION.format(name) for name in built_in()]
    return Result("start/shipped", max(medians(functools.partial(busy, code))[0] for code in codes), "s")


def busy(code: str, **variables: str) -> float:
    """The processor time of a fresh process with nothing in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        before = of_children()
        seconds(code, folder, **variables)
        return of_children() - before


def of_children() -> float:
    """The processor time of all processes that were started from here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
