"""Solved games of two, and how far strategies are from an equilibrium."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum import load
from spielbaum.errors import SpielbaumError
from spielbaum.search.equilibrium import equilibrium, exploitability, optimum

STONE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_who_wins_more_with_one_hand_plays_another_one_more_often():
    """Rock wins twice as much as the others: whoever plays scissors fears it, so paper is played half of the time."""
    biased = STONE * np.array([[1, 1, 2], [1, 1, 1], [2, 1, 1]]) / 2
    value, strategy = optimum(biased)
    assert value == pytest.approx(0, abs=1e-9)
    assert strategy == pytest.approx([0.25, 0.5, 0.25])


def test_a_dominated_action_is_never_played():
    value, strategy = optimum(np.array([[0.2, 0.4], [-0.5, 0.1]]))
    assert value == pytest.approx(0.2) and strategy == pytest.approx([1, 0])


def test_only_an_equilibrium_is_not_exploitable():
    even = np.full(3, 1 / 3)
    assert exploitability(STONE, even, even) == pytest.approx(0)
    slight, strong = (np.array([1 / 3 + x, 1 / 3 - x, 1 / 3]) for x in (0.05, 0.2))
    assert 0 < exploitability(STONE, slight, even) < exploitability(STONE, strong, even)


def test_turns_are_rounds_of_one():
    state = load("tic-tac-toe").play_all(["a1", "b1", "a2", "b2"])
    assert equilibrium(state).value == 1  # a3 wins
    state.play("c1")
    assert equilibrium(state).value == -1  # b3 wins for the other


def test_what_can_not_be_solved_is_refused():
    for name, complaint in (("pig", "without chance"), ("scotland-yard", "games of two")):
        with pytest.raises(SpielbaumError, match=complaint):
            equilibrium(load(name).new())
