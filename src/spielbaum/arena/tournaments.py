"""Tournaments: several agents that meet by a format, in one run.

Round-robin and gauntlet know all their groups beforehand. A Swiss tournament adds those of the next round when it
knows the scores. These follow from the games, so that an interrupted one goes on as it would have gone on.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence

import numpy as np

from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.executors import worker_pool
from spielbaum.arena.pairings import Group, gauntlet, round_robin, swiss_round, swiss_rounds
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.run import Run, Watch, play
from spielbaum.arena.store import Store, opened
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import Game, load
from spielbaum.params import Value

ROUND_ROBIN, GAUNTLET, SWISS = "round-robin", "gauntlet", "swiss"
FORMATS = (ROUND_ROBIN, SWISS, GAUNTLET)


def tournament(
    game: str | pathlib.Path | Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    *,
    format: str = ROUND_ROBIN,
    rounds: int | None = None,
    options: Mapping[str, Value] | None = None,
    opening: int = 0,
    control: TimeControl | None = None,
    move_limit: float | None = None,
    strict: bool = False,
    workers: str | int = 1,
    store: Store | str | pathlib.Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Run:
    """Play a tournament; `games` counts those of each group that meets, `rounds` those of the Swiss format.

    >>> from spielbaum.arena.results import rate
    >>> run = tournament("tic-tac-toe", ["mcts:iterations=50", "mcts:iterations=5", "random"], games=40, seed=7)
    >>> [rating.name for rating in rate(run.results)]
    ['mcts:iterations=50', 'mcts:iterations=5', 'random']
    """
    played = game if isinstance(game, Game) else load(game, **(options or {}))
    groups = first_groups(format, len(agents), played.players, seed)
    plan = make_plan(
        played, agents, games, seed, groups=groups, opening=opening, control=control, move_limit=move_limit
    )
    with opened(store) as kept, worker_pool(str(workers), move_limit is not None) as players:
        run = play(plan, kind=format, workers=players, store=kept, resume=resume, watch=watch, strict=strict)
        while len(run.plan.groups) < rounds_of(format, rounds, len(agents)) * len(groups):
            longer = run.plan.with_groups([*run.plan.groups, *next_round(run)])
            run = play(longer, workers=players, store=kept, watch=watch, before=run, strict=strict)
        return run


def first_groups(format: str, agents: int, seats: int, seed: int) -> list[Group]:
    """All groups of a tournament, or those of its first round."""
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    if format == SWISS:
        if seats != 2:
            raise SpielbaumError(f"the Swiss format is for games with two seats, not {seats}; use {ROUND_ROBIN}")
        return swiss_round([0.0] * agents, [])
    return (round_robin if format == ROUND_ROBIN else gauntlet)(agents, seats, seed=seed)


def rounds_of(format: str, rounds: int | None, agents: int) -> int:
    """How many rounds there are."""
    if format != SWISS:
        if rounds is not None:
            raise SpielbaumError(f"rounds are for the Swiss format, not for {format}")
        return 1
    return swiss_rounds(agents) if rounds is None else rounds


def next_round(run: Run) -> list[Group]:
    """The pairs of the next Swiss round, by the scores so far; a bye counts as a win."""
    plan = run.plan
    points, _, _ = run.results.against()
    off = byes(plan)
    scores = points.sum(axis=1) / plan.games + np.bincount(off, minlength=len(plan.agents))
    return swiss_round(scores.tolist(), plan.groups, off)


def byes(plan: Plan) -> list[int]:
    """The agents that had a bye, round by round."""
    agents = range(len(plan.agents))
    pairs = len(agents) // 2
    rounds = [plan.groups[begin : begin + pairs] for begin in range(0, len(plan.groups), pairs)]
    return [agent for groups in rounds for agent in agents if not any(agent in group for group in groups)]
