"""Every benchmark runs, in a form so short that its figure means nothing."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

import benchmarks
from benchmarks import (
    BENCHMARKS,
    alphabeta,
    arena,
    host,
    latrunculi,
    mcts,
    networks,
    playouts,
    quick_civ,
    scotland_yard,
    spe_ed,
    strength,
    tuning,
    web,
    wide,
)

SHORT: dict[Any, dict[str, Any]] = {
    alphabeta: {"DEPTH": 3, "PEER_DEPTH": 1, "SMALL": "alphabeta:depth=3,table=1,replace={}", "LINES": ("",)},
    arena: {"GAMES": 200, "SEARCHED": 4, "SCALING": 4, "STORED": 200, "SEARCH": "mcts:iterations=10"},
    host: {"GAMES": 1, "MEASURED": 2.0},
    latrunculi: {"DEPTH": 2, "FAR": "alphabeta:depth=4,reduce=on", "GAMES": 2, "PLAIN_PLIES": 300},
    mcts: {"SIMULATIONS": 50, "MOVES": 1, "PER_THREAD": 100},
    networks: {"ITERATIONS": 100, "SEARCHED": {"connect-four": ("256-32", 2), "latrunculi": ("64-32", 1)}},
    playouts: {"GAMES": 20},
    quick_civ: {"GAMES": 1, "ROUNDS": 5, "OPENING": 2, "MOVES": 1},
    scotland_yard: {"PLANNING": scotland_yard.PLANNING.replace("iterations=2000", "iterations=5")},
    spe_ed: {"GAMES": 50, "POSITIONS": 5, "APART": 1, "REPEATS": 50, "ITERATIONS": 200},
    strength: {"GAMES": 4, "SIMULATIONS": 10},
    tuning: {"GAMES": 20, "AGENT": "mcts:iterations=5"},
    web: {"THINKING": (0.0, 0.1), "MEASURED": 1.0},
    wide: {"ITERATIONS": 50},
}
QUICK = (
    "mcts/tic-tac-toe",
    "mcts/memory",
    "alphabeta/connect-four",
    "playouts/connect-four",
    "arena/batch",
    "arena/store",
    "latrunculi/playouts",
    "start/import",
)
FRUITLESS = ("host-missed", "host-bots-missed", "tuning/", "overhead")  # may be nothing, or less where time is short


@pytest.fixture
def short(monkeypatch):
    """Benchmarks that take as little time as they can."""
    for module, values in SHORT.items():
        for name, value in values.items():
            monkeypatch.setattr(module, name, value)
    games, wait = scotland_yard.games, web.wait_under_load
    monkeypatch.setattr(scotland_yard, "games", lambda mrx, detectives, _: games(mrx, detectives, 20))
    monkeypatch.setattr(web, "wait_under_load", lambda game, percent, _=0: wait(game, percent, 2))


def marked(name: str) -> Any:
    needs = [pytest.mark.needs("pyspiel")] if name.startswith("strength/") else []
    return name if name in QUICK else pytest.param(name, marks=[pytest.mark.slow, *needs])


@pytest.mark.parametrize("name", list(map(marked, BENCHMARKS)))
def test_a_benchmark_runs_and_gives_a_figure(short, name):
    benchmark = BENCHMARKS[name]
    if isinstance(benchmark, functools.partial) and name.startswith("web/"):
        benchmark = functools.partial(web.wait_under_load, *benchmark.args)
    result = benchmark()
    assert math.isfinite(result.value) and result.unit
    assert result.name == name or name.startswith("web/")
    if not any(part in name for part in FRUITLESS):
        assert result.value > 0


def test_the_short_forms_are_of_constants_that_there_are():
    assert set(QUICK) <= set(benchmarks.BENCHMARKS)
    assert all(hasattr(module, name) for module, values in SHORT.items() for name in values)
