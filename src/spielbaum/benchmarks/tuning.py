"""What a tuner costs beyond its games: proposing agents and making them, keeping the store, judging what was played."""

from __future__ import annotations

import pathlib
import tempfile

from spielbaum.arena import make_plan, play
from spielbaum.benchmarks.result import Result, medians, rate
from spielbaum.game import load
from spielbaum.tune.job import OPENING, prepare
from spielbaum.tune.run import tune

GAMES = 600
AGENT, RANGE = "mcts:iterations=200", "c=1.3..1.5"  # so narrow that all agents take the same time for a game
METHODS = ("evolution", "ntbea", "spsa")


def overhead(method: str) -> Result:
    """Games per second of processor time in a tuning run with a store, beside those of a match that keeps nothing."""
    game = load("connect-four")
    job = prepare(game, [AGENT], vary=[RANGE], name=method, games=GAMES, test_games=0)
    match = make_plan(game, [AGENT, AGENT], GAMES, opening=OPENING, paired=True)
    play(match)  # compiles

    def tuned() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return rate(lambda: tune(job, store=pathlib.Path(folder) / "games.db").games)

    ours, bare = medians(tuned, lambda: rate(lambda: play(match).games))
    return Result(f"tuning/{method}", ours, "games/s", "a match", bare)
