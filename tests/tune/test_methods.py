"""The methods on surfaces whose optimum is known, and what each of them promises."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.tune import method
from spielbaum.tune.evolution import GENERATIONS, Individual, games_of, of_generation
from spielbaum.tune.method import PlayOff, Task, Trial
from spielbaum.tune.space import Gene, Species
from spielbaum.tune.surfaces import RANDOM, SURFACES, outcomes, regret, regrets

PEAK, CONDITIONAL = SURFACES["peak"], SURFACES["conditional"]
SEEDS = 5


def median(surface: str, name: str, games: int, seeds: int = SEEDS) -> float:
    return float(np.median([each.regret for each in regrets([surface], [name], [games], seeds, 50)]))


@pytest.mark.parametrize("surface", ["peak", "ridge"])
@pytest.mark.parametrize("name", ["evolution", "spsa", "ntbea"])
def test_every_method_finds_more_than_random_search(surface, name):
    seeds = 3 if name == "ntbea" else SEEDS
    found, chance = median(surface, name, 1500, seeds), median(surface, RANDOM, 1500)
    assert found < 30 < chance


def test_more_games_find_more():
    assert median("peak", "spsa", 4000, 3) < median("peak", "spsa", 100, 3)


def test_a_choice_that_matters_is_found_with_what_depends_on_it():
    tuner = method.create("evolution", Task([CONDITIONAL.species], 4000, seed=1))
    rng = np.random.default_rng(2)
    while (batch := tuner.ask()) is not None:
        tuner.tell(outcomes(CONDITIONAL, batch, rng))
    best = tuner.best().values
    assert best["select"] == "ucb1"
    assert abs(best["c"] - 0.3) < 0.2


@pytest.mark.needs("optuna")
def test_optuna_climbs_prunes_and_plays_off():
    tuner = method.create("optuna", Task([PEAK.species], 1200, seed=4, options={"sampler": "tpe"}))
    rng, games = np.random.default_rng(2), []
    while (batch := tuner.ask()) is not None:
        games.append(batch.total)
        tuner.tell(outcomes(PEAK, batch, rng))
    assert sum(games) <= 1.1 * 1200
    trials = [each.games for each in tuner.ended]
    assert min(trials) < max(trials)  # some were pruned
    assert -PEAK.elo(tuner.best().values) < -PEAK.elo(PEAK.species.start) / 2


@pytest.mark.parametrize(
    "name", ["evolution", "spsa", "ntbea", pytest.param("optuna", marks=pytest.mark.needs("optuna"))]
)
def test_the_same_seed_and_results_ask_for_the_same(name):
    asked = []
    for _ in range(2):
        tuner, rng = method.create(name, Task([PEAK.species], 300, seed=9)), np.random.default_rng(1)
        told = []
        while (batch := tuner.ask()) is not None:
            told.append((list(batch.trials), list(batch.meetings), batch.games))
            tuner.tell(outcomes(PEAK, batch, rng))
        asked.append((told, tuner.best()))
    assert asked[0] == asked[1]
    assert regret(PEAK, name, 300, 10) != regret(PEAK, name, 300, 11)


@pytest.mark.parametrize("name", ["evolution", "spsa", "ntbea"])
def test_no_method_plays_more_than_it_has(name):
    for games in (200, 1000, 3001):
        assert 0.4 * games <= regret(PEAK, name, games, 3).played <= games


@pytest.mark.parametrize("name", ["evolution", "spsa", "ntbea"])
def test_fixed_opponents_are_met_and_nobody_else(name):
    tuner = method.create(name, Task([PEAK.species], 600, pool=3, meet=False))
    batch = tuner.ask()
    assert {side for meeting in batch.meetings for side in meeting[1:]} == {~0, ~1, ~2}


def test_spsa_refuses_a_choice():
    with pytest.raises(spielbaum.SpielbaumError, match="spsa can't vary 'select', which is a choice"):
        method.create("spsa", Task([CONDITIONAL.species], 100))


def test_only_an_evolution_has_several_species():
    with pytest.raises(spielbaum.SpielbaumError, match="ntbea tunes one agent"):
        method.create("ntbea", Task([PEAK.species, PEAK.species], 100))


def test_unknown_options_of_a_method_are_refused():
    with pytest.raises(spielbaum.SpielbaumError, match="unknown parameter 'poplation' for --method evolution"):
        method.create("evolution", Task([PEAK.species], 100, options={"poplation": 3}))
    with pytest.raises(spielbaum.SpielbaumError, match="unknown method 'ntbae'; did you mean 'ntbea'"):
        method.create("ntbae", Task([PEAK.species], 100))


# --- the thesis' evolution ------------------------------------------------------------------------


def thesis(**options) -> method.Method:
    return method.create("evolution", Task([PEAK.species, CONDITIONAL.species], 2600, seats=4, options=options))


def test_the_population_is_that_of_the_thesis():
    tuner = thesis(generations=GENERATIONS)
    batch = tuner.ask()
    assert [trial.species for trial in batch.trials] == [0] * 26 + [1] * 26
    assert len(batch.meetings) == 4 * 13
    assert batch.games == 1
    everybody = np.bincount(np.array(batch.meetings).ravel())
    assert everybody.tolist() == [4] * 52
    assert games_of(Task([PEAK.species], 0, seats=4, options={"play-off": 0})) == 50 * 52


@pytest.mark.parametrize("random", [False, True])
def test_the_agent_as_given_begins_with_the_others_unless_the_start_is_random(random):
    options = {"population": 12, "random-start": random}
    population = method.create("evolution", Task([PEAK.species], 5000, options=options)).population
    given = PEAK.species.places(PEAK.species.start)
    assert sum(np.array_equal(each.places, given) for each in population) == (not random)


def test_the_better_half_survives_unchanged_and_every_gene_of_a_child_mutates():
    tuner = method.create("evolution", Task([PEAK.species], 5000, options={"population": 12}))
    batch = tuner.ask()
    before = list(tuner.population)
    good = {0, 2, 3, 7, 8, 11}
    tuner.tell(np.array([[float(side in good) for side in meeting] for meeting in batch.meetings]))
    assert {before.index(each) for each in tuner.population[:6]} == good
    kept = {float(place) for each in tuner.population[:6] for place in each.places}
    assert all(
        float(place) not in kept or place in (0.0, 1.0) for each in tuner.population[6:] for place in each.places
    )


def test_one_species_drives_out_the_other():
    tuner = thesis(population=16, generations=8, matches=2)
    for _ in range(8):
        batch = tuner.ask()
        had = [[float(batch.trials[side].species == 1) + 0.01 * side for side in each] for each in batch.meetings]
        tuner.tell(np.array(had))
    assert {each.species for each in tuner.population} == {1}
    assert tuner.best().species == 1


def test_a_conditional_gene_comes_with_its_owner_and_rests_where_it_does_not_matter():
    tuner = method.create("evolution", Task([CONDITIONAL.species], 5000, options={"population": 12}))
    greedy, ucb1 = (Individual(0, np.array([place, 0.25, 0.75])) for place in (0.1, 0.9))
    ucb1.places[1:] = 0.5, 0.25
    for _ in range(60):
        select, epsilon, c = tuner.child([greedy, ucb1]).places
        chosen = CONDITIONAL.genes[0].at(select)
        if chosen == "greedy":
            assert (epsilon, c) in ((0.25, 0.75), (0.5, 0.25))  # of one parent, and not mutated
        if chosen == "ucb1":
            assert epsilon in (0.25, 0.5)
            assert c not in (0.25, 0.75)


def test_mutations_stay_within_the_range_and_whole_numbers_whole():
    genes = (Gene("n", 1, 1.0, 9.0, whole=True), Gene("x", 0.0, 0.0, 5.0), Gene("b", False, choices=(False, True)))
    tuned = Species("a", "a", {}, {"n": 1, "x": 0.0, "b": False}, genes)
    tuner = method.create("evolution", Task([tuned], 5000, options={"population": 12}))
    places, flips = tuned.places(tuned.start), 0
    for _ in range(200):
        after = tuner.mutated(tuned, places)
        values = tuned.at(after)
        assert isinstance(values["n"], int)
        assert 1 <= values["n"] <= 9
        assert 0 <= values["x"] <= 5
        flips += values["b"] != tuned.at(places)["b"]
        places = after
    assert 5 < flips < 45  # of 200, with a chance of 10 %


def test_a_small_budget_makes_the_population_smaller_before_it_ends_evolution():
    few, many = (method.create("evolution", Task([PEAK.species], games)) for games in (400, 40_000))
    assert few.size < many.size == 52
    assert many.generations > 50
    assert few.generations * of_generation(few.task, few.options, few.size) <= 400


# --- play-offs ------------------------------------------------------------------------------------


def trials(*places: float) -> list[Trial]:
    return [Trial(0, PEAK.species.at([place, place])) for place in places]


def test_a_play_off_believes_the_model_unless_another_is_surely_better():
    task, candidates = Task([PEAK.species], 1000), trials(0.1, 0.5, 0.9)
    for scores, winner in (([0.5, 0.52, 0.4], 0), ([0.5, 0.7, 0.4], 1)):
        play_off = PlayOff(candidates, 300, task)
        batch = play_off.ask()
        assert batch.total <= 300
        play_off.tell(np.array([[score, 1 - score] for score in scores]), batch.games)
        assert play_off.over
        assert play_off.winner == candidates[winner]


def test_a_play_off_of_one_needs_no_games():
    assert PlayOff(trials(0.3, 0.3), 300, Task([PEAK.species], 1000)).over
