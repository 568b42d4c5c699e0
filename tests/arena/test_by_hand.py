"""Every estimator of the arena on one case that was worked out with pencil and paper; the working stands beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spielbaum.arena import stats
from spielbaum.arena.stats import Pairs, Sprt, Tally

LOGIT = 400 / math.log(10)  # Elo


def near(*numbers: float, within: float = 1e-4):
    return pytest.approx(numbers if len(numbers) > 1 else numbers[0], abs=within)


# --- one score ------------------------------------------------------------------------------------


def test_wilson():
    # z²/n = 1: (1/2 + 1/2 ± sqrt(1/4 + 1/4)) / 2
    assert stats.wilson(0.5, 4, z=2) == near(0.14645, 0.85355)
    # half of the games drawn: a game's variance is 1/4 - 1/8, so ± sqrt(1/8 + 1/8) / 2
    assert stats.wilson(0.5, 4, z=2, draw_share=0.5) == near(0.25, 0.75)


def test_elo():
    assert stats.elo(10 / 11) == near(400.0)  # ten to one
    assert stats.elo(0.75) == near(190.8485)  # 400 log10 3
    assert stats.expected_score(-400) == near(1 / 11)


def test_the_least_difference_that_games_tell_apart():
    # 1/2 + (2 + 1) / 2 / sqrt(100) = 0.65, and 400 log10 (65 / 35) is
    assert stats.detectable_elo(100, z=2, power=1) == near(107.5382)


def test_the_elo_interval_of_a_tally():
    # two draws in 4 + 1 games: variance 1/4 - 1/10; (1 ± sqrt(0.15 + 0.25 * 0.6)) / 2 = 0.22614, 0.77386
    assert stats.elo_interval(Tally(1, 2, 1), z=2) == near(0.0, -213.7153, 213.7153)


def test_the_likelihood_of_superiority():
    # (6 - 3) / sqrt(9) = 1 standard deviation, whatever was drawn
    assert stats.likelihood_of_superiority(Tally(6, 50, 3)) == near(0.841345)


def test_the_variance_of_pairs_has_one_more_that_was_decided():
    assert Pairs((0, 0, 4, 0, 0)).variance == near(0.05)  # (0 + 1/4) / 5
    assert Pairs((1, 0, 0, 0, 1)).variance == near(0.25)  # (2/4 + 1/4) / 3


def test_the_elo_interval_and_superiority_of_pairs():
    pairs = Pairs((0, 0, 2, 2, 0))
    # score 5/8, squares 4 / 64, variance (1/16 + 1/4) / 5 = 1/16; (5/8 - 1/2) / sqrt(1/16 / 4) = 1
    assert pairs.likelihood_of_superiority == near(0.841345)
    # as many draws as make a game's variance 2/16 = 0.234375 - d/4: d = 0.4375; k = 1.95996² / 8 = 0.480182
    # (0.865091 ± sqrt(0.480182 / 8 + 0.230575 * 0.140625)) / 1.480182 = 0.379034, 0.789864
    assert pairs.elo_interval == near(88.739, -85.761, 230.021, within=0.01)


# --- means ----------------------------------------------------------------------------------------


def test_welch():
    test = stats.welch([1, 3], [2, 4, 6])
    # variances 2 / 2 and 4 / 3 of the means: t = -2 / sqrt(7/3); freedom = (7/3)² / (1 + 8/9)
    assert (test.mean_a, test.mean_b, test.t, test.freedom) == near(2, 4, -1.309307, 2.882353)


def test_students_distribution():
    assert stats.student_p(1, 1) == near(0.5)  # Cauchy: 1 - 2 arctan(1) / π
    assert stats.student_p(-math.sqrt(2), 2) == near(0.292893)  # 1 - t / sqrt(2 + t²)
    assert stats.student_95(1) == near(12.7062)  # tan(0.475 π)
    assert stats.student_p(1.959964, 1e6) == near(0.05)


def test_the_paired_test():
    test = stats.paired([3, 5], [1, 1])  # differences 2 and 4: mean 3, error 1, one degree of freedom
    assert (test.t, test.freedom, test.p, test.low, test.high) == near(3, 1, 0.204833, 3 - 12.7062, 3 + 12.7062)


def test_the_interval_of_a_mean():
    assert stats.mean_interval([1, 3]) == near(2, 2 - 12.7062, 2 + 12.7062)  # standard deviation sqrt 2, error 1


def test_the_bootstrap():
    assert stats.bootstrap([5, 5, 5]) == (5, 5)
    assert stats.bootstrap([0, 1]) == (0, 1)  # means 0, 1/2, 1 with 1/4, 1/2, 1/4
    assert stats.bootstrap([0] * 50 + [1] * 50) == near(0.40, 0.60, within=0.0101)  # quantiles of Binomial(100, 1/2)


# --- sequential testing ---------------------------------------------------------------------------


def test_the_log_likelihood_ratio():
    # without draws the mean says all: 3.25 ln (1/11 / 1/2) + 7.25 ln (10/11 / 1/2)
    assert float(stats.log_likelihood_ratio([3, 7], 1 / 2, 10 / 11)) == near(-1.206113)


def test_brownian_motion_reaches_a_bound():
    assert stats.reaches(3, 2, 1e6, 0.0, 1.0) == near(0.4)  # without drift: as far as the other one is
    assert stats.reaches(1, 100, 1, 0.0, 1.0) == near(0.317311)  # one bound alone: 2 Φ(-1) by reflection
    # with drift 1/2 and for ever: (1 - e^-2) / (1 - e^-5) of the exponential martingale
    assert stats.reaches(3, 2, 1e6, 0.5, 1.0) == near((1 - math.exp(-2)) / (1 - math.exp(-5)))


@pytest.mark.parametrize(("counts", "sign"), [((10, 0, 400), 1), ((400, 0, 10), -1)])
def test_an_estimate_after_a_test_knows_how_far_beyond_the_bound_it_ended(counts, sign):
    """So far beyond that nobody comes back: the drift that has half of all there by now is the one that was seen.

    Taken as if it had ended at the bound, 2.94 of a ratio near 200, it would be next to nothing.
    """
    test = Sprt(-50, 50)
    assert abs(test.llr(counts)) > 100 > 30 * test.bounds[1]
    middle, low, high = stats.estimate_after(test, counts)
    assert middle == pytest.approx(sign * stats.elo(400 / 410), rel=0.01)
    assert low < middle < high


def test_bisection():
    assert stats.bisect(lambda x: x * x, 0.25) == near(0.5)


# --- ratings --------------------------------------------------------------------------------------


def test_bradley_terry_and_its_errors():
    """Twelve games, half of the points each: information (12 + 1)/4 and -12/4, so 4/25 for their difference's half."""
    even, games = [[0, 6], [6, 0]], [[0, 12], [12, 0]]
    for draws, variance in ((0, 2 / 25), (12, (4 / 25) ** 2 / 4 / 2)):
        for rating in stats.bradley_terry("ab", even, games, np.array(games) * draws / 12):
            assert (rating.value, rating.error) == near(0, math.sqrt(variance) * LOGIT)


