"""Runs: the same games whoever plays them, each stored exactly once, whatever happens on the way."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Sprt, Store, make_plan, match
from spielbaum.arena.executors import ranges, worker_pool
from spielbaum.arena.plan import Plan
from spielbaum.arena.run import Run, Sequential, play
from tests.arena.test_kernel_runner import without_times
from tests.conftest import SMALL

MCTS = ("mcts:iterations=20", "random")


def light_cycles(games=400, agents=("roomy", "random"), **settings) -> Plan:
    return make_plan(spielbaum.load("light-cycles"), agents, games, **settings)


def stored_games(path, run=1) -> list[tuple]:
    with Store(path) as store:
        game = store.run(run).plan.load()
        return [row for batch in store.batches(run, game) for row in without_times(batch)]


@pytest.mark.parametrize("agents", [("roomy", "random"), MCTS])
def test_records_are_the_same_byte_by_byte_for_any_number_of_workers(agents, tmp_path):
    plan = light_cycles(12, agents, seed=3, rounds=True)
    records = []
    for workers in (1, 2, 3):
        with Store(tmp_path / f"{workers}.db") as store:
            run = play(plan, workers=workers, store=store)
        assert run.games == 12
        records.append(stored_games(tmp_path / f"{workers}.db"))
    assert len(records[0]) == 12
    assert records[0] == records[1] == records[2]


def test_a_worker_that_is_killed_is_replaced_and_its_games_are_played_once(tmp_path):
    plan = light_cycles(40, MCTS, seed=1)
    killed = []

    def kill(run: Run) -> None:
        workers = multiprocessing.active_children()
        if len(killed) < 2 and run.games and workers:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    with Store(tmp_path / "games.db") as store:
        run = play(plan, workers=2, store=store, watch=kill)
    assert killed
    assert run.games == 40
    undisturbed = play(plan)
    assert run.scores.tolist() == undisturbed.scores.tolist()
    assert len(stored_games(tmp_path / "games.db")) == 40


def test_workers_that_die_again_and_again_end_the_run_with_a_reason(tmp_path):
    deadly = tmp_path / "deadly.py"
    source = (SMALL / "cheat.py").read_text("utf-8")
    deadly.write_text(
        source + "\nimport multiprocessing, os\nif multiprocessing.parent_process() is not None:\n    os._exit(7)\n"
    )
    plan = make_plan(spielbaum.load(deadly), ["random", "random"], 4)
    with pytest.raises(spielbaum.SpielbaumError, match=r"3 workers in a row died over game \d+ \(exit code 7\)"):
        play(plan, workers=2)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("workers", ["0", "-1", "many", "rays"])
def test_a_wrong_number_of_workers_is_refused(workers):
    with pytest.raises(spielbaum.SpielbaumError, match="a whole number from 1 to 1000, 'ray' or"):
        play(light_cycles(2), workers=workers)


# --- resuming -----------------------------------------------------------------------------------


class Interrupted(Exception):
    """Stands for Ctrl-C."""


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(tmp_path):
    plan = light_cycles(40, MCTS, seed=2)

    def interrupt(run: Run) -> None:
        if run.games >= 10 and run.games < 40:
            raise Interrupted

    with Store(tmp_path / "games.db") as store:
        with pytest.raises(Interrupted):
            play(plan, store=store, watch=interrupt)
        before = store.run(1).games
        assert 10 <= before < 40
        run = play(plan, store=store, resume=True)
        assert run.number == 1 and run.played == 40 - before
        assert play(plan, store=store, resume=True).played == 0
        assert play(plan, store=store).number == 2  # without resume it is another run
    assert run.scores.tolist() == play(plan).scores.tolist()


def test_a_match_can_be_prolonged(tmp_path):
    with Store(tmp_path / "games.db") as store:
        play(light_cycles(40), store=store)
        longer = play(light_cycles(100), store=store, resume=True)
        assert longer.number == 1 and longer.played == 60
        assert store.run(1).plan.total == 100
    assert longer.results.seat_tally(0) == play(light_cycles(100)).results.seat_tally(0)


def test_games_of_other_rules_are_not_mixed(tmp_path):
    mine = tmp_path / "mine.py"
    source = (SMALL / "cheat.py").read_text("utf-8")
    mine.write_text(source)
    with Store(tmp_path / "games.db") as store:
        play(make_plan(spielbaum.load(mine), ["random", "random"], 4), store=store)
        mine.write_text(source.replace("STICKS = 7", "STICKS = 11"))
        changed = make_plan(spielbaum.load(mine), ["random", "random"], 8)
        with pytest.raises(spielbaum.SpielbaumError, match=r"run 1 was played by other rules of .*mine\.py"):
            play(changed, store=store, resume=True)
        mine.write_text(source + "\n# a comment is not a rule\n")
        again = make_plan(spielbaum.load(mine), ["random", "random"], 8)
        assert play(again, store=store, resume=True).played == 4


THINKER = "mcts:iterations=5000"  # slow enough to be killed on its way


def kill_and_resume(path, games, kills, seed) -> int:
    """Let the command line play, kill it without warning some times on its way, and let it finish."""
    command = [
        *(
            sys.executable,
            "-m",
            "spielbaum",
            "match",
            "tic-tac-toe",
            "--seat",
            f"X={THINKER}",
            "--seat",
            "O=random",
        ),
        *("--games", str(games), "--seed", str(seed), "--store", str(path), "--workers", "2", "--resume", "--json"),
    ]
    moments, killed = random.Random(seed), 0
    for _ in range(kills):
        enough = stored_so_far(path) + moments.randrange(10, games // (kills + 2))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and stored_so_far(path) < enough:
            time.sleep(0.01)
        killed += process.poll() is None
        process.kill()
        process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return killed


def stored_so_far(path) -> int:
    if not path.exists():
        return 0
    with Store(path) as store:
        return sum(run.games for run in store.runs())


def check_killed_run(tmp_path, games, kills, seed=11):
    assert kill_and_resume(tmp_path / "games.db", games, kills, seed) == kills
    plan = make_plan(spielbaum.load("tic-tac-toe"), [THINKER, "random"], games, seed)
    with Store(tmp_path / "whole.db") as store:
        play(plan, store=store, workers=2)
    records = stored_games(tmp_path / "games.db")
    assert [record[0] for record in records] == list(range(games))
    assert records == stored_games(tmp_path / "whole.db")


def test_a_run_killed_without_warning_ends_with_every_game_exactly_once(tmp_path):
    check_killed_run(tmp_path, 600, 3)


@pytest.mark.slow
def test_a_run_killed_at_ten_moments_ends_with_every_game_exactly_once(tmp_path):
    check_killed_run(tmp_path, 4000, 10)  # more than are played between two kills, also on a fast machine


# --- sequential tests ---------------------------------------------------------------------------


def test_a_sequential_test_takes_games_in_order_and_waits_for_gaps():
    test = Sprt(elo0=0, elo1=200)
    scores = np.ones(400)
    whole = Sequential(test, 2)
    whole.follow(scores)
    assert whole.verdict == "elo1" and whole.at < 100
    late = Sequential(test, 2)
    gap = scores.copy()
    gap[3] = np.nan
    late.follow(gap)
    assert late.at == 2 and late.verdict is None
    for number in range(4, 60, 2):
        gap[3:number] = 1
        gap[number:] = np.nan
        late.follow(gap)
    assert (late.at, late.verdict, late.llr) == (whole.at, whole.verdict, whole.llr)


def test_a_decided_test_ends_the_run_at_the_same_game_for_any_number_of_workers(tmp_path):
    ends = []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.db"
        run = match("light-cycles", ["roomy", "random"], 5000, 4, sprt=Sprt(0, 100), workers=workers, store=path)
        assert run.sequential is not None and run.sequential.verdict == "elo1"
        assert run.games == run.sequential.at < 5000
        with Store(path) as store:
            assert store.run(1).verdict == "elo1" and store.run(1).state == "done"
        ends.append(stored_games(path))
    assert ends[0] == ends[1]


def test_pairs_of_a_sequential_test_share_their_opening():
    plan = make_plan(spielbaum.load("connect-four"), ["random", "decisive"], 8, opening=4)
    run = play(plan)
    assert run.games == 8
    with Store(":memory:") as store:
        number = play(plan, store=store).number
        (batch,) = store.batches(number, run.game)
    ends = np.cumsum(batch.lengths)
    openings = [batch.actions[end - length :][:4].tolist() for end, length in zip(ends, batch.lengths, strict=True)]
    assert openings[0::2] == openings[1::2]
    assert len(set(map(tuple, openings))) > 1


def test_a_sequential_test_is_for_two():
    with pytest.raises(spielbaum.SpielbaumError, match="for two agents with as many seats each"):
        match("pursuit", ["keen", "random", "random"], 4, sprt=Sprt())


def test_chunks_are_sent_in_a_few_words():
    numbers = np.concatenate([np.arange(5, 100_000), np.arange(200_000, 300_000)])
    sent = ranges(numbers)
    assert len(pickle.dumps(sent)) < 500  # a pipe that both sides fill at once would stand still
    assert [number for part in sent for number in part] == numbers.tolist()


def test_lasting_workers_play_several_plans_as_one_does():
    first, second = light_cycles(6), light_cycles(8)
    with worker_pool("2") as workers:
        runs = [play(plan, workers=workers) for plan in (first, second, first)]
    for plan, run in zip((first, second, first), runs, strict=True):
        np.testing.assert_array_equal(run.scores, play(plan).scores)
    assert not multiprocessing.active_children()
