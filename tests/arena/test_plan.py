"""A run's plan: everybody sits everywhere equally often, and every game has seeds of its own."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spielbaum
from spielbaum.arena.plan import Plan, make_plan, seat_orders
from tests.conftest import SMALL


def plan(games=100, agents=("random", "greedy"), **settings) -> Plan:
    return make_plan(spielbaum.load("connect-four"), agents, games, **settings)


@given(st.integers(1, 5))
def test_seat_orders_are_all_orders_and_rotate_everybody_through_every_seat(size):
    orders = seat_orders(size)
    assert len(orders) == len(set(orders))
    assert all(sorted(order) == list(range(size)) for order in orders)
    for begin in range(0, len(orders), size):
        for seat in range(size):
            assert {order[seat] for order in orders[begin : begin + size]} == set(range(size))


def test_every_assignment_comes_up_equally_often():
    game = spielbaum.load("pursuit")
    tasks = make_plan(game, ["random", "greedy", "keen"], 60).tasks(range(60))
    assert set(Counter(map(tuple, tasks.seats.tolist())).values()) == {10}


def test_without_rotation_everybody_stays():
    assert set(map(tuple, plan(rotate=False).tasks(range(9)).seats.tolist())) == {(0, 1)}


def test_a_games_seeds_do_not_depend_on_which_other_games_are_asked_for():
    whole, part = plan(seed=3).tasks(range(100)), plan(seed=3).tasks([41, 7])
    for column, few in zip(whole, part, strict=True):
        assert column[[41, 7]].tolist() == few.tolist()


def test_no_two_games_share_a_seed_and_other_runs_have_other_ones():
    first, second = plan(20_000, seed=1).tasks(range(20_000)), plan(20_000, seed=2).tasks(range(20_000))
    seeds = [*first.seeds, *first.agent_seeds, *second.seeds, *second.agent_seeds]
    assert len(set(seeds)) == 80_000
    assert min(seeds) >= 0 and max(seeds) < 2**47


def test_games_that_differ_by_seats_only_share_an_opening_but_not_the_agents_seeds():
    tasks = plan(opening=4).tasks(range(6))
    assert tasks.seeds[0::2].tolist() == tasks.seeds[1::2].tolist()
    assert len(set(tasks.seeds.tolist())) == 3
    assert len(set(tasks.agent_seeds.tolist())) == 6


def test_groups_play_one_after_the_other():
    game = spielbaum.load("connect-four")
    groups = make_plan(game, ["random", "greedy", "decisive"], 4, groups=[(0, 1), (0, 2), (1, 2)])
    seats = groups.tasks(range(groups.total)).seats.tolist()
    assert seats == [[0, 1], [1, 0]] * 2 + [[0, 2], [2, 0]] * 2 + [[1, 2], [2, 1]] * 2


def test_a_plan_survives_its_text():
    original = plan(7, seed=2**40, opening=1)
    assert Plan.from_json(original.to_json()) == original


def test_a_plan_keeps_the_options_that_were_changed_and_finds_a_game_file_again():
    maze = spielbaum.load(SMALL / "maze.py", seed=5)
    made = make_plan(maze, ["random", "random"], 1)
    assert made.options == (("seed", 5),)
    assert made.load().options == maze.options


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": ("random",)}, r"connect-four has 2 seats \(yellow, red\), not 1"),
        ({"agents": ("random", "human")}, "a person can't play in the arena"),
        ({"agents": ("random", "mtcs")}, "did you mean 'mcts'"),
        ({"games": 0}, "games=0 is not possible"),
        ({"seed": 2**63}, "seed=.* is not possible"),
        ({"rounds": True}, "connect-four has no metrics"),
    ],
)
def test_a_plan_that_can_not_be_played_is_refused_with_the_reason(changes, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        plan(**changes)
