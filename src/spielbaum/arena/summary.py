"""The summary of a run as plain data: what `--json` prints and the result block shows."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from spielbaum.arena import stats
from spielbaum.arena.results import POINTS, Results, by_group, compare, in_teams, ranking, rate_teams
from spielbaum.arena.run import Run, Sequential
from spielbaum.arena.stats import Tally

WORDS = {1.0: "wins", 0.5: "draws", 0.0: "losses"}


def summarize(run: Run) -> dict[str, Any]:
    """Everything that a run has told so far."""
    results = run.results
    compared = by_group(results)
    data: dict[str, Any] = {
        "run": run.number,
        "game": run.game.name,
        "options": dict(run.plan.options),
        "seed": run.plan.seed,
        "games": results.games,
        "planned": run.plan.total,
        "seats": {name: seat_data(results, seat) for seat, name in enumerate(results.seat_names)},
        "agents": {label: agent_data(compared, agent) for agent, label in enumerate(results.agents)},
        "comparison": comparison_data(compared),
        "length": length_data(results.lengths),
        "sprt": sprt_data(run),
        "seconds": run.seconds,
        "games_per_second": run.games_per_second,
    }
    if (counts := results.place_counts()) is not None:
        for agent, label in enumerate(results.agents):
            data["agents"][label]["places"] = counts[agent].tolist()
    if run.plan.control is not None:
        data["time"] = time_data(results)
    if results.forfeits:
        data["forfeits"] = forfeits_data(results)
    if results.grouped:
        data |= {"groups": groups_data(results), "tests": tests_data(compared)}
    if len(run.plan.groups) > 1 or (results.places is not None and len(results.agents) > 2):
        data |= {"ratings": ratings_data(compared), "cross_table": cross_data(compared)}
        if in_teams(results):
            data["p_all_equal"] = finite(rate_teams(results)[1])
    return data


def time_data(results: Results) -> dict[str, Any]:
    """What time there was, and how often each agent overstepped it; the games that it has lost by that."""
    control, late = results.control, results.late
    assert control is not None and late is not None
    moves = {label: int(late[results.seats == agent].sum()) for agent, label in enumerate(results.agents)}
    return {
        "control": str(control),
        "seconds_per_move": control.per_move,
        "clock": control.per_game,
        "increment": control.increment,
        "lose_on_time": control.lose,
        "late": moves,
        "lost": moves if control.lose else dict.fromkeys(moves, 0),
    }


def forfeits_data(results: Results) -> list[dict[str, Any]]:
    """Who has forfeited which game, and why."""
    assert results.numbers is not None
    places = np.searchsorted(results.numbers, list(results.forfeits))
    return [
        {
            "game": number,
            "agent": results.agents[results.seats[place, forfeit.seat]],
            "seat": results.seat_names[forfeit.seat],
            "reason": forfeit.reason,
        }
        for place, (number, forfeit) in zip(places.tolist(), results.forfeits.items(), strict=True)
    ]


def tally_data(tally: Tally) -> dict[str, Any]:
    """Wins, draws, losses and the score with its interval."""
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": finite(tally.score),
        "interval": list(tally.interval),
    }


def seat_data(results: Results, seat: int) -> dict[str, Any]:
    """The tally of a seat, its mean place, and the points that it had at the end on average, where there are any."""
    places = None if results.places is None else results.places[:, seat]
    data, points = tally_data(results.seat_tally(seat)) | place_data(places), results.last(POINTS)
    return data if points is None else {**data, "points": float(points[:, seat].mean())}


def place_data(places: np.ndarray | None) -> dict[str, Any]:
    """The mean place with its 95 % interval, where there are places."""
    return {} if places is None else {"place": mean_data(places)}


def agent_data(results: Results, agent: int) -> dict[str, Any]:
    """The tally of an agent, its place, how long it thought, and its games by how they ended.

    With more or fewer seats than others also `even`, what it would score among equals.
    """
    data = tally_data(results.agent_tally(agent)) | place_data(results.agent_places(agent))
    data["seconds_per_move"] = results.seconds_per_move[agent]
    if len(set(results.shares)) > 1:
        data["even"] = results.even(agent)
    if results.outcomes is not None:
        data["endings"] = endings_data(results, agent)
    return data


def endings_data(results: Results, agent: int) -> dict[str, dict[str, int]]:
    """How often an agent won, drew and lost by which kind of ending."""
    games, seats = np.nonzero(results.seats == agent)
    assert results.outcomes is not None
    points, outcomes = results.points[games, seats], results.outcomes[games]
    kinds = {kind: outcomes == kind for kind in sorted(set(outcomes.tolist()))}
    return {
        word: {kind: count for kind, mine in kinds.items() if (count := int(np.sum(mine & (points == score))))}
        for score, word in WORDS.items()
    }


def comparison_data(results: Results) -> dict[str, Any] | None:
    """How the first agent compares with the second one, where two play each other."""
    if len(results.agents) != 2 or len(results.seat_names) != 2 or not results.games:
        return None
    if results.even(0) != results.even(1):
        return None  # a difference in strength is not all that explains the score
    tally, pairs = results.agent_tally(0), results.pairs
    difference, low, high = stats.elo_interval(tally) if pairs is None else pairs.elo_interval
    superior = stats.likelihood_of_superiority(tally) if pairs is None else pairs.likelihood_of_superiority
    points = results.final(POINTS)
    return {
        "elo": finite(difference),
        "elo_interval": [finite(low), finite(high)],
        "likelihood_of_superiority": superior,
        "pairs": None if pairs is None else list(pairs.counts),
        "paired_test": None if points is None else test_data(compare(results, 0, 1, points)),
        "t_test": None if points is None else test_data(stats.welch(points[0], points[1])),
    }


def test_data(test: stats.TTest) -> dict[str, Any]:
    """A t-test, with the 95 % interval of the difference."""
    return {
        "means": [finite(test.mean_a), finite(test.mean_b)],
        "interval": [finite(test.low), finite(test.high)],
        "t": finite(test.t),
        "freedom": finite(test.freedom),
        "p": finite(test.p),
    }


def groups_data(results: Results) -> dict[str, Any]:
    """What each group had in a game on average over its seats: means over the games with their 95 % intervals."""
    assert results.decisions is not None
    columns = {"score": results.points, "return": results.returns, "decisions": results.decisions}
    kept = {name: results.by_agent(values) for name, values in columns.items()}
    metrics = {name: final for name in results.metric_names if (final := results.final(name)) is not None}
    return {
        label: {
            "seats": int(np.sum(results.seats[:1] == agent)),
            **{name: mean_data(values[agent]) for name, values in kept.items()},
            "metrics": {name: mean_data(values[agent]) for name, values in metrics.items()},
        }
        for agent, label in enumerate(results.agents)
    }


def mean_data(values: np.ndarray) -> dict[str, Any]:
    mean, low, high = stats.mean_interval(values)
    return {"mean": finite(mean), "interval": [finite(low), finite(high)]}


def tests_data(results: Results) -> list[dict[str, Any]]:
    """Every two groups by what they had in each game: the paired t-test, and Welch's, which takes games as unshared."""
    name, values = results.compared
    return [
        {"groups": [results.agents[one], results.agents[other]], "of": name}
        | test_data(stats.welch(values[one], values[other]))
        | {"paired": test_data(compare(results, one, other, values))}
        for one, other in itertools.combinations(range(len(results.agents)), 2)
    ]


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
        "estimate": None if run.sequential.verdict is None else estimate_data(run.sequential),
    }


def estimate_data(sequential: Sequential) -> dict[str, Any]:
    """The Elo difference after a test has ended, which allows for that."""
    middle, low, high = stats.estimate_after(sequential.test, sequential.counts.tolist())
    return {"elo": finite(middle), "interval": [finite(low), finite(high)]}


def ratings_data(results: Results) -> list[dict[str, Any]]:
    """The ranking, best first; `p_next` is the significance of the distance to the next one."""
    kind = "elo" if results.sides == 2 else "openskill"
    return [
        {"agent": rating.name, kind: rating.value, "error": rating.error, "p_next": rating.p_next}
        for rating in results.ratings
    ]


def cross_data(results: Results) -> dict[str, dict[str, dict[str, float]]]:
    """Points and games of everybody against everybody whom they have met, best first."""
    points, games, _ = results.against()
    order = ranking(results)
    return {
        results.agents[one]: {
            results.agents[other]: {"points": float(points[one, other]), "games": int(games[one, other])}
            for other in order
            if games[one, other]
        }
        for one in order
    }


def finite(number: float) -> float | None:
    """JSON has neither infinity nor NaN: None stands for what can't be told."""
    return number if math.isfinite(number) else None
