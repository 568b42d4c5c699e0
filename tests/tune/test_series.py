"""What pictures of a tuning run show, in numbers."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.tune import History, read_history, series
from tests.tune.made import GREEDY, MCTS, PARAMETERS, made_store


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> History:
    path = tmp_path_factory.mktemp("tuned") / "runs.db"
    made_store(path)
    return read_history(path)


def parameter(run: History, name: str):
    return next(one for one in run.parameters if one.name == name)


def test_each_individual_is_in_one_dot(run):
    dots = series.course(run, parameter(run, "depth")).dots
    for number, step in enumerate(run.steps):
        values = [one.values["depth"] for one in step.individuals if one.species == MCTS]
        assert sum(dot.number for dot in dots if dot.step == number) == len(values)
        most = max(set(values), key=values.count)
        at = series.place(parameter(run, "depth"), most)
        assert next(dot.number for dot in dots if (dot.step, dot.at) == (number, at)) == values.count(most)


def test_the_mean_of_a_logarithmic_range_is_the_geometric_one(run):
    step, at = series.course(run, parameter(run, "c")).mean[0]
    values = [one.values["c"] for one in run.steps[0].individuals if one.species == MCTS]
    assert step == 0
    assert series.value_at(parameter(run, "c"), at) == pytest.approx(np.exp(np.mean(np.log(values))))


def test_who_does_not_use_a_parameter_is_not_shown(run):
    dots = series.course(run, parameter(run, "epsilon")).dots
    users = [one for step in run.steps for one in step.individuals if one.values.get("select") == "epsilon-greedy"]
    assert sum(dot.number for dot in dots) == len(users) > 0


def test_shares_add_up_and_a_species_dies_out(run):
    shares = series.shares(run)
    assert [sum(each) for each in zip(*[[share for _, share in line] for line in shares.values()], strict=True)] == [
        1
    ] * 10
    assert shares[GREEDY][0][1] > 0.3 and shares[GREEDY][-1][1] == 0


def test_long_runs_are_thinned_and_keep_everybody(tmp_path):
    made_store(tmp_path / "runs.db", steps=400, population=2)
    run = read_history(tmp_path / "runs.db")
    columns = series.columns(run)
    assert len(columns) <= series.MOST_COLUMNS and columns[-1].step > 394
    assert sum(len(column.individuals) for column in columns) == 800
    assert len(series.thought_best(run, run.parameters[0])) <= series.MOST_COLUMNS + 1


def test_while_a_run_goes_on_what_matters_is_guessed(tmp_path):
    made_store(tmp_path / "runs.db", steps=10, population=24, finished=False)
    run = read_history(tmp_path / "runs.db")
    weights = series.importances(run)
    assert weights[MCTS, "c"] > 0.2 > 0.05 > weights[MCTS, "keep"]


def test_the_landscape_is_of_what_matters_and_highest_where_it_should_be(run):
    surface = series.response_surface(run)
    assert surface is not None
    assert (surface.y.name, surface.x.name, surface.relative) == ("c", "depth", True)
    assert abs(surface.points[:, 2].mean()) < 1e-9, "among each other everybody is judged by the others"
    row, _ = np.unravel_index(np.nanargmax(np.where(np.isnan(surface.grid), -1, surface.grid)), surface.grid.shape)
    assert 0.3 < series.value_at(surface.y, (row + 0.5) / series.CELLS) < 3.3
    assert np.isnan(surface.grid).any(), "nobody was everywhere"


def test_words_stand_beside_the_landscape(tmp_path):
    made_store(tmp_path / "runs.db", finished=False, parameters=[PARAMETERS[0], PARAMETERS[2]])
    surface = series.response_surface(read_history(tmp_path / "runs.db"))
    assert surface is not None and (surface.x.name, surface.y.name) == ("c", "select")
    assert surface.grid.shape == (3, series.CELLS)


def test_two_who_only_meet_each_other_have_no_fitness_to_show(tmp_path):
    for against in ([], ["medium"]):
        made_store(tmp_path / "runs.db", population=2, method="spsa", against=against)
    assert [series.tells_fitness(read_history(tmp_path / "runs.db", number)) for number in (1, 2)] == [False, True]


def test_parameters_that_never_meet_have_no_landscape(tmp_path):
    apart = [PARAMETERS[3], {**PARAMETERS[0], "name": "other"}]
    made_store(tmp_path / "runs.db", finished=False, parameters=apart)
    assert series.response_surface(read_history(tmp_path / "runs.db")) is None
