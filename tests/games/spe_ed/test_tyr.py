"""Tyr and the finalist in positions where one can see what is right."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from spielbaum.agents import make
from spielbaum.agents.searching import SearchAgent
from spielbaum.clock import Clock
from spielbaum.game import Game, State, load
from spielbaum.games.spe_ed.players.finalist import nearest, own_part
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, SLOW_DOWN, SPEED_UP, TURN_LEFT, TURN_RIGHT
from spielbaum.games.spe_ed.steps import survives
from spielbaum.rules import below, random_stream
from tests.games.spe_ed.boards import drawn

ENDLESS = 10**9


def agent(spec: str, game: Game, seed: int = 1) -> Any:
    return make(spec, game, seed)


def rode(spec: str, game: Game, state: State) -> list[tuple[int, int]]:
    """Where the first player's moves end until it is out, if the other one stays clear of it as well as it can."""
    me, other = agent(spec, game), agent("finalist:depth=1", game)
    heads = []
    while not state.over:
        state.play((me if state.player == 0 else other).act(state))
        heads.append((int(state.record.x[0]), int(state.record.y[0])))
    return heads[1::2]


@pytest.mark.parametrize("player", ["tyr:iterations=300", "finalist:depth=4"])
@pytest.mark.parametrize(("rooms", "action"), [("·······^··", TURN_LEFT), ("··^·······", TURN_RIGHT)])
def test_nobody_enters_the_smaller_half(player: str, rooms: str, action: int) -> None:
    wall = "".join("#" if sign == "^" else sign for sign in rooms)
    text = "\n".join([*[wall] * 3, rooms, "#" * 10, ">·········"])
    game, state = drawn(text)
    assert agent(player, game).act(state) == action


@pytest.mark.parametrize("player", ["tyr:iterations=500", "finalist:depth=6"])
def test_whoever_is_ahead_cuts_off(player: str) -> None:
    text = """
        ············
        ············
        ············
        #####v······
        ············
        ·>··········
        ············
    """
    game, state = drawn(text)
    # down to the edge, before the other one is through
    assert agent(player, game).act(state) in (CHANGE_NOTHING, SPEED_UP)


def test_tyr_jumps_out_of_a_closed_room() -> None:
    text = """
        #########·······
        #·······#·······
        #v······#·······
        #·······#·······
        #########·······
        ················
        >···············
    """
    game, state = drawn(text)
    heads = rode("tyr:iterations=1000", game, state)
    assert any(x > 8 or y > 4 for x, y in heads)


def test_tyr_fills_a_room_nearly_whole() -> None:
    text = """
        #######·························
        #>····#·························
        #·····#·························
        #·····#·························
        #######·························
        ································
        >·······························
    """
    game, state = drawn(text, rounds=1)
    me = agent("tyr:iterations=1500", game)
    me.act(state)
    (plan,) = me.lines()
    assert plan.player == 0
    assert plan.points[0] == (1, 1)
    assert len(set(plan.points)) >= 14  # of 15 cells, or out


def test_a_plan_is_followed_to_its_end() -> None:
    game, state = drawn("####····\n#>·#····\n#··#····\n####····\n>·······")
    heads = rode("tyr:iterations=100", game, state)
    assert len(heads) == 4  # three cells, and then it is out


@pytest.mark.parametrize("player", ["tyr:iterations=3", "tyr:iterations=10,threads=2", "finalist:depth=1"])
def test_nobody_dies_for_certain_while_there_is_another_way(player: str) -> None:
    for seed in range(6):
        game = load("spe-ed", players=3, width=9, height=9)
        state, rng = game.new(seed), random_stream(seed)
        players = [agent(player, game, seed) for _ in range(3)]
        while not state.over:
            p = state.player
            ways = [action for action in range(ANSWERS) if survives(game.tables, state.record, p, action)]
            action = players[p].act(state)
            assert action in (ways or range(ANSWERS))
            state.play(ways[int(below(rng, len(ways)))] if ways and seed % 2 else action)


@pytest.mark.parametrize("player", [f"tyr:iterations={ENDLESS}", f"tyr:iterations={ENDLESS},threads=2"])
def test_tyr_stops_at_once_and_at_a_deadline(player: str) -> None:
    game = load("spe-ed", players=2, width=12, height=12)
    state = game.new(1)
    me = agent(player, game)
    assert me.act(state, watch=me.stop) in state.actions
    assert me.act(state, Clock(deadline=time.monotonic())) in state.actions
    assert me.report().nodes < ENDLESS


def test_finalist_stops_at_once() -> None:
    game = load("spe-ed", players=2, width=12, height=12)
    me = agent("finalist:depth=16", game)
    assert me.act(game.new(1), watch=me.stop) in range(ANSWERS)
    assert me.report().depth < 16


