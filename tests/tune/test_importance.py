"""What an additive model says about parameters whose effects are known."""

from __future__ import annotations

import numpy as np

from spielbaum.tune.importance import StepResult, parameter_importances
from spielbaum.tune.method import Batch, Trial
from spielbaum.tune.surfaces import SURFACES, outcomes

FIVE, CONDITIONAL = SURFACES["five"], SURFACES["conditional"]


PEAK = Trial(0, {"x1": 0.62, "x2": 0.37, "x3": 0.5, "x4": 0.5, "x5": 0.5})


def played(surface, meetings, trials: int, games: int, seed: int = 1) -> list[StepResult]:
    rng, species = np.random.default_rng(seed), surface.species
    drawn = [Trial(0, species.at(rng.random(len(species.genes)))) for _ in range(trials)]
    batch = Batch(drawn, meetings, games)
    return [StepResult(batch, outcomes(surface, batch, rng))]


def test_two_of_five_parameters_matter_and_their_optimum_is_in_the_interval():
    found = parameter_importances([FIVE.species], played(FIVE, [(i, ~0) for i in range(400)], 400, 20), PEAK)
    importance = {each.name: each.importance for each in found}
    assert importance["x1"] + importance["x2"] > 0.9
    assert sum(importance.values()) == np.float64(1.0) or abs(sum(importance.values()) - 1) < 1e-9
    spans = {each.name: tuple(map(float, each.values)) for each in found}
    assert spans["x1"][0] <= 0.62 <= spans["x1"][1]
    assert spans["x2"][0] <= 0.37 <= spans["x2"][1]
    assert spans["x1"][1] - spans["x1"][0] < 0.7
    assert spans["x3"] == (0.0, 1.0)  # nobody can tell


def test_agents_that_meet_each_other_tell_the_same():
    rng = np.random.default_rng(3)
    meetings = [tuple(rng.permutation(400)[:2].tolist()) for _ in range(600)]
    found = {
        each.name: each.importance
        for each in parameter_importances([FIVE.species], played(FIVE, meetings, 400, 20), PEAK)
    }
    assert found["x1"] + found["x2"] > 0.9


def test_a_choice_has_the_values_that_are_as_good():
    tuned = Trial(0, {**CONDITIONAL.species.start, "select": "ucb1"})
    found = parameter_importances(
        [CONDITIONAL.species], played(CONDITIONAL, [(i, ~0) for i in range(600)], 600, 20), tuned
    )
    assert found[0].name == "select"
    assert "greedy" not in found[0].values


def test_few_games_leave_everything_possible():
    found = parameter_importances([FIVE.species], played(FIVE, [(i, ~0) for i in range(12)], 12, 2), PEAK)
    assert {each.name for each in found} == {"x1", "x2", "x3", "x4", "x5"}
    assert all(0 <= each.importance <= 1 for each in found)


def test_a_tuned_value_is_as_good_as_itself_also_where_few_games_point_elsewhere():
    for seed in range(20):
        drawn = played(FIVE, [(i, ~0) for i in range(12)], 12, 8, seed)
        for trial in drawn[0].batch.trials:
            for each in parameter_importances([FIVE.species], drawn, trial):
                low, high = map(float, each.values)
                assert low <= trial.values[each.name] <= high
