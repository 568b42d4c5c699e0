"""Time in a match: agents are told of it, who oversteps it is counted, and loses if that is agreed."""

from __future__ import annotations

import json
import time

import pytest

import spielbaum
from spielbaum.agents import make
from spielbaum.arena import Store, TimeControl, match, summarize
from spielbaum.arena.clocks import GRACE, ON_TIME, Clocks, parse_control
from spielbaum.arena.game_batch import record_of
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.single import play_game, thinking_clock
from tests.conftest import SMALL

STRAWS = SMALL / "straws.py"
AT_ONCE, SLEEPY = "sleeper", "sleeper:seconds=0.25"
STRICT = TimeControl(per_move=0.02, lose=True)


def straws(**options):
    return spielbaum.load(STRAWS, **({"players": 2, "rounds": 2} | options))


def test_who_sleeps_loses_on_time_where_that_is_agreed():
    run = match(straws(), [SLEEPY, AT_ONCE], 4, control=STRICT)
    assert run.results.agent_tally(0).losses == 4 and run.results.agent_tally(1).wins == 4
    data = summarize(run)["time"]
    assert data["lost"] == {SLEEPY: 4, AT_ONCE: 0} and data["late"] == {SLEEPY: 4, AT_ONCE: 0}


def test_otherwise_it_is_only_counted():
    run = match(straws(), [SLEEPY, AT_ONCE], 2, control=TimeControl(per_move=0.02))
    assert run.results.agent_tally(0).draws == 2  # both went for certainty
    data = summarize(run)["time"]
    assert data["late"] == {SLEEPY: 4, AT_ONCE: 0} and data["lost"] == {SLEEPY: 0, AT_ONCE: 0}


def test_a_clock_for_the_game_runs_out_and_an_increment_keeps_it_going():
    game = straws(rounds=4)
    agents = [make("sleeper:seconds=0.05", game), make(AT_ONCE, game)]
    lost = play_game(game, agents, control=TimeControl(per_game=0.12, lose=True))
    assert lost.returns == [-1, 1] and lost.outcome == ON_TIME and lost.late == [1, 0]
    assert len(lost.actions) < 8
    kept = play_game(game, agents, control=TimeControl(per_game=0.12, increment=5, lose=True))
    assert kept.late == [0, 0] and len(kept.actions) == 8


def test_agents_are_told_how_much_time_there_is():
    game = straws(rounds=3)
    agents = [make("sleeper:seconds=0.01", game), make(AT_ONCE, game)]
    play_game(game, agents, control=TimeControl(per_game=10, increment=0.001))
    left = [clock.left for clock in agents[0].clocks]
    assert left[0] == 10 and left == sorted(left, reverse=True) and left[2] < 9.99
    assert all(clock.increment == 0.001 and clock.deadline > time.monotonic() for clock in agents[0].clocks)
    begin = time.monotonic()
    clock = Clocks(TimeControl(per_move=1.0), 2).start(0)
    assert clock.left is None and begin < clock.deadline <= time.monotonic() + 1
    without = [make(AT_ONCE, game), make(AT_ONCE, game)]
    play_game(game, without)
    assert without[0].clocks == [None] * 3


def test_time_that_has_run_out_is_none_and_a_moment_after_a_deadline_is_forgiven():
    clocks = Clocks(TimeControl(per_game=1.0), 2)
    assert not clocks.stop(0, 0.6) and clocks.stop(0, 0.6) and clocks.late == [1, 0]
    assert clocks.start(0).left == 0 and clocks.start(1).left == 1
    clocks = Clocks(TimeControl(per_move=1.0), 1)
    assert not clocks.stop(0, 1 + GRACE / 2) and clocks.stop(0, 1 + 2 * GRACE)


def test_compiling_counts_for_nobody(monkeypatch):
    game, compiled = straws(), [0.0]
    monkeypatch.setattr("spielbaum.arena.single.prepared_seconds", lambda: compiled[0])

    class Compiling(type(make(AT_ONCE, game))):
        def act(self, state, clock=None, *, watch=None):
            action = super().act(state, clock)
            compiled[0] += self.seconds
            return action

    agents = [Compiling(game, {"seconds": 0.25}, 0), make(AT_ONCE, game)]
    assert play_game(game, agents, control=STRICT).late == [0, 0]


def test_a_team_loses_together():
    game = spielbaum.load("pursuit")

    class Slow:
        ponders = False

        def act(self, state, clock=None, *, watch=None):
            time.sleep(0.25 if state.player else 0)
            return state.actions[0]

    record = play_game(game, [Slow()] * 3, control=STRICT)
    assert record.returns == [1, -1, -1] and record.late == [0, 1, 0]


def test_a_game_lost_on_time_is_stored_with_its_reason_and_can_be_played_again(tmp_path):
    with Store(tmp_path / "games.db") as store:
        run = match(straws(), [AT_ONCE, SLEEPY], 2, control=STRICT, store=store)
        record = record_of(store.game(run.number, 0, run.game))
        assert store.run(run.number).plan.control == STRICT
        again = match(straws(), [AT_ONCE, SLEEPY], 3, control=STRICT, store=store, resume=True)
        assert again.number == run.number and again.played == 1
        assert match(straws(), [AT_ONCE, SLEEPY], 1, store=store, resume=True).number != run.number
    assert record.outcome == ON_TIME and record.returns == [1, -1] and record.late == [0, 1]
    state = run.game.play_all(record.actions, record.seed)
    assert not state.over and state.player == 1 and len(record.actions) == 1


def test_everybody_plays_with_clocks_in_other_processes_too():
    run = match(straws(), [AT_ONCE, SLEEPY], 4, control=STRICT, workers=2)
    assert summarize(run)["time"]["lost"] == {AT_ONCE: 0, SLEEPY: 4}


def test_a_plan_with_clocks_survives_its_text_and_one_without_is_as_it_was():
    plan = make_plan(straws(), [AT_ONCE, AT_ONCE], 1, control=TimeControl(per_game=60, increment=0.5))
    assert Plan.from_json(plan.to_json()) == plan
    without = make_plan(straws(), [AT_ONCE, AT_ONCE], 1)
    old = {name: value for name, value in without.as_dict().items() if name != "control"}
    assert Plan.from_json(json.dumps(old)) == without


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((None, None, True), "give --seconds-per-move or --clock"),
        ((0.0, None, False), "seconds-per-move=0 is not possible: seconds above 0"),
        ((None, "5m", False), r"clock=5m is not possible: SECONDS or SECONDS\+INCREMENT, such as 60\+0.5"),
        ((None, "60+", False), r"clock=60\+ is not possible"),
        ((None, "-1", False), "clock=-1 is not possible: seconds above 0"),
        ((None, "60+-1", False), "an increment of -1 is not possible"),
        ((None, "nan", False), "clock=nan is not possible"),
    ],
)
def test_a_time_that_can_not_be_is_refused(given, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        parse_control(*given)


@pytest.mark.parametrize("agent", ["mcts:seconds=100", "alphabeta:seconds=100"])
@pytest.mark.parametrize("control", [TimeControl(per_move=0.05), TimeControl(per_game=1.0, increment=0.01)])
def test_a_search_answers_when_its_time_is_over_however_long_it_would_have_thought(agent, control):
    game = spielbaum.load("tic-tac-toe")
    begin = thinking_clock()
    record = play_game(game, [make(agent, game), make(agent, game)], control=control)
    assert thinking_clock() - begin < 100
    assert game.play_all(record.actions, record.seed).returns == record.returns
