"""Rock, paper, scissors: what beats what, and how often to show it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import spielbaum

SHAPES = ("rock", "paper", "scissors")


def shown(*moves: str, **options: int) -> spielbaum.State:
    return spielbaum.load("rock-paper-scissors", **options).play_all(moves)


@pytest.mark.parametrize(("winner", "loser"), [("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")])
def test_each_shape_beats_another_one(winner, loser):
    assert shown(winner, loser).returns == [1, -1]
    assert shown(loser, winner).returns == [-1, 1]
    assert shown(winner, winner).returns == [0, 0]


def test_nothing_is_seen_before_both_are_shown():
    assert str(shown("rock")) == "both hands are hidden"
    assert shown("rock").view(1).array.tobytes() == shown("paper").view(1).array.tobytes()


@pytest.mark.parametrize("win", [1, 2, 5])
def test_in_the_equilibrium_nothing_is_better_than_anything_else(win):
    payoff = np.zeros((3, 3))
    for (i, mine), (j, theirs) in itertools.product(enumerate(SHAPES), repeat=2):
        payoff[i, j] = shown(mine, theirs, win=win).returns[0]
    assert payoff @ np.array([1, win, 1]) / (win + 2) == pytest.approx(np.zeros(3))
    assert payoff.max() == 1


def test_regret_matching_comes_to_show_paper_half_of_the_time_where_rock_counts_double():
    game = spielbaum.load("rock-paper-scissors", win=2)
    spec = "mcts:iterations=20000,select=regret-matching,decide=mix"
    chosen = [spielbaum.agent(spec, game, seed=seed).act(game.new()) for seed in range(60)]
    assert 20 <= chosen.count(1) <= 40
    assert min(chosen.count(0), chosen.count(2)) >= 5
