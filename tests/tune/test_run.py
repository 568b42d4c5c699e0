"""Tuning runs that are played: the same for any workers, resumed after being killed, and honest about the result."""

from __future__ import annotations

import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Store, play
from spielbaum.cli import main
from spielbaum.tune import read_history, records
from spielbaum.tune.job import PROBE, STEP, TEST, cost, plan_of, prepare, seed_of
from spielbaum.tune.method import Batch, Trial
from spielbaum.tune.run import fitness, tune
from spielbaum.tune.verify import verify
from tests.arena.test_run import without_times

PIG = spielbaum.load("pig")
DETUNED = "greedy:weight.risk=0.3"  # holds far too early


def job(name: str = "spsa", games: int = 320, seed: int = 3, **others):
    return prepare(PIG, [DETUNED], vary=["weight.risk"], name=name, games=games, seed=seed, **others)


def everything(path) -> list:
    """All that a store holds of tuning runs and games, but for times, places and who wrote it."""
    with Store(path, create=False) as store:
        rows = []
        for run in store.runs():
            game = run.plan.load()
            games = [row for batch in store.batches(run.run, game) for row in without_times(batch)]
            rows.append((run.kind, run.plan.to_json(), run.verdict, games))
        steps = [records.steps(store, number) for number in records.numbers(store)]
        results = [records.read(store, number).result for number in records.numbers(store)]
    return [sorted(rows), steps, results]


@pytest.mark.parametrize(
    "name", ["spsa", "ntbea", "evolution", pytest.param("optuna", marks=pytest.mark.needs("optuna"))]
)
def test_a_detuned_agent_is_found_out_and_the_test_says_so(name, tmp_path):
    outcome = tune(job(name, 1000, test_games=2000), store=tmp_path / "pig.db")
    assert outcome.best.values["weight.risk"] > 0.4
    assert outcome.test is not None
    assert outcome.test.verdict == "stronger"
    assert outcome.test.low > 0
    told = read_history(tmp_path / "pig.db")
    assert (told.state, told.method, told.games) == ("finished", name, outcome.games)
    assert told.best == outcome.best
    assert told.test == outcome.test
    assert told.steps[-1].number == len(told.steps) - 1
    assert sum(each.games for step in told.steps for each in step.individuals) >= outcome.games
    assert [effect.name for effect in told.importances] == ["weight.risk"]


def test_an_agent_that_is_good_already_is_not_called_stronger_by_luck(tmp_path):
    """The two ends of this range are the same agent: whatever is thought best is no better."""
    game = spielbaum.load("tic-tac-toe")
    same = prepare(game, ["mcts:iterations=5"], vary=["limit=1000..2000"], name="ntbea", games=40, test_games=60)
    outcome = tune(same, store=tmp_path / "same.db")
    assert outcome.test is None or outcome.test.verdict != "stronger"


@pytest.mark.parametrize("name", ["spsa", "ntbea", "evolution"])
def test_the_same_seed_gives_the_same_bytes_on_one_and_two_workers(name, tmp_path):
    for workers in (1, 2):
        tune(job(name, games=64, test_games=40), workers=workers, store=tmp_path / f"{workers}.db")
    assert everything(tmp_path / "1.db") == everything(tmp_path / "2.db")


@pytest.mark.slow
@pytest.mark.needs("ray")
def test_ray_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    for workers in (1, "ray"):
        tune(job(games=32, test_games=20), workers=workers, store=tmp_path / f"{workers}.db")
    assert everything(tmp_path / "1.db") == everything(tmp_path / "ray.db")


def test_other_seeds_are_other_games(tmp_path):
    for seed in (1, 2):
        tune(job(games=64, test_games=0, seed=seed), store=tmp_path / f"{seed}.db")
    assert everything(tmp_path / "1.db") != everything(tmp_path / "2.db")


def test_the_test_has_seeds_that_no_step_has(tmp_path):
    tune(job(test_games=100), store=tmp_path / "pig.db")
    with Store(tmp_path / "pig.db", create=False) as store:
        seeds = {
            run.kind: {seed for batch in store.batches(run.run, PIG) for seed in batch.seeds.tolist()}
            for run in store.runs()
        }
    tested = seeds.pop("tune 1 test")
    assert tested
    assert not tested & set.union(*seeds.values())
    assert len({seed_of(3, kind, number) for kind in (STEP, TEST, PROBE) for number in range(50)}) == 150


