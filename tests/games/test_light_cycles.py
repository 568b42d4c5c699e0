"""Light Cycles: who crashes, what the second rider may know, and how territory is counted."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.games.light_cycles.evaluate import reachable, territories
from spielbaum.rules import random_stream


def ridden(*moves: str, **options: int) -> spielbaum.State:
    return spielbaum.load("light-cycles", **options).play_all(moves)


def test_both_ride_only_when_both_have_chosen():
    state = ridden("east")
    assert state.seat == "orange"
    assert state.record.cell.tolist() == [32, 39]
    state.play("west")
    assert state.record.cell.tolist() == [33, 38]


def test_the_second_rider_does_not_see_the_first_one_s_choice():
    views = {ridden(move).view(1).array.tobytes() for move in ("north", "east", "south")}
    assert len(views) == 1
    assert ridden("north").view(0).record.committed == 1


def test_a_guess_is_one_of_the_first_rider_s_free_directions():
    state = ridden("east").view(1)
    kernel, rng, guesses = state.game.kernels.face.determinize, random_stream(1), []
    for _ in range(90):
        world = state.array.copy()
        kernel(state.game.tables, world, 1, rng)
        guesses.append(int(world[0].committed) - 1)
    assert {guess: guesses.count(guess) > 15 for guess in set(guesses)} == {0: True, 1: True, 2: True}


def test_riders_who_meet_in_one_cell_are_both_out():
    state = ridden("east", "west", "east", "west", width=5)
    assert state.over and state.returns == [0, 0]


def test_a_rider_may_not_choose_what_is_taken_while_something_is_free():
    state = ridden("east", "west", width=4)
    assert state.moves == ["north", "south"]


def test_a_rider_with_no_way_out_crashes_and_the_other_one_wins():
    state = ridden("north", "west", "east", "south", "south", "west", width=4, height=4)
    assert str(state) == "b b · ·\nb B o o\n· O o ·\n· · · ·"
    assert state.moves == ["north"]  # blue is lost and may only choose how
    state.play("north").play("south")
    assert state.returns == [-1, 1]


def test_territory_is_equal_at_the_start_and_a_cell_in_the_middle_is_nobody_s():
    even, odd = ridden(), ridden(width=5, height=5)
    assert territories(even.game.tables, even.record, 0) == (31, 31)
    mine, theirs = territories(odd.game.tables, odd.record, 0)
    assert mine == theirs and mine + theirs + 5 + 2 == 25


def test_reachable_cells_are_those_of_a_flood():
    state = ridden(width=4, height=4)
    assert reachable(state.game.tables, state.record, 0) == 14


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"width": 3}, "width=3 is not possible: width is a whole number from 4 up to 8"),
        ({"size": 8}, "unknown parameter"),
    ],
)
def test_bad_options_are_refused_in_one_line(option, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        spielbaum.load("light-cycles", **option)


def test_the_arena_is_drawn_from_above():
    assert str(ridden("north", "west", width=4, height=4)) == "B · · ·\nb · O o\n· · · ·\n· · · ·"
