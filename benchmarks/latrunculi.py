"""Latrunculi: how fast and how deep alpha-beta looks from the start, and random games."""

from __future__ import annotations

import time

from benchmarks.playouts import player
from benchmarks.result import Result, medians, rate
from spielbaum.agents import make
from spielbaum.game import Game, load
from spielbaum.rules import random_stream
from spielbaum.search.report import SearchReport

DEPTH = 6  # of a search that leaves nothing out
FAR = "alphabeta:depth={},reduce=on"  # as `master` looks
GAMES = 3000
PLAIN_PLIES = 2000


def searched(game: Game, spec: str) -> SearchReport:
    """The report of a fresh search of the first position."""
    agent = make(spec, game, seed=1)
    agent.act(game.new())
    report = agent.report()
    assert report is not None
    return report


def nodes() -> Result:
    """Positions per second on 8x8 to a fixed depth with a table, beside without one."""
    game = load("latrunculi")
    specs = f"alphabeta:depth={DEPTH}", f"alphabeta:depth={DEPTH - 1},table=0"
    with_table, without = medians(*(lambda spec=spec: rate(lambda: searched(game, spec).nodes) for spec in specs))
    return Result("latrunculi/nodes", with_table, "nodes/s", "without a table", without)


def seconds_to(depth: int, board: str) -> Result:
    """How long a search to a depth takes from the start, late moves reduced."""
    game, spec = load("latrunculi", board=board), FAR.format(depth)
    searched(game, FAR.format(1))
    value = medians(lambda: searched(game, spec).seconds)[0]
    return Result(f"latrunculi/depth-{depth}-{board}", value, "s")


def branching() -> Result:
    """Positions per position on the way to depth 8 on 8x8, beside the moves that there are at the start."""
    game = load("latrunculi")
    found = searched(game, FAR.format(8))
    return Result("latrunculi/branching", found.nodes ** (1 / 8), "per ply", "legal moves", len(game.new().actions))


def table_hits() -> Result:
    """The share of look-ups that find their position, to depth 8 on 8x8, beside depth 10 on 6x6."""
    large = searched(load("latrunculi"), FAR.format(8)).table_hits
    small = searched(load("latrunculi", board="6x6"), FAR.format(10)).table_hits
    assert large is not None
    return Result("latrunculi/table-hits", large, "share", "on 6x6", small)


def replacement() -> Result:
    """Positions to depth 9 on 8x8 with a small table as it is, beside one that always replaces."""
    game, spec = load("latrunculi"), FAR.format(9) + ",table=1"
    value, always = searched(game, spec).nodes, searched(game, f"{spec},replace=always").nodes
    return Result("latrunculi/replace", value, "nodes", "replace=always", always)


def playouts() -> Result:
    """Plies per second of random games on 8x8, beside the same rules without the compiler."""
    game = load("latrunculi")
    compiled = player(game, GAMES)
    value, plain = medians(lambda: rate(compiled), lambda: interpreted(game))
    return Result("latrunculi/playouts", value, "plies/s", "the same rules in the interpreter", plain)


def interpreted(game: Game) -> float:
    """Plies per second of the rules as they stand: a rule that is called from Python is not compiled."""
    rules, state, rng = game.module, game.new(), random_stream(1)
    begin = time.process_time()
    for _ in range(PLAIN_PLIES):
        if rules.player(state.record) < 0:
            state = game.new()
        rules.play(game.tables, state.record, rules.sample(game.tables, state.record, rng))
    return PLAIN_PLIES / (time.process_time() - begin)
