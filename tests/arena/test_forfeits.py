"""One bad game does not end a run: who raises, cheats or does not answer loses that game, and it is told."""

from __future__ import annotations

import multiprocessing
import re
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.agents import StatelessAgent, make
from spielbaum.arena import Store, match, summarize
from spielbaum.arena.game_batch import record_of
from spielbaum.arena.kernel_runner import kernel_runner_for
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.single import FORFEIT, play_game
from tests.arena.test_run import stored_games
from tests.conftest import SMALL

UNRULY = SMALL / "unruly.py"
LIMIT = 0.3


def unruly(how, games=6, other="random", **settings):
    return match(spielbaum.load(UNRULY), [f"unruly:how={how}", other], games, seed=1, **settings)


def forfeits(run) -> list[tuple[int, str, str, str]]:
    told = summarize(run).get("forfeits", [])
    return [(each["game"], each["agent"], each["seat"], each["reason"]) for each in told]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "raised ValueError: no idea"),
        ("exit", "raised SystemExit: 3"),
        ("illegal", "answered 0, which is not legal"),
        ("nothing", "answered None, which is not an action"),
        ("fraction", "answered 1.0, which is not an action"),
    ],
)
def test_who_does_not_answer_properly_loses_that_game_and_no_other(how, reason):
    run = unruly(how, 12)
    told = forfeits(run)
    assert run.games == 12 and 0 < len(told) < 12
    assert {each[1:2] + each[3:] for each in told} == {(f"unruly:how={how}", reason)}
    results = run.results
    for number, _, seat, _ in told:
        place = results.seat_names.index(seat)
        assert results.seats[number, place] == 0 and results.returns[number, place] == -1
        assert results.returns[number, 1 - place] == 1
    assert results.agent_tally(0).losses >= len(told)


def test_an_agent_that_can_not_be_made_forfeits_all_its_games():
    run = unruly("build", 2)
    assert [reason for *_, reason in forfeits(run)] == ["raised ValueError: not today"] * 2
    assert run.results.agent_tally(0).losses == 2


@pytest.mark.parametrize("how", ["sleep", "deaf"])
def test_who_does_not_answer_within_the_limit_is_ended_however_deaf(how):
    begin = time.monotonic()
    run = unruly(how, 4, move_limit=LIMIT)
    told = forfeits(run)
    assert run.games == 4 and told
    assert {reason for *_, reason in told} == {f"did not answer within {LIMIT} s"}
    assert time.monotonic() - begin < 60
    assert not multiprocessing.active_children()


def test_an_agent_that_ends_its_process_forfeits_where_processes_are_watched():
    told = forfeits(unruly("die", 2, move_limit=5))
    assert {reason for *_, reason in told} == {"ended its process 3 times (exit code 7)"}


def test_with_a_limit_everybody_else_plays_the_same_games():
    game = spielbaum.load(UNRULY)
    with Store(":memory:") as store:
        for limit in (None, 60):
            match(game, ["mcts:iterations=5", "random"], 6, seed=2, move_limit=limit, store=store)
        one, other = (record_of(store.game(number, 3, game)) for number in (1, 2))
    assert one == other


@pytest.mark.parametrize("how", ["raise", "sleep"])
def test_any_number_of_workers_tells_the_same(how, tmp_path):
    told, stored = [], []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.db"
        run = unruly(how, 4, workers=workers, store=path, move_limit=LIMIT if how == "sleep" else None)
        told.append(forfeits(run))
        stored.append(stored_games(path))
    assert told[0] and told[0] == told[1] and stored[0] == stored[1]
    assert not multiprocessing.active_children()


def test_a_forfeited_game_is_stored_with_its_reason_and_its_moves(tmp_path):
    with Store(tmp_path / "games.db") as store:
        run = unruly("raise", 8, store=store)
        number = forfeits(run)[0][0]
        record = record_of(store.game(1, number, run.game))
        assert forfeits(unruly("raise", 8, store=store, resume=True)) == forfeits(run)
    assert record.outcome == FORFEIT and record.forfeit.reason == "raised ValueError: no idea"
    state = run.game.play_all(record.actions, record.seed)
    assert not state.over and state.player == record.forfeit.seat and len(record.actions) in (2, 3)


@pytest.mark.parametrize("workers", [1, 2])
def test_strict_stops_with_the_reason_in_one_line(workers):
    with pytest.raises(spielbaum.SpielbaumError) as error:
        unruly("raise", 12, workers=workers, strict=True)
    words = str(error.value)
    assert words.startswith("game ") and "(unruly:how=raise) raised ValueError: no idea; without --strict" in words
    assert "\n" not in words and not multiprocessing.active_children()


def test_a_policy_that_slips_once_in_a_thousand_decisions_leaves_no_illegal_game(tmp_path):
    """Of 4000 games some are forfeited, and all that are stored can be played again."""
    game = spielbaum.load(UNRULY)
    assert kernel_runner_for(make_plan(game, ["slips", "random"], 1), game) is not None
    with Store(tmp_path / "games.db") as store:
        run = match(game, ["slips", "random"], 4000, store=store)
        batches = list(store.batches(1, game))
    told = forfeits(run)
    assert 4 <= len(told) <= 40 and run.games == 4000
    assert {reason for *_, reason in told} == {"policy 'slips' of unruly chose 0, which is not legal"}
    lost = {number for number, *_ in told}
    for batch in batches:
        ends = np.cumsum(batch.lengths)
        for number, seed, length, end in zip(batch.numbers, batch.seeds, batch.lengths, ends, strict=True):
            state = game.play_all(batch.actions[end - length : end].tolist(), int(seed))
            assert state.over == (number not in lost)


def test_a_limit_is_part_of_the_plan():
    plan = make_plan(spielbaum.load(UNRULY), ["random", "random"], 1, move_limit=2.5)
    assert Plan.from_json(plan.to_json()) == plan
    with pytest.raises(spielbaum.SpielbaumError, match="move-limit=0 is not possible: seconds above 0"):
        make_plan(spielbaum.load(UNRULY), ["random", "random"], 1, move_limit=0)


class Brooding(StatelessAgent):
    """Answers properly, and fails in the time of others."""

    ponders = True

    def act(self, state, clock=None, *, watch=None):
        return 1

    def ponder(self, state, *, watch=None):
        raise ValueError("too much")


def test_who_fails_while_others_think_forfeits_too():
    game = spielbaum.load(UNRULY)
    record = play_game(game, [make("random", game), Brooding()])
    assert record.forfeit == (1, "raised ValueError: too much") and record.returns == [1, -1]
    assert record.actions == []


@pytest.mark.parametrize("first", ["random", "mcts:iterations=100"])  # in the game, and in what is thought of it
def test_a_rule_that_does_not_end_costs_that_game_and_is_told_by_its_line(first):
    run = match(spielbaum.load(SMALL / "stuck.py"), [first, "random"], 2, seed=1, move_limit=2)
    told = forfeits(run)
    assert run.games == 2 and told
    for _, _, _, reason in told:
        words = r"did not answer within 2 s because of the rules of stuck: play does not end: after 1 s it was at "
        found = re.fullmatch(words + r"stuck\.py:2[89], after ([01] ?)+", reason)
        assert found, reason
        assert sum(int(move) + 1 for move in reason.rpartition("after ")[2].split()) == 6
    assert not multiprocessing.active_children()