def speed_after(spec: str, rounds: int) -> int:
    """How fast the first of two players of a kind is after some rounds of an open board."""
    game = load("spe-ed", players=2, width=30, height=30)
    state = game.new(1)
    while state.record.rounds < rounds and not state.over:
        state.play(agent(spec, game).act(state))
    return int(state.record.speed[0])


def test_haste_costs_the_finalist_room() -> None:
    assert speed_after("finalist:depth=2", 5) < speed_after("finalist:depth=2,haste=0,pace=10", 5)


def test_tyr_plans_to_answer_before_the_deadline_and_earlier_once_it_was_late() -> None:
    me = agent("tyr:margin=0.5,iterations=1", load("spe-ed", players=2, width=12, height=12))
    assert me.planned(0.0, 10.0) == 9.5
    me.late = 3.0
    assert me.planned(0.0, 10.0) == 6.5
    me.late = 100.0
    assert me.planned(0.0, 10.0) == 5.0
    me.act(me.search.game.new(1), Clock(deadline=time.monotonic() + 1000))
    assert 0 < me.late < 100  # it was in time


def test_the_same_seed_thinks_the_same() -> None:
    game = load("spe-ed", players=4, width=20, height=20)
    reports = [agent_after(game, seed).report() for seed in (1, 1, 2)]
    assert reports[0].edges == reports[1].edges
    assert reports[0].edges != reports[2].edges


def agent_after(game: Game, seed: int) -> SearchAgent:
    me: SearchAgent = agent("tyr:iterations=300,threads=2", game, seed)
    me.act(game.new(3))
    return me


def test_all_threads_count() -> None:
    report = agent_after(load("spe-ed", players=2, width=12, height=12), 1).report()
    assert report is not None
    assert report.nodes == sum(edge.visits for edge in report.edges) == 300


def test_lines_begin_at_the_heads_and_show_the_near_ones() -> None:
    game, state = drawn("·" * 30 + "\n" + "·>····<" + "·" * 22 + "v" + ("\n" + "·" * 30) * 3)
    me = agent("tyr:iterations=400,window=10", game)
    me.act(state)
    lines = me.lines()
    assert {line.player for line in lines} == {0, 1}
    assert {line.points[0] for line in lines} == {(1, 1), (6, 1)}
    assert sum(line.share for line in lines if line.player == 0) == pytest.approx(1, abs=0.15)


def test_only_opponents_in_the_window_are_near() -> None:
    _, state = drawn(">···<····<·····" + ("\n" + "·" * 15) * 4)
    array = own_part(state)
    assert nearest(array, 0, 3, window=20, most=5) == [1, 2]
    assert nearest(array, 0, 3, window=20, most=1) == [1]
    assert nearest(array, 0, 3, window=6, most=5) == [1]


def test_what_far_opponents_draw_gets_ever_more_likely_with_time_and_less_with_distance() -> None:
    game, state = drawn("·" * 15 + "\n" + ">" + "·" * 14 + "\n" + "·" * 15 + "\n" + "·" * 15 + "\n^" + "·" * 14)
    me = agent("tyr:iterations=1,window=0", game)
    me.act(state)
    chance = me.search.chance[:, : 15 * 5].reshape(-1, 5, 15)
    likely = chance[:, 4, :]  # the first player is above
    assert np.all(np.diff(chance, axis=0) >= 0)
    assert chance[0].max() <= 1
    assert likely[5].sum() > likely[0].sum() >= 0


def test_a_heavier_weight_on_being_slow_slows_down() -> None:
    game, state = drawn(">" + "·" * 29 + ("\n" + "·" * 30) * 8 + "\n" + "·" * 29 + "<", speeds=(4, 1))
    visits = {}
    for weight in (0, 50):
        me = agent(f"tyr:iterations=400,weight.slow={weight}", game)
        me.act(state)
        visits[weight] = {edge.action: edge.visits for edge in me.report().edges}
    assert visits[50][SLOW_DOWN] > visits[0][SLOW_DOWN]


def test_tyr_beats_the_finalist_in_a_duel_of_few_rounds() -> None:
    game = load("spe-ed", players=2, width=16, height=16)
    points = 0.0
    for seed in range(4):
        state = game.new(seed)
        players = [agent(spec, game, seed) for spec in ("tyr:iterations=300", "finalist:depth=1")]
        while not state.over:
            state.play(players[state.player].act(state))
        points += state.returns[0]
    assert points > 0


def test_a_plan_that_is_known_to_last_is_not_given_up_for_a_guess() -> None:
    comb = "\n".join(["v" + "·" * 23, *["·#" * 12] * 9, "#" * 24, "·" * 22 + ">·"])
    game, state = drawn(comb)
    me = agent("tyr:iterations=60", game)
    me.act(state)
    filling = me.search.fillings[0]
    assert filling.pass_number > 0
    assert filling.value == len(filling.plan)