def test_bradley_terry_s_strengths():
    # strengths ± ln 2: expected 10 * 4/5, and the draw against somebody average asks for 2/3 - 1/2 more
    points = 8 + 1 / 6
    first, second = stats.bradley_terry("ab", [[0, points], [10 - points, 0]], [[0, 10], [10, 0]])
    assert (first.value, second.value) == near(math.log(2) * LOGIT, -math.log(2) * LOGIT)


def test_the_significance_of_a_difference():
    # variance 2 + 3 - 2 * 0.5 = 4, so that 1.959964 * 2 is just significant
    covariance = np.array([[2, 0.5], [0.5, 3]])
    assert stats.difference_p(np.array([0, 3.919928]), covariance, 0, 1) == near(0.05)


def test_team_ratings():
    # as above, in ten games that either begins five times of: (8 + 1/6) / 10 for the one, the rest for the other
    sides, share = [[1, -1], [-1, 1]] * 5, (8 + 1 / 6) / 10
    (first, second), _ = stats.team_ratings("ab", sides, [share, 1 - share] * 5)
    assert (first.value, second.value) == near(math.log(2) * LOGIT, -math.log(2) * LOGIT)


def test_hotellings_test_of_one_dimension_is_students():
    # mean 2, variance 2 of two: t² = 2 * 4 / 2, one degree of freedom
    assert stats.no_mean_p(np.array([[1.0], [3.0]]), 1) == near(1 - 2 * math.atan(2) / math.pi)


