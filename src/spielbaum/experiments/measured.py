"""Our figures for a cell of an experiment, from the side that the table is about."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from spielbaum.arena.results import by_group
from spielbaum.arena.stats import Z95, mean_interval
from spielbaum.arena.summary import finite

if TYPE_CHECKING:
    from spielbaum.arena.results import Results
    from spielbaum.arena.run import Run
    from spielbaum.experiments import Cell

ROUNDS = "rounds"  # the metric of games that count them
RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def measured(cell: Cell, run: Run) -> dict[str, Any]:
    """What came out of a cell, and what was published of it."""
    results = by_group(run.results)
    games, seats = (results.seats == cell.seat).nonzero()
    points = results.points[games, seats]
    endings = Counter(
        f"{RESULTS[point]} {results.outcomes[game]}".strip() if results.outcomes is not None else RESULTS[point]
        for game, point in zip(games.tolist(), points.tolist(), strict=True)
    )
    tally, places = results.agent_tally(cell.seat), results.agent_places(cell.seat)
    return {
        "group": cell.group,
        "name": cell.name,
        "row": cell.row,
        "column": cell.column,
        "run": run.number,
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "interval": list(tally.interval),
        "endings": dict(sorted(endings.items(), reverse=True)),
        "length": float(results.lengths.mean()),
        "rounds": rounds_of(results, cell),
        "place": [] if places is None else [finite(number) for number in mean_interval(places)],
        "seconds_per_move": list(results.seconds_per_move),
        "seconds": seconds_of(run.results, cell),
        "published": cell.published,
        "published_rounds": dict(cell.rounds),
        "published_seconds": dict(cell.seconds),
        "published_place": cell.place,
    }


def seconds_of(results: Results, cell: Cell) -> dict[str, float]:
    """What was published of times, measured here on one core: of so many games, and of a move of the slowest agent."""
    assert results.decisions is not None
    thinking = sum(
        seconds * int(results.decisions[results.seats == agent].sum())
        for agent, seconds in enumerate(results.seconds_per_move)
    )
    told = {"move": max(results.seconds_per_move), "games": (cell.timed_games or 0) * thinking / results.games}
    return {name: told[name] for name in cell.seconds}


def rounds_of(results: Results, cell: Cell) -> dict[str, list[float]]:
    """Mean and 95 % interval of the rounds of all games, of those won and of those lost, where the game counts them."""
    counted = results.final(ROUNDS)
    if counted is None:
        return {}
    points = results.points[:, cell.seat]
    told = {}
    for name, chosen in (("all", points >= 0), ("won", points == 1), ("lost", points == 0)):
        rounds = counted[cell.seat][chosen]
        if len(rounds) > 1:
            half = Z95 * float(rounds.std(ddof=1)) / math.sqrt(len(rounds))
            told[name] = [float(rounds.mean()), float(rounds.mean()) - half, float(rounds.mean()) + half]
    return told
