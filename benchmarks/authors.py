"""Games from plain rules, as a new author writes them: how fast they are searched, and how soon."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable

from benchmarks.mcts import SIMULATIONS, simulations
from benchmarks.result import Result, medians, rate
from benchmarks.start import first_move
from spielbaum.agents import make
from spielbaum.game import Game, load

GAMES = pathlib.Path(__file__).with_name("games")
NAMES = ("breakthrough", "othello", "hex")  # OpenSpiel calls them the same


def file_of(name: str) -> pathlib.Path:
    return GAMES / f"{name}.py"


def searching(name: str) -> Result:
    """Simulations per second beside OpenSpiel's."""
    return simulations(f"authors/{name}", file_of(name), name)


def in_tables() -> Result:
    """Simulations per second of Othello with its lines in a table, beside the same rules with them in a global."""
    text = file_of("othello").read_text()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "othello_with_globals.py"
        path.write_text(with_globals(text))
        paces = [pace(load(file)) for file in (file_of("othello"), path)]
        tables, constants = medians(*paces, rounds=5)
    return Result("authors/tables", tables, "simulations/s", "global arrays", constants)


def with_globals(text: str) -> str:
    """The text of Othello's rules with the table as a global array."""
    text = text.replace("t.line.shape[1]", "DIRECTIONS").replace("t.line", "LINE").replace("(t, s", "(s")
    return text.replace("@rule\ndef start", "LINE = tables().line\n\n\n@rule\ndef start")


def pace(game: Game) -> Callable[[], float]:
    """How to measure the simulations per second of processor time at the start of a game."""
    agent, state = make(f"mcts:iterations={SIMULATIONS}", game, seed=1), game.new()
    agent.act(state)

    def search() -> float:
        agent.act(state)
        return SIMULATIONS

    return lambda: rate(search)


def cold(name: str) -> Result:
    """Processor time until the first move, with nothing in the cache."""
    return first_move(f"authors/{name}-cold", str(file_of(name)))
