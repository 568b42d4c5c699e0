"""How often equals seem to differ: as rarely as the p-value says, in all built-in games with points or teams."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Sprt, make_plan, match, play, stats, summarize
from spielbaum.arena.results import Results, compare, rate_teams
from spielbaum.arena.stats import Pairs
from tests.arena.test_stats import game_shares, pair_shares

MATCHES = 1000
POINTS = {"pig": "hold-at-20", "goofspiel": "random"}
TEAMS = {"pursuit": "keen", "scotland-yard": "random"}
PROMISED = (0.03, 0.065)


def equals(name: str, agent: str, games: int, matches: int, **settings) -> list[Results]:
    """Many matches of an agent with itself, as parts of one run."""
    game = spielbaum.load(name)
    plan = make_plan(game, [agent] * game.players, games * matches, seed=7, rotate=True, **settings)
    whole = play(plan).results
    return [part(whole, at, at + games) for at in range(0, games * matches, games)]


def part(whole: Results, begin: int, end: int) -> Results:
    """Some games of a run without metrics of every round."""
    per_game = ("seats", "points", "returns", "lengths", "metrics", "metric_rows", "units")
    columns = {name: getattr(whole, name)[begin:end] for name in per_game if getattr(whole, name) is not None}
    return dataclasses.replace(whole, **columns | {"units": columns["units"] - columns["units"][0]})


def false_alarms(p_values) -> float:
    return float(np.mean(np.array(p_values) < 0.05))


def points_alarms(name: str, matches: int = MATCHES, **settings) -> tuple[float, float]:
    """Of the paired test, and of Welch's."""
    p_values = []
    for each in equals(name, POINTS[name], 100, matches, **settings):
        points = each.final("points")
        p_values.append((compare(each, 0, 1, points).p, stats.welch(points[0], points[1]).p))
    ours, theirs = zip(*p_values, strict=True)
    return false_alarms(ours), false_alarms(theirs)


def team_alarms(name: str, matches: int = MATCHES, **settings) -> float:
    return false_alarms([rate_teams(each)[1] for each in equals(name, TEAMS[name], 300, matches, **settings)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "opening"), [("pig", 0), ("goofspiel", 0), ("goofspiel", 2)])
def test_equals_in_games_with_points_differ_as_rarely_as_promised(name, opening):
    paired, welch = points_alarms(name, opening=opening)
    assert PROMISED[0] <= paired <= PROMISED[1]
    if opening == 0:
        assert welch > PROMISED[1]  # as if nobody's points were somebody's loss


@pytest.mark.slow
@pytest.mark.parametrize("opening", [0, 2])
@pytest.mark.parametrize("name", TEAMS)
def test_equals_in_games_with_teams_differ_as_rarely_as_promised(name, opening):
    assert PROMISED[0] <= team_alarms(name, opening=opening) <= PROMISED[1]


# --- the same on synthetic games ------------------------------------------------------------------


def test_points_of_a_game_that_depend_on_each_other_are_compared_game_by_game():
    """One's points are the other's loss: Welch's test takes that for twice as many games as there are."""
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for luck in rng.normal(size=(2000, 50)):
        first, second = 50 + 10 * luck, 50 - 10 * luck
        ours.append(stats.paired(first, second).p)
        theirs.append(stats.welch(first, second).p)
    assert PROMISED[0] <= false_alarms(ours) <= PROMISED[1] and false_alarms(theirs) > 0.14


def test_the_paired_test_is_that_of_scipy_and_finds_what_is_there():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(2)
    shared = rng.normal(0, 5, 40)
    one, other = shared + rng.normal(1, 1, 40), shared + rng.normal(0, 1, 40)
    ours, theirs = stats.paired(one, other), ttest_rel(one, other)
    assert (ours.t, ours.freedom, ours.p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue))
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval()))
    assert ours.p < 0.001 < stats.welch(one, other).p
    assert math.isnan(stats.paired([1, 2], [0, 1]).p) and math.isnan(stats.paired([1], [2]).p)


def rotated(agents: int) -> np.ndarray:
    """Everybody alone against all others once."""
    return np.eye(agents) - (1 - np.eye(agents)) / (agents - 1)


def test_a_game_of_teams_counts_once():
    """Equals of whom one plays alone, and mostly wins: no more false alarms than promised, and no fewer."""
    rng, sides = np.random.default_rng(3), np.tile(rotated(6), (30, 1))
    p_values = [stats.team_ratings("abcdef", sides, rng.random(len(sides)) < 0.7)[1] for _ in range(1000)]
    assert PROMISED[0] <= false_alarms(p_values) <= PROMISED[1]


def test_team_ratings_find_strengths_and_their_errors():
    rng, sides = np.random.default_rng(4), np.tile(rotated(4), (400, 1))
    truth = np.array([100.0, 20.0, -20.0, -100.0])
    expected = stats.logistic((sides @ truth + 150) / stats.ELO_PER_LOGIT)
    off = []
    for _ in range(100):
        ratings, p = stats.team_ratings("abcd", sides, rng.random(len(sides)) < expected)
        assert p < 0.05
        values = {rating.name: rating for rating in ratings}
        off.append([(values[n].value - elo) / values[n].error for n, elo in zip("abcd", truth, strict=True)])
    assert np.std(off, axis=0) == pytest.approx(1, abs=0.25) and np.mean(off, axis=0) == pytest.approx(0, abs=0.35)


