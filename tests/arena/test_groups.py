"""Agents with several seats each: every assignment in turn, and a group counts for what its seats have together."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Store, match, plots, summarize
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.report import report
from spielbaum.arena.results import Results, by_group, gather, rate
from tests.arena.test_run import stored_games
from tests.conftest import SMALL

STRAWS = SMALL / "straws.py"


def straws(agents, counts, games, **settings):
    return match(spielbaum.load(STRAWS, players=sum(counts)), agents, games, counts=counts, **settings)


def plan_of(counts, games, **settings) -> Plan:
    game = spielbaum.load(STRAWS, players=sum(counts))
    group = [agent for agent, count in enumerate(counts) for _ in range(count)]
    return make_plan(game, ["bold", "timid", "random"][: len(counts)], games, groups=[group], **settings)


@pytest.mark.parametrize("counts", [(1, 1), (1, 2), (2, 2), (1, 3), (2, 1, 1), (3, 2), (3, 3), (2, 2, 2)])
def test_all_assignments_come_up_equally_often_and_in_turn(counts):
    ways = math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
    seats = list(map(tuple, plan_of(counts, 3 * ways).tasks(range(3 * ways)).seats.tolist()))
    for begin in range(0, 3 * ways, ways):
        assert len(set(seats[begin : begin + ways])) == ways
    assert all(Counter(row) == dict(enumerate(counts)) for row in seats)
    for seat in range(sum(counts)):
        share = Counter(row[seat] for row in seats)
        assert share == {agent: 3 * ways * count // sum(counts) for agent, count in enumerate(counts)}


def test_games_of_all_assignments_share_an_opening():
    tasks = plan_of((2, 2), 12, opening=2).tasks(range(12))
    assert len(set(tasks.seeds[:6].tolist())) == 1 and len(set(tasks.seeds.tolist())) == 2
    assert len(set(tasks.agent_seeds.tolist())) == 12


@pytest.mark.parametrize("agents", [("bold", "timid"), ("mcts:iterations=5", "timid")])
def test_any_number_of_workers_plays_the_same_games(agents, tmp_path):
    records = []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.db"
        straws(agents, (2, 2), 12, seed=3, workers=workers, store=path, rounds=True)
        records.append(stored_games(path))
    assert len(records[0]) == 12 and records[0] == records[1]


def test_a_run_of_groups_goes_on_where_it_stopped(tmp_path):
    with Store(tmp_path / "games.db") as store:
        straws(("bold", "timid"), (2, 2), 20, store=store)
        longer = straws(("bold", "timid"), (2, 2), 50, store=store, resume=True)
        assert longer.number == 1 and longer.played == 30
        assert straws(("bold", "timid"), (1, 3), 50, store=store, resume=True).number == 2
    assert longer.scores.tolist() == straws(("bold", "timid"), (2, 2), 50).scores.tolist()


def group_means(results: Results, values: np.ndarray) -> list[list[float]]:
    """What each group has in each game, counted by hand."""
    return [
        [row[seated == agent].mean() for row, seated in zip(values, results.seats, strict=True)]
        for agent in range(len(results.agents))
    ]


def test_the_t_test_is_that_of_scipy_on_the_means_of_the_groups():
    from scipy.stats import ttest_ind

    run = straws(("bold", "random"), (2, 2), 60, seed=1)
    results, data = run.results, summarize(run)
    points = results.metrics[np.cumsum(results.metric_rows) - 1, :, 0]
    bold, random = group_means(results, points)
    theirs = ttest_ind(bold, random, equal_var=False)
    (test,) = data["tests"]
    assert test["of"] == "points" and test["groups"] == ["bold", "random"]
    assert (test["t"], test["p"]) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert test["interval"] == pytest.approx(list(theirs.confidence_interval()))
    assert test["means"] == pytest.approx([np.mean(bold), np.mean(random)])
    assert data["comparison"]["t_test"]["t"] == pytest.approx(theirs.statistic)
    assert data["groups"]["bold"]["metrics"]["points"]["mean"] == pytest.approx(np.mean(bold))
    assert data["groups"]["random"]["return"]["mean"] == pytest.approx(
        np.mean(group_means(results, results.returns)[1])
    )


def test_a_group_wins_with_its_best_seat_and_the_better_agent_is_found():
    data = summarize(straws(("bold", "timid"), (2, 2), 120, seed=2))
    assert data["agents"]["bold"]["wins"] > 2 * data["agents"]["bold"]["losses"]
    for one, other in (("bold", "timid"), ("timid", "bold")):
        assert data["agents"][one]["wins"] == data["agents"][other]["losses"]
        assert sum(data["agents"][one][word] for word in ("wins", "draws", "losses")) == 120
    assert data["comparison"]["elo"] > 0 and data["tests"][0]["t"] > 2
    assert data["groups"]["bold"]["seats"] == 2 and data["groups"]["bold"]["decisions"]["mean"] == 4


def test_groups_of_different_sizes_have_different_even_scores_and_no_elo():
    run = straws(("random", "random"), (1, 3), 2000, seed=4)
    results, data = by_group(run.results), summarize(run)
    assert [results.even(0), results.even(1)] == [0.25, 0.75]
    assert list(data["agents"]) == ["random", "random (2)"]
    low, high = results.agent_tally(1).interval
    assert low < 0.8 and high > 0.6  # ties make it a little less than 3 of 4
    assert data["comparison"] is None and data["tests"][0]["p"] > 0.01


def test_three_groups_are_compared_two_by_two_and_rated():
    run = straws(("bold", "timid", "random"), (2, 1, 1), 120, seed=5)
    pairs = [tuple(test["groups"]) for test in summarize(run)["tests"]]
    assert pairs == [("bold", "timid"), ("bold", "random"), ("timid", "random")]
    assert [rating.name for rating in rate(by_group(run.results))] == ["bold", "random", "timid"]
    html = report([run.results])
    assert "Groups compared by points" in html and "Plackett-Luce" in html


def test_curves_are_means_over_the_seats_of_a_group(tmp_path):
    with Store(tmp_path / "games.db") as store:
        run = straws(("bold", "random"), (2, 2), 30, rounds=True, store=store)
        results = gather(run.plan, run.game, store.batches(run.number, run.game))
    curves = plots.metric_curves(by_group(results), "points")
    starts = np.cumsum(results.metric_rows) - results.metric_rows
    third = group_means(results, results.metrics[starts + 2, :, 0])
    for curve, values in zip(curves, third, strict=True):
        assert curve.y[2] == pytest.approx(np.mean(values))
        error = np.std(values, ddof=1) / np.sqrt(len(values))
        assert curve.high[2] - curve.y[2] == pytest.approx(1.96 * error, rel=1e-3)
    assert "metric-points" in plots.figures(results)


def test_the_same_agent_in_all_seats_is_no_group():
    data = summarize(straws(("random",), (4,), 10))
    assert "groups" not in data and list(data["agents"]) == ["random"]


def test_where_sides_differ_groups_take_their_seats_in_order():
    run = match("scotland-yard", ["random", "random"], 2, counts=(1, 3), options={"players": 4})
    assert run.results.seats.tolist() == [[0, 1, 1, 1]] * 2
    assert sum(summarize(run)["agents"]["random (2)"][word] for word in ("wins", "draws", "losses")) == 2


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((2, 1), r"straws has 4 seats \(p0, p1, p2, p3\), and the agents take 2 \+ 1 = 3"),
        ((4, 0), "2 agents need as many counts of seats from 1"),
        ((4,), "2 agents need as many counts of seats from 1"),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        match(STRAWS, ["bold", "timid"], 1, counts=counts)
