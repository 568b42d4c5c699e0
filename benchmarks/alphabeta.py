"""Alpha-beta on Connect Four: positions per second, and what the transposition table and its replacement save."""

from __future__ import annotations

import importlib
import types
from typing import Any

from benchmarks.result import Result, medians, open_spiel, rate
from spielbaum.agents import make
from spielbaum.game import load

DEPTH, PEER_DEPTH = 14, 7
SMALL = "alphabeta:depth=16,table=1,replace={}"
LINES = ("", "d d d d", "d d d e e", "d d e c b b e")  # from the first position to those that are searched


def searched(spec: str, line: str = "") -> float:
    """The positions that a fresh search looks at, of the first position or of the one after a line of moves."""
    game = load("connect-four")
    agent = make(spec, game, seed=1)
    agent.act(game.play_all(line.split()))
    report = agent.report()
    assert report is not None
    return report.nodes


def nodes() -> Result:
    """Positions per second with a table, beside OpenSpiel's alpha-beta (which is written in Python)."""
    spec = f"alphabeta:depth={DEPTH},table=16"
    searched(spec)
    unit = "nodes/s"
    pyspiel = open_spiel()
    if pyspiel is None:
        return Result("alphabeta/connect-four", medians(lambda: rate(lambda: searched(spec)))[0], unit)
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    count = peer_nodes(pyspiel, minimax)

    def theirs() -> float:
        peer_search(pyspiel, minimax)
        return count

    value, peer_value = medians(lambda: rate(lambda: searched(spec)), lambda: rate(theirs))
    return Result("alphabeta/connect-four", value, unit, "OpenSpiel alpha_beta_search (Python)", peer_value)


def peer_search(pyspiel: Any, minimax: types.ModuleType) -> None:
    game = pyspiel.load_game("connect_four")
    minimax.alpha_beta_search(game, value_function=lambda state: 0, maximum_depth=PEER_DEPTH, maximizing_player_id=0)


def peer_nodes(pyspiel: Any, minimax: types.ModuleType) -> int:
    """How many positions the peer's search looks at: counted once, apart from the timing."""
    original, count = minimax._alpha_beta, 0

    def counting(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return original(*arguments, **named)

    minimax._alpha_beta = counting  # type: ignore[attr-defined]
    try:
        peer_search(pyspiel, minimax)
    finally:
        minimax._alpha_beta = original  # type: ignore[attr-defined]
    return count


def with_and_without_table() -> Result:
    """Positions needed to the same depth without a table, beside with one."""
    value = searched(f"alphabeta:depth={DEPTH},table=0")
    return Result("alphabeta/table", value, "nodes", "with a table", searched(f"alphabeta:depth={DEPTH},table=16"))


def replacement(how: str) -> Result:
    """Positions needed with a small table that replaces in this way, beside one that always replaces."""
    value, always = (sum(searched(SMALL.format(kind), line) for line in LINES) for kind in (how, "always"))
    return Result(f"alphabeta/replace-{how}", value, "nodes", "replace=always", always)