def test_games_that_depend_on_each_other_are_counted_together():
    rng, sides = np.random.default_rng(5), np.tile(rotated(3), (40, 1))
    doubled, together = np.repeat(sides, 4, axis=0), np.repeat(np.arange(len(sides)), 4)
    apart, joined = [], []
    for _ in range(400):
        scores = np.repeat(rng.random(len(sides)) < 0.5, 4)
        apart.append(stats.team_ratings("abc", doubled, scores)[1])
        joined.append(stats.team_ratings("abc", doubled, scores, together)[1])
    assert false_alarms(apart) > 0.2 and false_alarms(joined) < 0.08


PAIRED = pair_shares(0, 100, 300)  # openings that favour one side


def test_pairs_of_games_know_their_error_better_than_games_do():
    rng = np.random.default_rng(6)
    pairs = [Pairs(tuple(map(int, row))) for row in rng.multinomial(100, PAIRED, size=4000)]
    superior = np.array([each.likelihood_of_superiority for each in pairs])
    assert PROMISED[0] <= np.mean((superior < 0.025) | (superior > 0.975)) <= PROMISED[1]
    intervals = np.array([each.elo_interval[1:] for each in pairs])
    assert 0.935 < np.mean((intervals[:, 0] <= 0) & (intervals[:, 1] >= 0)) < 0.97
    single = rng.multinomial(200, game_shares(0, float(PAIRED[1] + PAIRED[3])), size=1)[0]
    low, high = stats.elo_interval(stats.Tally(*map(int, single[::-1])))[1:]
    assert np.mean(intervals[:, 1] - intervals[:, 0]) < 0.9 * (high - low)


def test_a_match_of_pairs_tells_their_error():
    run = match("light-cycles", ["roomy", "roomy"], 80, seed=3, opening=4)
    comparison = summarize(run)["comparison"]
    assert sum(comparison["pairs"]) == 40
    pairs = Pairs(tuple(comparison["pairs"]))
    assert comparison["elo_interval"] == list(pairs.elo_interval[1:])
    assert comparison["likelihood_of_superiority"] == pairs.likelihood_of_superiority
    assert summarize(match("light-cycles", ["roomy", "roomy"], 80, seed=3))["comparison"]["pairs"] is None


# --- after a sequential test ----------------------------------------------------------------------


def stopped(test: Sprt, shares: np.ndarray, seed: int, runs: int = 300) -> list[np.ndarray]:
    """What was counted when each of many tests had ended."""
    rng, (low, high) = np.random.default_rng(seed), test.bounds
    counts, ended = np.zeros((runs, len(shares)), np.int64), []
    while len(counts):
        outcomes = rng.choice(len(shares), p=shares, size=(len(counts), 25))
        growing = counts[:, None] + np.cumsum(np.eye(len(shares), dtype=np.int64)[outcomes], axis=1)
        ratios = test.llrs(growing)
        over = (ratios >= high) | (ratios <= low)
        ended += list(growing[over.any(axis=1), over.argmax(axis=1)[over.any(axis=1)]])
        counts = growing[~over.any(axis=1), -1]
    return ended


@pytest.mark.parametrize(("test", "truth"), [(Sprt(0, 30), 0), (Sprt(0, 30), 60), (Sprt(0, 100), 100)])
def test_the_estimate_after_a_sequential_test_allows_for_its_end(test, truth):
    """Half of the estimates are too high and half too low, and 19 of 20 intervals hold the truth."""
    ended = stopped(test, game_shares(truth, 0.3), 7, 300)
    middle, low, high = np.array([stats.estimate_after(test, each.tolist()) for each in ended]).T
    assert np.mean(middle > truth) == pytest.approx(0.5, abs=0.09)
    assert 0.91 < np.mean((low <= truth) & (truth <= high)) < 0.985


def test_the_score_itself_exaggerates_after_a_sequential_test():
    test = Sprt(0, 100)
    ended = stopped(test, game_shares(100, 0.3), 8)
    score = np.array([np.dot(each, [0, 0.5, 1]) / each.sum() for each in ended])
    middle = np.array([stats.estimate_after(test, each.tolist())[0] for each in ended])
    assert np.mean([stats.elo(each) > 100 for each in score]) > 0.56
    assert np.median(middle) < np.median([stats.elo(each) for each in score])


@pytest.mark.parametrize("drift", [-0.4, 0.0, 0.3])
def test_brownian_motion_reaches_its_bounds_as_often_as_in_a_simulation(drift):
    rng, steps = np.random.default_rng(9), 4000
    paths = np.cumsum(rng.normal(drift * 20 / steps, math.sqrt(20 / steps), size=(3000, steps)), axis=1)
    top, bottom = (np.where(hit.any(axis=1), hit.argmax(axis=1), steps) for hit in (paths >= 3, paths <= -2))
    for time in (5, 20):
        simulated = np.mean((top < bottom) & (top < time / 20 * steps))
        assert stats.reaches(3, 2, time, drift, 1.0) == pytest.approx(simulated, abs=0.03)


def test_an_estimate_is_told_with_a_decided_test_and_only_then():
    run = match("light-cycles", ["roomy", "random"], 5000, sprt=Sprt(0, 100))
    estimate = summarize(run)["sprt"]["estimate"]
    assert estimate["interval"][0] > 0 and estimate["interval"][0] < estimate["elo"]
    undecided = match("light-cycles", ["roomy", "roomy"], 4, sprt=Sprt(0, 100))
    assert summarize(undecided)["sprt"]["estimate"] is None
