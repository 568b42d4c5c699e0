"""The benchmark of tuners, and the thesis' evolution beside what was published."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.arena.plots import regret_figure, rendered
from spielbaum.experiments.tuning import (
    claim_mark,
    claims,
    course,
    driven_out,
    load_benchmark,
    load_evolution,
    settled,
    share_of,
    table,
)
from spielbaum.tune import read_history
from spielbaum.tune.history import Individual
from spielbaum.tune.method import create
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
    ranges = {gene.name: (gene.low, gene.high) for gene in mcts.genes if gene.numeric}
    assert ranges["tree-c"] == (1, 3) and ranges["tree-epsilon"] == (0, 2) and ranges["depth"] == (1, 10)
    assert {gene.name: len(gene.choices) for gene in mcts.genes if not gene.numeric} == {
        **{"tree-policy": 4, "own-policy": 5, "enemy-policy": 5},
    }


def test_the_evolution_with_memory_has_the_ranges_of_the_appendix_and_the_prunings():
    evolution = load_evolution("quick-civ/7.6", quick=False, full=False, given={})
    assert evolution.job.options["generations"] == 16
    (memory,) = evolution.job.species
    ranges = {gene.name: (gene.low, gene.high) for gene in memory.genes}
    assert ranges["reset-strength"] == ranges["learning-rate"] == (0, 2) and ranges["tournament"] == (1, 9)
    assert sum(gene.name.startswith("filter:") for gene in memory.genes) == 4


def test_nothing_that_is_to_be_found_is_planted_in_an_evolution():
    job = load_evolution("quick-civ/7.1", quick=True, full=False, given={}).job
    planted = {number: each.places(each.start) for number, each in enumerate(job.species)}
    population = create("evolution", job.task).population
    assert not any(np.array_equal(each.places, planted[each.species]) for each in population)


def test_generations_tell_who_is_driven_out_and_what_settles(tmp_path):
    evolution = load_evolution("quick-civ/7.1", True, False, {"population": 8, "generations": 2})
    outcome = tune(evolution.job, store=tmp_path / "civ.db")
    history = read_history(tmp_path / "civ.db", outcome.number)
    rows, (greedy, search) = course(history, evolution.conditions), history.agents
    assert len(rows) == 2
    assert rows[0]["shares"] == {greedy: 0.5, search: 0.5}
    assert 0 < rows[0]["genes"][greedy]["weight.food"]["spread"] < 1
    told = claims(evolution, rows)
    assert set(evolution.published) == set(told) and " % at first, " in told["tree-policy=greedy"]


def test_a_share_is_of_those_who_meet_a_condition():
    values = [
        {"own": "wait", "enemy": "random"},
        {"own": "random", "enemy": "wait"},
        {"own": "greedy", "enemy": "greedy"},
    ]
    individuals = [Individual("mcts", each, "mcts", 0.0, 1) for each in values]
    assert share_of(individuals, "own=wait or enemy=wait") == pytest.approx(2 / 3)
    assert share_of(individuals, "own=wait") == pytest.approx(1 / 3)


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


def test_claims_are_marked_by_what_the_generations_show():
    evolution = load_evolution("quick-civ/7.1", quick=True, full=False, given={"generations": 2})
    greedy, search = (species.given for species in evolution.job.species)
    genes = {
        "weight.point-increment": ((1.0, 0.3), (1.62, 0.02)),  # 1.6 … 1.7 was published
        "depth": ((5.0, 0.3), (2.0, 0.1)),  # 6 … 8
        "weight.tiles": ((5.0, 0.3), (5.0, 0.28)),  # scattered
        "vanishing": ((0.5, 0.3), (0.5, 0.05)),  # scattered
    }
    rows = []
    for number in range(2):
        told = {name: {"mean": both[number][0], "spread": both[number][1]} for name, both in genes.items()}
        shares = {greedy: 0.5 - 0.5 * number, search: 0.5 + 0.5 * number}
        met = dict.fromkeys(evolution.conditions, 0.9 * number)
        rows.append({"generation": 5 * number, "shares": shares, "genes": {search: told}, "met": met})
    marks = {claim: claim_mark(evolution, rows, claim) for claim in (*evolution.published, "other")}
    assert marks["greedy is driven out"] == marks["settles first"] == marks["tree-policy=greedy"] == "agrees"
    assert marks["weight.point-increment"] == marks["weight.tiles"] == "agrees"
    assert marks["depth"] == marks["vanishing"] == "differs" and marks["other"] == ""
    assert (
        claim_mark(evolution, rows[:1], "greedy is driven out")
        == claim_mark(evolution, rows[:1], "depth")
        == "undecided"
    )
    rows[1]["shares"], rows[1]["generation"] = rows[0]["shares"], 8
    assert claim_mark(evolution, rows, "greedy is driven out") == "differs"
