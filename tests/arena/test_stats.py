"""Statistics against SciPy, published values, closed forms and simulation."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielbaum.arena import stats
from spielbaum.arena.stats import Sprt, Tally
from spielbaum.errors import SpielbaumError

COUNTS = st.integers(0, 2000)
TALLIES = st.builds(Tally, COUNTS, COUNTS, COUNTS).filter(lambda tally: tally.games > 0)


# --- one score ------------------------------------------------------------------------------------


def test_wilson_is_that_of_scipy():
    from scipy.stats import binomtest

    for wins, games in [(0, 5), (3, 10), (60, 100), (999, 1000), (7, 7)]:
        theirs = binomtest(wins, games).proportion_ci(method="wilson")
        assert stats.wilson(wins / games, games) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(TALLIES)
def test_intervals_contain_their_estimate_and_draws_never_widen_them(tally):
    low, high = tally.interval
    _, elo_low, elo_high = stats.elo_interval(tally)
    assert low <= tally.score + 1e-12 and tally.score <= high + 1e-12
    assert elo_low - 1e-9 <= stats.elo(tally.score) <= elo_high + 1e-9
    assert elo_low < elo_high
    assert stats.elo(low) <= elo_low + 1e-6 and elo_high <= stats.elo(high) + 1e-6


@given(TALLIES)
def test_what_one_side_gains_the_other_loses(tally):
    other = Tally(tally.losses, tally.draws, tally.wins)
    difference, low, high = stats.elo_interval(tally)
    assert stats.elo_interval(other) == pytest.approx((-difference, -high, -low))
    assert stats.likelihood_of_superiority(other) == pytest.approx(1 - stats.likelihood_of_superiority(tally))


@pytest.mark.parametrize(
    ("tally", "difference", "error", "superior"),
    [  # as cutechess-cli printed them for matches of 1000 games
        (Tally(449, 275, 276), 60.7, 18.5, 1.000),
        (Tally(382, 298, 320), 21.6, 18.1, 0.990),
        (Tally(372, 306, 322), 17.4, 17.9, 0.971),
        (Tally(382, 314, 304), 27.2, 17.9, 0.999),
    ],
)
def test_elo_error_and_superiority_are_those_that_engine_testers_print(tally, difference, error, superior):
    estimate, low, high = stats.elo_interval(tally)
    assert estimate == pytest.approx(difference, abs=0.05)
    assert (high - low) / 2 == pytest.approx(error, abs=0.1)
    assert stats.likelihood_of_superiority(tally) == pytest.approx(superior, abs=0.0006)


def test_elo_and_the_expected_score_are_each_others_inverse():
    for difference in (-800, -35.5, 0, 1, 400):
        assert stats.elo(stats.expected_score(difference)) == pytest.approx(difference, abs=1e-9)
    assert stats.elo(1) == math.inf and stats.elo(0) == -math.inf and math.isnan(stats.elo(math.nan))


def test_nineteen_of_twenty_elo_intervals_hold_the_truth():
    rng = np.random.default_rng(5)
    for score, draws, games in [(0.5, 0.0, 40), (0.6, 0.5, 40), (0.55, 0.8, 200), (0.9, 0.1, 40)]:
        results = rng.multinomial(games, [score - draws / 2, draws, 1 - score - draws / 2], size=4000)
        intervals = [stats.elo_interval(Tally(*map(int, row))) for row in results]
        held = np.mean([low <= stats.elo(score) <= high for _, low, high in intervals])
        assert 0.93 < held < 0.98  # discrete outcomes: not exactly 0.95


def test_nothing_played_says_nothing():
    nothing = Tally()
    assert math.isnan(nothing.score) and nothing.interval == (0, 1)
    assert stats.likelihood_of_superiority(nothing) == 0.5
    assert stats.elo_interval(nothing)[1:] == (-math.inf, math.inf)


@given(st.lists(st.sampled_from([0, 0.25, 0.5, 1]), max_size=30))
def test_a_tally_of_many_games_is_the_sum_of_theirs(points):
    total = sum(map(Tally.of, points), Tally())
    assert total.games == len(points)
    assert (total.wins, total.losses) == (points.count(1), points.count(0))


# --- means ----------------------------------------------------------------------------------------


def test_welch_is_that_of_scipy():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(1)
    for size_a, size_b, shift in [(5, 9, 0.0), (30, 200, 0.3), (2, 2, 5.0)]:
        a, b = rng.normal(shift, 1, size_a), rng.normal(0, 3, size_b)
        ours, theirs = stats.welch(a, b), ttest_ind(a, b, equal_var=False)
        assert (ours.t, ours.freedom, ours.p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue))
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval()))


def test_the_interval_of_a_mean_is_that_of_scipy():
    from scipy.stats import ttest_1samp

    sample = np.random.default_rng(3).normal(2, 5, 30)
    theirs = ttest_1samp(sample, 0).confidence_interval()
    assert stats.mean_interval(sample) == pytest.approx((sample.mean(), theirs.low, theirs.high))
    assert math.isnan(stats.mean_interval([])[0]) and math.isnan(stats.mean_interval([1])[1])


def test_welch_is_silent_where_nothing_can_be_said():
    assert math.isnan(stats.welch([1, 1, 1], [1, 1]).p)
    assert math.isnan(stats.welch([1], [1, 2]).p)
    assert math.isnan(stats.welch([], [1, 2]).mean_a)


def test_the_bootstrap_agrees_with_the_normal_approximation_where_that_holds():
    sample = np.random.default_rng(2).exponential(10, 2000)
    error = sample.std() / math.sqrt(len(sample))
    expected = (sample.mean() - stats.Z95 * error, sample.mean() + stats.Z95 * error)
    assert stats.bootstrap(sample) == pytest.approx(expected, abs=0.1 * error + 0.03)
    assert stats.bootstrap(sample) == stats.bootstrap(sample)


# --- sequential testing ---------------------------------------------------------------------------


def test_the_ratio_is_that_of_a_published_calculator():
    assert Sprt(0, 3).llr([4063, 8620, 4307]) == pytest.approx(2.99, abs=0.01)


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any))
def test_swapping_sides_and_hypotheses_mirrors_the_ratio(counts):
    assert Sprt(-20, 5).llr(counts[::-1]) == pytest.approx(-Sprt(-5, 20).llr(counts), abs=1e-6)


def test_the_ratio_is_the_difference_of_maximised_likelihoods():
    from scipy.optimize import minimize

    counts = np.array([3, 4, 9, 12, 5], float) + stats.PRIOR_COUNT
    scores, best = np.linspace(0, 1, 5), []
    for mean in (0.5, stats.expected_score(100)):
        constraints = [
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p, mean=mean: p @ scores - mean},
        ]
        start, bounds = np.full(5, 0.2), [(1e-9, 1)] * 5
        fit = minimize(lambda p: -counts @ np.log(p), start, bounds=bounds, constraints=constraints)
        best.append(-fit.fun)
    assert Sprt(0, 100).llr([3, 4, 9, 12, 5]) == pytest.approx(best[1] - best[0], abs=1e-3)


def test_pairs_of_one_opening_decide_sooner_than_the_same_games_apart():
    points = [1, 0.5, 1, 0, 0.5, 1, 1, 0, 0, 1, 1, 0.5] * 20
    test = Sprt(0, 100)
    assert test.llr(stats.count_scores(points, together=2)) > test.llr(stats.count_scores(points)) > 0


def test_bounds_are_walds():
    assert Sprt(0, 5, 0.05, 0.05).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_a_verdict_comes_only_with_evidence():
    test = Sprt(0, 50)
    assert test.verdict([0, 0, 0]) is None and test.llr([0, 0, 0]) == 0
    assert test.verdict([0, 0, 3]) is None and test.verdict([0, 3, 0]) is None
    assert test.verdict([300, 300, 500]) == "elo1" and test.verdict([500, 300, 300]) == "elo0"


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=5), st.floats(-600, 600))
def test_each_hypothesis_gets_a_distribution_with_its_mean(counts, elo):
    counted = np.array(counts) + stats.PRIOR_COUNT
    offsets = np.linspace(0, 1, len(counts)) - stats.expected_score(elo)
    shares = counted / counted.sum() / np.exp(stats.log_tilt(counted, offsets))
    assert shares.sum() == pytest.approx(1, abs=1e-6)
    assert shares @ offsets == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=0,elo=10", "unknown parameter 'elo' for the SPRT; did you mean 'elo1'?"),
        ("elo0=0,elo1=ten", "parameter 'elo1' of the SPRT must be a number, not 'ten'"),
        ("elo1", "parameter 'elo1' of the SPRT must be a number, not ''"),
        ("elo0=0", "the SPRT needs elo1, the difference worth finding: elo0=0,elo1=10"),
        ("", "the SPRT needs elo1, the difference worth finding: elo0=0,elo1=10"),
        ("elo1=5,elo1=6", "parameter 'elo1' of the SPRT is given twice"),
        ("elo0=10,elo1=0", "elo0 must be below elo1, not elo0=10 and elo1=0"),
        ("elo1=nan", "elo0 must be below elo1, not elo0=0 and elo1=nan"),
        ("elo1=10,alpha=0.7", "alpha must be between 0 and 0.5, not 0.7"),
        ("elo1=10,beta=0", "beta must be between 0 and 0.5, not 0"),
    ],
)
def test_a_wrong_test_is_refused_with_what_would_be_right(text, message):
    with pytest.raises(SpielbaumError) as error:
        Sprt.parse(text)
    assert str(error.value) == message


def test_spaces_in_a_test_do_no_harm():
    assert Sprt.parse(" elo0 = 0, elo1=10 ,alpha=0.01") == Sprt(0, 10, 0.01, 0.05)


RUNS = 2000


def share_wrong(test, shares, truth, seed):
    """How many of many simulated tests end with the verdict that is not the truth."""
    rng, (low, high) = np.random.default_rng(seed), test.bounds
    means = stats.expected_score(test.elo0), stats.expected_score(test.elo1)
    counts, wrong = np.zeros((RUNS, len(shares))), 0
    while len(counts):
        outcomes = rng.choice(len(shares), p=shares, size=(len(counts), 25))
        growing = counts[:, None] + np.cumsum(np.eye(len(shares))[outcomes], axis=1)
        ratios = stats.log_likelihood_ratio(growing, *means)
        ended = (ratios >= high) | (ratios <= low)
        first = ratios[np.arange(len(ratios)), ended.argmax(axis=1)]
        wrong += np.sum(ended.any(axis=1) & ((first >= high) == (truth == "elo0")))
        counts = growing[~ended.any(axis=1), -1]
    return wrong / RUNS


def game_shares(difference, draws):
    """Losses, draws and wins at this Elo difference."""
    score = stats.expected_score(difference)
    return np.array([1 - score - draws / 2, draws, score - draws / 2])


def pair_shares(difference, draw_elo, spread):
    """Scores of pairs at this mean Elo difference whose openings favour one side by N(0, spread²) Elo."""
    from scipy.optimize import brentq

    bias, weights = np.polynomial.hermite_e.hermegauss(41)
    weights = weights / weights.sum()

    def outcomes(strength):
        win, loss = (1 / (1 + 10 ** ((draw_elo - sign * strength) / 400)) for sign in (1, -1))
        return np.stack([loss, 1 - win - loss, win])

    def shares(strength):
        first, second = outcomes(strength + spread * bias), outcomes(strength - spread * bias)
        total = np.zeros(5)
        np.add.at(total, np.add.outer(np.arange(3), np.arange(3)), np.einsum("iw,jw,w->ij", first, second, weights))
        return np.maximum(total, 0) / total.sum()

    target = stats.expected_score(difference)
    return shares(brentq(lambda strength: shares(strength) @ np.linspace(0, 1, 5) - target, -3000, 3000))


SIMULATED = {
    "games without draws": (Sprt(0, 100), lambda elo: game_shares(elo, 0.0)),
    "games with draws": (Sprt(0, 100), lambda elo: game_shares(elo, 0.3)),
    "nearly all games drawn": (Sprt(0, 40), lambda elo: game_shares(elo, 0.85)),
    "tests of a handful of games": (Sprt(0, 300), lambda elo: game_shares(elo, 0.2)),
    "far from equality": (Sprt(100, 200), lambda elo: game_shares(elo, 0.3)),
    "bounds of their own": (Sprt(-60, 60, 0.02, 0.1), lambda elo: game_shares(elo, 0.3)),
    "pairs of fair openings": (Sprt(0, 100), lambda elo: pair_shares(elo, 150, 0)),
    "pairs of unfair openings": (Sprt(0, 100), lambda elo: pair_shares(elo, 150, 300)),
    "pairs that the opening decides": (Sprt(0, 50), lambda elo: pair_shares(elo, 0, 1000)),
    "pairs of drawn games": (Sprt(0, 40), lambda elo: pair_shares(elo, 500, 300)),
}


LONG_SIMULATED = {
    "the usual test": (Sprt(0, 10), lambda elo: game_shares(elo, 0.3)),
    "a usual test in pairs": (Sprt(0, 20), lambda elo: pair_shares(elo, 150, 300)),
}


@pytest.mark.parametrize("name", [*SIMULATED, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_SIMULATED)])
def test_error_rates_stay_within_the_promise(name):
    """2000 tests at each hypothesis; three standard errors of such a sample are allowed for."""
    test, shares = (SIMULATED | LONG_SIMULATED)[name]
    for truth, difference, promise in [("elo0", test.elo0, test.alpha), ("elo1", test.elo1, test.beta)]:
        rate = share_wrong(test, shares(difference), truth, seed=7)
        assert rate <= promise + 3 * math.sqrt(promise * (1 - promise) / RUNS)


# --- ratings --------------------------------------------------------------------------------------


def played(strengths, games, draws, rng):
    """Points, games and draws of a round-robin with these Elo strengths."""
    size = len(strengths)
    points, drawn = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            lost, even, won = rng.multinomial(games, game_shares(strengths[i] - strengths[j], draws))
            points[i, j], points[j, i] = won + even / 2, lost + even / 2
            drawn[i, j] = drawn[j, i] = even
    return points, games * (1 - np.eye(size)), drawn


def test_two_players_get_the_elo_difference_of_their_score():
    first, second = stats.bradley_terry("ab", [[0, 6500], [3500, 0]], [[0, 1e4], [1e4, 0]], [[0, 1e3], [1e3, 0]])
    assert first.value - second.value == pytest.approx(stats.elo(0.65), abs=0.1)
    _, low, high = stats.elo_interval(Tally(6000, 1000, 3000))
    assert 2 * stats.Z95 * first.error == pytest.approx(
        (high - low) / 2, rel=0.01
    )  # each is half as far from their mean


def test_the_ratings_solve_the_likelihood_equations():
    points, games, _ = played([0, 50, 120, -80], 400, 0.2, np.random.default_rng(3))
    strength = stats.likeliest_strengths(points, games)
    expected = games * stats.logistic(strength[:, None] - strength)
    np.testing.assert_allclose((points - expected).sum(axis=1), stats.logistic(strength) - 0.5, atol=1e-8)


@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_rating_errors_are_the_spread_over_repeated_tournaments(draws):
    rng, strengths = np.random.default_rng(4), np.array([60.0, 20.0, 0.0, -80.0])
    off = []
    for _ in range(400):
        ratings = {rating.name: rating for rating in stats.bradley_terry("abcd", *played(strengths, 100, draws, rng))}
        off.append(
            [(ratings[name].value - truth) / ratings[name].error for name, truth in zip("abcd", strengths, strict=True)]
        )
    assert np.std(off, axis=0) == pytest.approx(1, abs=0.12)
    assert np.mean(off, axis=0) == pytest.approx(0, abs=0.2)


def test_equals_are_told_apart_as_rarely_as_the_p_value_says():
    rng = np.random.default_rng(6)
    gaps = [stats.bradley_terry("ab", *played([0, 0], 100, 0.3, rng))[0].p_next for _ in range(1000)]
    assert np.mean(np.array(gaps) < 0.05) == pytest.approx(0.05, abs=0.025)


def test_clean_sweeps_and_strangers_stay_finite():
    ratings = stats.bradley_terry("abc", [[0, 10, 0], [0, 0, 0], [0, 0, 0]], [[0, 10, 0], [10, 0, 0], [0, 0, 0]])
    assert [rating.name for rating in ratings] == ["a", "c", "b"]
    assert all(math.isfinite(rating.value) and rating.error > 0 for rating in ratings)
    assert sum(rating.value for rating in ratings) == pytest.approx(0)
    assert ratings[-1].p_next is None


def test_many_sided_games_rank_agents_by_where_they_finish():
    rng, strengths = np.random.default_rng(8), np.array([0.0, 2.0, 1.0, -1.0])
    games = []
    for _ in range(150):
        seated = rng.permutation(4)[:3]
        games.append(([[int(i)] for i in seated], list(strengths[seated] + rng.gumbel(size=3))))
    ratings = stats.plackett_luce("abcd", games)
    assert [rating.name for rating in ratings] == ["b", "c", "a", "d"]
    assert all(rating.p_next < 0.05 for rating in ratings[:-1]) and ratings[-1].p_next is None


def test_equals_in_many_sided_games_are_rarely_told_apart():
    rng, told_apart = np.random.default_rng(9), 0
    for _ in range(100):
        games = [([[0], [1], [2]], [float(points) for points in rng.permutation(3)]) for _ in range(60)]
        told_apart += stats.plackett_luce("abc", games)[0].p_next < 0.05
    assert told_apart <= 5 + 3 * math.sqrt(100 * 0.05 * 0.95)


def test_team_mates_rise_together_and_nobody_beats_themselves():
    ratings = {rating.name: rating for rating in stats.plackett_luce("abc", [([[0, 1], [2]], [1, 0])] * 5)}
    assert ratings["a"].value == ratings["b"].value > ratings["c"].value
    one_agent_plays_the_whole_team = stats.plackett_luce("ab", [([[0, 0], [1]], [1, 0])])
    assert one_agent_plays_the_whole_team == stats.plackett_luce("ab", [([[0], [1]], [1, 0])])
    assert all(rating.value == 25 for rating in stats.plackett_luce("ab", [([[0], [0], [1]], [1, 0, 0])]))


def test_heavy_packages_wait_until_they_are_needed():
    code = "import sys, spielbaum.arena.stats; print({'scipy.special', 'openskill', 'matplotlib'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"
