"""The account of a run as plain data: what `--json` prints and the result block shows."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from spielbaum.arena import stats
from spielbaum.arena.results import Results, rate
from spielbaum.arena.run import Run
from spielbaum.arena.stats import Tally

WORDS = {1.0: "wins", 0.5: "draws", 0.0: "losses"}
POINTS = "points"  # the metric that the t-test compares


def account(run: Run) -> dict[str, Any]:
    """Everything that a run has told so far."""
    results = run.results
    data: dict[str, Any] = {
        "run": run.number,
        "game": run.game.name,
        "options": dict(run.plan.options),
        "seed": run.plan.seed,
        "games": results.games,
        "planned": run.plan.total,
        "seats": {name: tally_data(results.seat_tally(seat)) for seat, name in enumerate(results.seat_names)},
        "agents": {label: agent_data(results, agent) for agent, label in enumerate(results.agents)},
        "comparison": comparison_data(results),
        "length": length_data(results.lengths),
        "sprt": sprt_data(run),
        "seconds": run.seconds,
        "games_per_second": run.games_per_second,
    }
    if len(run.plan.groups) > 1:
        data |= {"ratings": ratings_data(results), "cross_table": cross_data(results)}
    return data


def tally_data(tally: Tally) -> dict[str, Any]:
    """Wins, draws, losses and the score with its interval."""
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": finite(tally.score),
        "interval": list(tally.interval),
    }


def agent_data(results: Results, agent: int) -> dict[str, Any]:
    """The tally of an agent, how long it thought, and its games by how they ended."""
    data = tally_data(results.agent_tally(agent))
    data["seconds_per_move"] = results.seconds_per_move[agent]
    if results.outcomes:
        games, seats = np.nonzero(results.seats == agent)
        ends = Counter(
            (WORDS[points], results.outcomes[game])
            for game, points in zip(games.tolist(), results.points[games, seats].tolist(), strict=True)
        )
        data["endings"] = {
            word: {outcome: count for (each, outcome), count in sorted(ends.items()) if each == word}
            for word in WORDS.values()
        }
    return data


def comparison_data(results: Results) -> dict[str, Any] | None:
    """How the first agent compares with the second one, where two play each other."""
    if len(results.agents) != 2 or len(results.seat_names) != 2 or not results.games:
        return None
    tally = results.agent_tally(0)
    difference, low, high = stats.elo_interval(tally)
    return {
        "elo": finite(difference),
        "elo_interval": [finite(low), finite(high)],
        "likelihood_of_superiority": stats.likelihood_of_superiority(tally),
        "t_test": t_test_data(results),
    }


def t_test_data(results: Results) -> dict[str, Any] | None:
    """Whether the two agents' points differ, where the game has points."""
    points = results.final(POINTS)
    if points is None:
        return None
    test = stats.welch(points[0], points[1])
    return {"means": [test.mean_a, test.mean_b], "t": finite(test.t), "p": finite(test.p)}


def length_data(lengths: np.ndarray) -> dict[str, float]:
    """Mean, spread and quartiles of the games' lengths."""
    if not len(lengths):
        return {}
    low, q1, median, q3, high = np.percentile(lengths, [0, 25, 50, 75, 100]).tolist()
    spread = float(lengths.std(ddof=1)) if len(lengths) > 1 else 0.0
    return {
        "mean": float(lengths.mean()),
        "sd": spread,
        "min": int(low),
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": int(high),
    }


def sprt_data(run: Run) -> dict[str, Any] | None:
    """How a sequential test stands."""
    if run.sequential is None:
        return None
    test = run.sequential.test
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": run.sequential.llr,
        "bounds": list(test.bounds),
        "verdict": run.sequential.verdict,
    }


def ratings_data(results: Results) -> list[dict[str, Any]]:
    """The ranking, best first; `p_next` is the significance of the distance to the next one."""
    kind = "elo" if results.sides == 2 else "openskill"
    return [
        {"agent": rating.name, kind: rating.value, "error": rating.error, "p_next": rating.p_next}
        for rating in rate(results)
    ]


def cross_data(results: Results) -> dict[str, dict[str, dict[str, float]]]:
    """Points and games of everybody against everybody whom they have met."""
    points, games, _ = results.against()
    return {
        one: {
            other: {"points": float(points[i, j]), "games": int(games[i, j])}
            for j, other in enumerate(results.agents)
            if games[i, j]
        }
        for i, one in enumerate(results.agents)
    }


def finite(number: float) -> float | None:
    """JSON has neither infinity nor NaN: None stands for what can't be told."""
    return number if math.isfinite(number) else None
