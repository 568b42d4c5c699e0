"""Goofspiel: who wins a prize, in which order they come, and what is known about it."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import match


def played(*moves: str, **options: int | str) -> spielbaum.State:
    return spielbaum.load("goofspiel", **{"prizes": "descending", **options}).play_all(moves)


def points(state: spielbaum.State) -> list[int]:
    return state.record.points.tolist()


def test_the_higher_card_wins_the_prize_and_both_cards_are_gone():
    state = played("5", "6")
    assert points(state) == [0, 6]
    assert state.moves == ["1", "2", "3", "4", "6"]
    assert state.play("1").moves == ["1", "2", "3", "4", "5"]


def test_equal_cards_win_nothing_and_the_prize_is_gone():
    state = played("6", "6")
    assert points(state) == [0, 0] and state.record.prize + 1 == 5


def test_the_other_one_does_not_see_what_was_chosen():
    assert played("5").view(1).array.tobytes() == played("2").view(1).array.tobytes()
    assert "holds 1 2 3 4 5 6" in str(played("5").view(1))


def test_who_has_more_points_wins():
    state = played("1", "3", "3", "2", "2", "1", cards=3)
    assert points(state) == [3, 3] and state.returns == [0, 0]
    state = played("3", "2", "2", "1", "1", "3", cards=3)
    assert points(state) == [5, 1] and state.returns == [1, -1]


@pytest.mark.parametrize(("order", "prizes"), [("ascending", [1, 2, 3, 4]), ("descending", [4, 3, 2, 1])])
def test_prizes_come_in_the_order_that_was_asked_for(order, prizes):
    state, seen = played(cards=4, prizes=order), []
    while not state.over:
        seen.append(int(state.record.prize) + 1)
        state.play(state.actions[0]).play(state.actions[0])
    assert seen == prizes


def test_random_prizes_are_all_there_and_each_is_as_often_the_first():
    game, firsts = spielbaum.load("goofspiel", cards=4), np.zeros(4, int)
    for seed in range(400):
        state, seen = game.new(seed), []
        while not state.over and seed < 20:
            seen.append(int(state.record.prize))
            state.play(state.actions[0]).play(state.actions[0])
        assert sorted(seen) == ([0, 1, 2, 3] if seed < 20 else [])
        firsts[game.new(seed).record.prize] += 1
    assert ((firsts - 100) ** 2 / 100).sum() < 16.3  # chi-square, 3 degrees of freedom, p = 0.001


def test_matching_the_prizes_beats_random_play():
    run = match("goofspiel", ["matching", "random"], games=200, seed=1)
    assert run.results.agent_tally(0).score > 0.7


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"cards": 2}, "cards=2 is not possible: cards is a whole number from 3 up to 13"),
        ({"prizes": "randm"}, "unknown value of 'prizes': 'randm'; did you mean 'random'"),
    ],
)
def test_bad_options_are_refused_in_one_line(option, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        spielbaum.load("goofspiel", **option)