def test_plackett_luce():
    # c² = 2 (25²/9 + 25²/36); the winner gains (25²/9) / c * (1 - 1/2)
    first, second = stats.plackett_luce("ab", [([[0], [1]], [1, 0])])
    assert (first.value, second.value) == near(27.63523, 22.36477)


def test_scores_against_the_same_opponents():
    # (49.5 + 1/2) / 100 = 1/2 and (19.5 + 1/2) / 100 = 1/5: 400 log10 4 apart
    # variance of a logit 1 / (n p q): (4 + 6.25) / 99 together, whose root is 0.321768
    gain = 240.8240
    half = 1.959964 * 0.321768 * LOGIT
    assert stats.elo_between(0.5, 19.5 / 99, 99) == near(gain, gain - half, gain + half, within=0.01)


# --- regression -----------------------------------------------------------------------------------


def test_the_errors_of_shares():
    assert stats.share_error(0.8, 10) == near(math.sqrt(0.016))
    # 0.5 and 0.8 in 10 games each: (0.25 + 0.16) / 10
    assert stats.shares_error(0.5, 0.8, 10) == near(math.sqrt(0.041))
    assert stats.shares_error(1.0, 1.0, 10) > 0  # nobody is quite certain


def test_weighted_ridge():
    # one column of ones, values 1 and 3 that count 1 and 3 times: sum 10 over 4 + 1 that say 0, so 2
    rows, values, weights = np.ones((2, 1)), np.array([1.0, 3.0]), np.array([1.0, 3.0])
    coefficients, covariance = stats.weighted_ridge(rows, values, weights, 1.0)
    assert coefficients[0] == near(2.0)
    # 1 (1 - 2)² + 3 (3 - 2)² = 4 over 2 - 1 degrees of freedom, over 5
    assert covariance[0, 0] == near(4 / 5)


def test_the_errors_of_differences():
    # variances 1 and 4 with covariance 1: 1 + 4 - 2 = 3, and of one from itself 0
    assert stats.difference_errors(np.array([[1.0, 1.0], [1.0, 4.0]]), 0).tolist() == [0.0, near(math.sqrt(3))]


def test_the_correlation_ratio():
    # within the groups 4 · 1/4 squares over 4 - 2; about 2.5 all have 6.25 + 2.25 + 2.25 + 6.25 = 17 over 3
    values, groups = np.array([0.0, 1.0, 4.0, 5.0]), np.array([0, 0, 1, 1])
    assert stats.correlation_ratio(values, groups) == near(1 - 1.5 / 17)
    # groups that halve each other's values explain less than chance would: 4 · 4 squares over 2 beside 17/3
    assert stats.correlation_ratio(values, np.array([0, 1, 0, 1])) == 0.0
    assert stats.correlation_ratio(np.full(4, 7.0), groups) == 0.0  # there is nothing to explain


def test_kernel_regression():
    # a point as near to 1 as to 3 and half as near to 8: (1 + 3 + 4) / 2.5; another that nothing is near
    means, totals = stats.kernel_regression(np.array([[1.0, 1.0, 0.5], [0.0, 0.0, 0.0]]), np.array([1.0, 3.0, 8.0]))
    assert means[0] == near(3.2) and math.isnan(means[1])
    assert totals.tolist() == [2.5, 0.0]
