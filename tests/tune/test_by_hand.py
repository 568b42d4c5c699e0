"""Every estimator of the tuners on one case that was worked out with pencil and paper; the working stands beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spielbaum.tune import method, ntbea, optuna
from spielbaum.tune.importance import StepResult, levels_of, parameter_importances
from spielbaum.tune.method import Batch, PlayOff, Task, Trial
from spielbaum.tune.space import Gene, Species

SWITCH = Gene("on", False, choices=(False, True))


def species(*genes: Gene) -> Species:
    return Species("a", "a", {}, {gene.name: gene.start for gene in genes}, genes)


# --- SPSA -----------------------------------------------------------------------------------------


def spsa(games: int, **options: float) -> method.Method:
    return method.create("spsa", Task([species(Gene("x", 0.5))], games, options=options))


def upwards(tuner: method.Method) -> np.ndarray:
    """What the sides have if only more of it wins."""
    batch = tuner.ask()
    places = [trial.values["x"] for trial in batch.trials]
    return np.array([[float(places[a] > places[b]), float(places[b] > places[a])] for a, b in batch.meetings])


def test_spsa_goes_by_the_gain_over_the_distance_tried():
    tuner = spsa(32, c=0.1, rate=0.01)  # 16 directions, 8 at a time
    tuner.tell(upwards(tuner))
    # c_1 = 0.1 * 16^0.101 = 0.132317: up and down are 0.264634 apart, and a gain of 1 moves by a_k / 0.264634
    # a = 0.01 * 0.1² * (1.6 + 16)^0.602 = 0.000562081; the sum of 1 / (1.6 + k)^0.602 for k = 1 to 8 is 2.92470
    assert tuner.theta[0] - 0.5 == pytest.approx(0.000562081 * 2.92470 / 0.264634, abs=1e-5)


def test_spsa_goes_no_farther_than_it_has_looked():
    tuner = spsa(32, c=0.1, rate=1000)
    tuner.tell(upwards(tuner))
    assert tuner.theta[0] == pytest.approx(0.5 + 0.1 * 16**0.101)


def test_spsa_names_the_mean_of_the_last_half():
    tuner, thetas = spsa(64, c=0.1, rate=0.1), []  # 32 directions in four steps
    while tuner.k < 32:
        tuner.tell(upwards(tuner))
        thetas.append(tuner.theta[0])
    assert len(thetas) == 4 and thetas[3] > thetas[0] + 0.02
    assert tuner.best().values["x"] == pytest.approx((thetas[2] + thetas[3]) / 2, abs=1e-3)


# --- NTBEA ----------------------------------------------------------------------------------------


def test_ntbea_begins_with_the_mean_of_all_games_and_not_with_one_half():
    model = ntbea.Model(ntbea.Grid(species(SWITCH), 15))
    model.learn(np.array([0]), 1.0, 10)
    model.learn(np.array([1]), 0.0, 30)
    both = np.array([[0], [1]])
    # 10 of 40 points: ten games at 1/4 beside each level's own, (10 + 2.5) / 20 and (0 + 2.5) / 40
    assert model.means(both) == pytest.approx([0.625, 0.0625])
    # and 2 sqrt(ln 41 / (n + 1/2)) more as bound
    bonus = [2 * math.sqrt(math.log(41) / (n + 0.5)) for n in (10, 30)]
    assert model.bounds(both, 2.0) == pytest.approx([0.625 + bonus[0], 0.0625 + bonus[1]])


def test_ntbea_counts_a_game_for_the_levels_beside_its_own():
    # two standard deviations of the nearness are 2 levels of 15: a neighbour counts exp(-1/8)
    near = ntbea.nearness(15, ntbea.WIDTH * 15)
    assert (near[7, 7], near[7, 8], near[7, 9]) == pytest.approx((1.0, math.exp(-1 / 8), math.exp(-1 / 2)))


# --- effects --------------------------------------------------------------------------------------


def test_values_are_as_good_where_the_error_of_their_difference_says_so():
    # errors 1/2 each that mostly go together: var of the difference 0.25 (1 + 1 - 2 * 0.99) = 0.005, 1.96 errors 0.1386
    covariance = 0.25 * np.array([[1, 0.99], [0.99, 1]])
    for difference, kept in ((0.12, ("off", "on")), (0.15, ("on",))):
        found = np.array([-difference / 2, difference / 2])
        levels, told, variance = levels_of(SWITCH, found, covariance, np.array([True, True]), True)
        assert told == kept
        # from their mean each has a quarter of that variance
        assert [error for *_, error in levels] == pytest.approx([math.sqrt(0.005 / 4)] * 2)
        assert variance == pytest.approx(max(0.0, difference**2 / 4 - 0.005 / 4))


def test_effects_are_those_of_a_regression_by_hand():
    """On scores 0.7 and off 0.5 in 100 games each, beside RIDGE = 1 game's worth of no effect."""
    trials = [Trial(0, {"on": value}) for value in (False, True)]
    batch = Batch(trials, [(0, ~0), (1, ~0)], 100)
    (effect,) = parameter_importances(
        [species(SWITCH)], [StepResult(batch, np.array([[0.5, 0.5], [0.7, 0.3]]))], trials[1]
    )
    # rows (1, ±1/2, ∓1/2): the effects are ±e with 100 (0.2 - 2e) = 2e, of e² + e² beside 2 · 100 · (0.1 - e)²
    assert [level[1] for level in effect.levels] == pytest.approx([-0.1 * 100 / 101, 0.1 * 100 / 101])
    assert effect.importance == 1.0


# --- who is best of a few ---------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "wins"), [(0.63, False), (0.64, True)])
def test_a_play_off_asks_for_two_errors_of_the_difference(score, wins):
    # 100 games each: the error of 0.5 and about 0.635 is sqrt((0.25 + 0.232) / 100) = 0.0694, twice that 0.139
    candidates = [Trial(0, {"on": value}) for value in (False, True)]
    play_off = PlayOff(candidates, 200, Task([species(SWITCH)], 1000))
    play_off.tell(np.array([[0.5, 0.5], [score, 1 - score]]), 100)
    assert (play_off.winner is candidates[1]) == wins


def test_what_optuna_is_told_is_cautious():
    # 7 of 8 games, and one more won and one more lost: 8/10 less sqrt(0.16 / 10)
    running = optuna.Running(None, Trial(0, {}), points=7.0, games=8)
    assert running.cautious == pytest.approx(0.8 - 0.126491, abs=1e-6)
