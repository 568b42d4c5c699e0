"""Matches: as many agents as there are seats, for as many games as it takes."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence

from spielbaum.arena.plan import make_plan
from spielbaum.arena.run import Run, Watch, play
from spielbaum.arena.stats import Sprt
from spielbaum.arena.store import Store, opened
from spielbaum.game import Game, load
from spielbaum.params import Value

PAIRED_OPENING = 2  # random moves that each pair of games of a sequential test begins with


def match(
    game: str | pathlib.Path | Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    *,
    options: Mapping[str, Value] | None = None,
    rotate: bool | None = None,
    opening: int | None = None,
    rounds: bool = False,
    sprt: Sprt | None = None,
    workers: str | int = 1,
    store: Store | str | pathlib.Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Run:
    """Play a match between agents, given in the order of the seats that they begin in.

    Seats rotate unless told otherwise, by `rotate` or by the game.

    >>> run = match("tic-tac-toe", ["mcts:iterations=50", "random"], games=40, seed=7)
    >>> run.games, run.results.agent_tally(0).score > 0.5
    (40, True)
    """
    played = game if isinstance(game, Game) else load(game, **(options or {}))
    if opening is None:
        opening = PAIRED_OPENING if sprt else 0
    rotate = played.rotates if rotate is None else rotate
    plan = make_plan(played, agents, games, seed, rotate=rotate, opening=opening, rounds=rounds)
    with opened(store) as kept:
        return play(plan, workers=workers, store=kept, resume=resume, sprt=sprt, watch=watch)