def test_a_run_that_is_killed_goes_on_as_if_nothing_had_happened(tmp_path):
    script = (
        "import spielbaum; from spielbaum.tune.job import prepare; from spielbaum.tune.run import tune\n"
        "job = prepare(spielbaum.load('tic-tac-toe'), ['mcts:iterations=100'], vary=['c'], name='ntbea',\n"
        "              games=120, seed=5, test_games=40)\n"
        "tune(job, store='{}', resume=True)"
    )
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    process = subprocess.Popen([sys.executable, "-c", script.format(killed)])
    while process.poll() is None and not stored(killed) > 20:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 0 < stored(killed) < 160
    assert read_history(killed).state == "interrupted"
    for path in (killed, whole):
        subprocess.run([sys.executable, "-c", script.format(path)], check=True)
    assert read_history(killed).state == "finished"
    assert everything(killed) == everything(whole)


def stored(path) -> int:
    """How many games a store holds that somebody may be writing."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
            return int(base.execute("SELECT coalesce(sum(games), 0) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_an_interrupted_run_says_so_and_plays_no_game_twice(tmp_path):
    path = tmp_path / "pig.db"

    def interrupt(progress) -> None:
        if progress.step == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(job(test_games=0), store=path, watch=interrupt)
    assert read_history(path).state == "interrupted"
    before = stored(path)
    assert 0 < before < 320
    played = []
    outcome = tune(job(test_games=0), store=path, resume=True, watch=lambda progress: played.append(progress.played))
    assert outcome.games == 320
    assert max(played) == 320 - before
    assert read_history(path).state == "finished"


def test_a_store_of_another_run_is_refused_by_what_differs(tmp_path):
    tune(job(games=32, test_games=0), store=tmp_path / "pig.db")
    with pytest.raises(spielbaum.SpielbaumError, match="holds another tuning run: --seed was 3, not 4"):
        tune(job(games=32, test_games=0, seed=4), store=tmp_path / "pig.db", resume=True)
    tune(job(games=32, test_games=0, seed=4), store=tmp_path / "pig.db")
    assert read_history(tmp_path / "pig.db").number == 2
    assert read_history(tmp_path / "pig.db", 1).seed == 3


def test_a_damaged_step_is_noticed(tmp_path):
    path = tmp_path / "pig.db"
    tune(job(games=32, test_games=0), store=path)
    with sqlite3.connect(path) as base:
        base.execute("UPDATE tuning_steps SET facts = replace(facts, 'weight.risk', 'weight.rusk') WHERE step = 1")
    with pytest.raises(spielbaum.SpielbaumError, match="step 1 of tuning run 1 is damaged"):
        read_history(path)


def test_verify_finds_nothing_wrong_with_a_tuning_run(tmp_path):
    path = tmp_path / "pig.db"
    tune(job(games=32, test_games=0), store=path)
    assert damage(path) == []
    assert main(["verify", "--store", str(path)]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE tunings SET state = 'done'", "what is known about it is damaged"),
        ("UPDATE tuning_steps SET facts = facts || ' ' WHERE step = 1", "step 1 is damaged: its checksum is wrong"),
        ("DELETE FROM tuning_steps WHERE step = 0", "step 0 is not there, but later ones are"),
    ],
)
def test_verify_notices_a_damaged_tuning_run(tmp_path, change, said):
    path = tmp_path / "pig.db"
    tune(job(games=32, test_games=0), store=path)
    with sqlite3.connect(path) as base:
        base.execute(change)
    assert damage(path) == [f"tuning run 1: {said}"]


def damage(path) -> list[str]:
    with Store(path, create=False) as store:
        return list(verify(store))


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"against": ["alphabeta"]}, "alphabeta can't play pig"),
        ({"against": ["human"]}, "a person can't be the opponent of a tuner"),
        ({"seat": "first"}, "the sides of pig are alike; leave --seat out"),
        ({"options": {"rate": -1}}, "rate=-1 is not possible"),
    ],
)
def test_what_can_not_be_played_is_refused_before_the_first_game(others, words):
    with pytest.raises(spielbaum.SpielbaumError) as error:
        job(**others)
    assert words in str(error.value)


def test_sides_that_differ_need_a_seat_and_an_opponent(tmp_path):
    game = spielbaum.load("pursuit")
    with pytest.raises(spielbaum.SpielbaumError, match="say with --seat which are tuned"):
        prepare(game, ["greedy"], vary=["weight.*"])
    seat = "hunter-1"
    with pytest.raises(spielbaum.SpielbaumError, match="name an opponent with --against"):
        prepare(game, ["greedy"], vary=["weight.*"], seat=seat)
    alone = prepare(
        game, ["greedy"], vary=["weight.*"], seat=seat, against=["random"], games=60, test_games=40, name="spsa"
    )
    outcome = tune(alone, store=tmp_path / "pursuit.db")
    assert outcome.games <= 60
    with Store(tmp_path / "pursuit.db", create=False) as store:
        for run in store.runs():
            batch = next(store.batches(run.run, run.plan.load()))
            seated = [{run.plan.agents[agent].partition(":")[0] for agent in seats} for seats in batch.seats.T.tolist()]
            assert seated == [{"random"}, {"greedy"}, {"greedy"}]  # both hunters, as they are a team


def test_four_at_a_table_are_two_of_each_side_or_four_individuals():
    game = spielbaum.load("quick-civ")
    halves = prepare(game, ["greedy"], vary=["weight.food"], name="ntbea", games=100)
    assert halves.shared_seats((0, 1)) == (0, 0, 1, 1)
    assert halves.pair == 6
    tables = prepare(game, ["greedy"], vary=["weight.food"], name="evolution", options={"population": 8})
    assert tables.shared_seats((5, 2, 7, 1)) == (5, 2, 7, 1)
    assert tables.fitness == "points"


def test_fitness_is_the_share_of_the_best_points_at_the_table():
    game = spielbaum.load("quick-civ")
    tables = prepare(game, ["greedy"], vary=["weight.food"], name="evolution", options={"population": 4, "matches": 1})
    batch = spielbaum.tune.method.create("evolution", tables.task).ask()
    run = spielbaum.arena.play(plan_of(tables, batch, 5))
    had = fitness(tables, batch, run)
    points = run.results.last("points")[0]
    order = [run.results.seats[0].tolist().index(side) for side in batch.meetings[0]]
    assert np.allclose(had[0], (points / points.max())[order])
    assert had.max() == 1.0


def test_the_cost_is_told_before():
    told = cost(job(games=1000), "1")
    assert told["games"] == 1000
    assert told["seconds"] > 0
    assert 30 < told["detectable_elo"] < 32
    assert cost(dataclasses.replace(job(), games=4000), "1")["detectable_elo"] < told["detectable_elo"]


@pytest.mark.parametrize(
    "name", ["spsa", "ntbea", "evolution", pytest.param("optuna", marks=pytest.mark.needs("optuna"))]
)
def test_a_run_that_is_made_longer_keeps_its_games_and_ends_the_same_however_often_it_is_stopped(name, tmp_path):
    path = tmp_path / "pig.db"
    tune(job(name, 160, test_games=40), store=path)
    before = read_history(path)
    with Store(path) as store:
        stored = sum(run.games for run in store.runs())
    longer = tune(job(name, 480, test_games=80), store=path, resume=True)
    told = read_history(path)
    assert longer.number == before.number and told.steps[: len(before.steps)] == before.steps
    assert len(before.steps) < len(told.steps) <= told.steps_planned
    assert before.games < longer.games <= 1.2 * 480
    with Store(path) as store:
        assert sum(run.games for run in store.runs()) >= stored + longer.games - before.games  # none was played twice
        runs = len(store.runs())
    again = tune(job(name, 480, test_games=80), store=path, resume=True)
    assert (again.best, again.test, again.games) == (longer.best, longer.test, longer.games)
    with Store(path) as store:
        assert len(store.runs()) == runs


def test_what_is_maximised_decides_what_a_game_was_worth():
    players = prepare(PIG, [DETUNED], vary=["weight.risk"], name="ntbea", games=8)
    batch = Batch([Trial(0, players.species[0].start)], [(0, ~0)], 2)
    run = play(plan_of(players, batch, 1))
    points, own = run.results.last("points"), run.results.seats == 0
    wins, result, share = (
        fitness(dataclasses.replace(players, fitness=name), batch, run)[0, 0] for name in ("wins", "result", "points")
    )
    assert wins == run.results.points[own].mean()
    assert result == pytest.approx((run.results.returns[own].mean() + 1) / 2)
    assert share == pytest.approx((points / points.max(axis=1, keepdims=True))[own].mean()) != wins
