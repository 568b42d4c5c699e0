"""The benchmark of tuners, and the thesis' evolution beside what was published."""

from __future__ import annotations

import pytest

from spielbaum.arena.plots import regret_figure, rendered
from spielbaum.experiments.tuning import course, driven_out, load_benchmark, load_evolution, settled, table
from spielbaum.tune import read_history
from spielbaum.tune.run import tune
from spielbaum.tune.surfaces import SURFACES, regrets


def test_the_optimum_of_every_surface_is_where_it_is_said_to_be():
    best = {"x1": 0.62, "x2": 0.37, "x3": 0.1, "x4": 0.2, "x5": 0.3}
    assert SURFACES["peak"].elo(best) == SURFACES["five"].elo(best) == 0.0
    assert SURFACES["ridge"].elo({"x1": 0.65, "x2": 0.5}) == pytest.approx(0.0)
    assert SURFACES["conditional"].elo({"select": "ucb1", "c": 0.3}) == 0.0
    for surface in SURFACES.values():
        assert surface.elo(surface.species.start) < -50


def test_a_table_has_medians_and_a_picture_of_them_the_same_bytes():
    found = list(regrets(["peak"], ["random search", "spsa"], [100, 400], 3, 1))
    rows = table(found)
    assert [(row["method"], row["games"]) for row in rows] == [
        *(("random search", 100), ("random search", 400), ("spsa", 100), ("spsa", 400)),
    ]
    assert all(row["quartiles"][0] <= row["median"] <= row["quartiles"][1] for row in rows)
    assert rendered(regret_figure(rows), "svg") == rendered(regret_figure(rows), "svg")


def test_spsa_is_left_out_where_a_choice_is_varied():
    assert not list(regrets(["conditional"], ["spsa"], [100], 1, 1))


def test_the_benchmark_has_every_surface_and_method():
    benchmark = load_benchmark("tuning/surfaces")
    assert list(benchmark.surfaces) == list(SURFACES)
    assert max(benchmark.games) == 20_000
    assert load_benchmark("tuning/surfaces", quick=True).seeds < benchmark.seeds


def test_the_evolution_is_that_of_the_thesis_in_full():
    full = load_evolution("quick-civ/7.1", quick=False, full=True, given={})
    assert full.job.options["population"] == 52
    assert full.job.options["generations"] == 50
    assert full.job.games == 50 * 52
    greedy, mcts = full.job.species
    assert len(greedy.genes) == 7
    assert {"select", "c", "epsilon", "depth", "winner-bias"} <= {gene.name for gene in mcts.genes}


def test_generations_tell_who_is_driven_out_and_what_settles(tmp_path):
    evolution = load_evolution("quick-civ/7.1", True, False, {"population": 8, "generations": 2, "iterations": 2})
    outcome = tune(evolution.job, store=tmp_path / "civ.db")
    rows = course(read_history(tmp_path / "civ.db", outcome.number))
    assert len(rows) == 2
    assert rows[0]["shares"] == {"greedy": 0.5, "vanilla:iterations=2": 0.5}
    assert 0 < rows[0]["genes"]["greedy"]["weight.food"]["spread"] < 1


def test_settling_and_driving_out_are_read_from_the_course():
    spreads = {"a": [0.4, 0.1, 0.1, 0.1], "b": [0.4, 0.1, 0.4, 0.1], "c": [0.4, 0.4, 0.4, 0.4]}
    rows = [
        {
            "generation": number,
            "shares": {"greedy": max(0, 2 - number) / 4, "mcts": 1.0},
            "genes": {"mcts": {name: {"mean": 0.0, "spread": each[number]} for name, each in spreads.items()}},
        }
        for number in range(4)
    ]
    assert settled(rows, "mcts", ["a", "b", "c"]) == {"a": 1, "b": 3, "c": None}
    assert driven_out(rows, "greedy") == 2
