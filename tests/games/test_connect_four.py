"""Connect Four: lines, threats, the pruning and the policy, on drawn boards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.arena import match
from spielbaum.games.connect_four import policies
from spielbaum.games.connect_four.evaluate import evaluate
from spielbaum.games.connect_four.rules import HEIGHT, WIDTH
from spielbaum.games.connect_four.threats import threats
from spielbaum.rules import random_stream
from spielbaum.search.perft import perft

WEIGHTS = np.array([0.1, 0.1, 0.02])


@pytest.fixture
def game():
    return spielbaum.load("connect-four")


def after(moves: str) -> spielbaum.State:
    return spielbaum.load("connect-four").play_all(list(moves))


def test_the_numbers_of_games_are_known(game):
    assert perft(game.new(), 8).nodes == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


@pytest.mark.parametrize("moves", ["aabbccd", "abababa", "abbccdcddgd", "gffeededdad"])
def test_four_in_a_row_wins_in_every_direction(moves):
    assert after(moves).returns == [1, -1]


def slow_winner(state: spielbaum.State) -> int:
    """Who has four in a row, found by looking at every line."""
    board = str(state).splitlines()[:HEIGHT]
    grid = [line.split() for line in board]
    for row in range(HEIGHT):
        for column in range(WIDTH):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + k * down, column + k * right) for k in range(4)]
                if all(0 <= r < HEIGHT and 0 <= c < WIDTH for r, c in cells):
                    discs = {grid[r][c] for r, c in cells}
                    if len(discs) == 1 and discs != {"·"}:
                        return "●○".index(discs.pop()) + 1
    return 0


@given(st.integers(0, 100_000))
@settings(max_examples=40, deadline=None)
def test_bitboards_agree_with_looking_at_every_line(seed):
    state, random = spielbaum.load("connect-four").new(), np.random.default_rng(seed)
    while not state.over:
        state.play(int(random.choice(state.actions)))
        assert state.record.winner == slow_winner(state)


@given(st.integers(0, 100_000))
@settings(max_examples=20, deadline=None)
def test_a_move_wins_exactly_when_it_lands_on_a_threat(seed):
    state, random = spielbaum.load("connect-four").new(), np.random.default_rng(seed)
    while not state.over:
        wins = int(threats(state.record, state.player))
        for action in state.actions:
            square = 1 << 7 * action + int(state.record.height[action])
            assert bool(wins & square) == (state.copy().play(action).record.winner != 0)
        state.play(int(random.choice(state.actions)))


def test_threats_are_the_empty_squares_that_complete_four():
    state = after("aabbcc")  # ● has a1 b1 c1, ○ has a2 b2 c2
    d1, d2 = 1 << 21, 1 << 22
    assert int(threats(state.record, 0)) == d1
    assert int(threats(state.record, 1)) == d2


def test_the_decisive_policy_wins_before_it_blocks():
    rng = random_stream(1)
    assert policies.policy(after("aabbcc").record, rng) == 3  # win on d1
    assert policies.policy(after("agbgc").record, rng) == 3  # block on d1


@given(st.integers(0, 100_000))
@settings(max_examples=20, deadline=None)
def test_no_gift_prunes_exactly_what_hands_over_the_win(seed):
    state, random = spielbaum.load("connect-four").new(), np.random.default_rng(seed)
    while not state.over:
        for action in state.actions:
            after_it = state.copy().play(action)
            gift = not after_it.over and action in after_it.actions and after_it.play(action).record.winner != 0
            assert bool(policies.keep(state.record, action)) is not bool(gift)
        state.play(int(random.choice(state.actions)))


@given(st.integers(0, 100_000))
@settings(max_examples=30, deadline=None)
def test_the_evaluation_is_the_same_from_both_sides_with_another_sign(seed):
    state, random = spielbaum.load("connect-four").new(), np.random.default_rng(seed)
    for _ in range(20):
        if state.over:
            break
        state.play(int(random.choice(state.actions)))
    values = [evaluate(state.record, WEIGHTS, player) for player in range(2)]
    assert values[0] == pytest.approx(-values[1])


def test_levels_are_ordered():
    """Each beats the one below clearly: 20 games, each opening with sides swapped."""
    for better, worse in (("medium", "easy"), ("hard", "medium")):
        run = match("connect-four", [better, worse], games=20, seed=7, opening=4)
        assert run.results.agent_tally(0).score >= 0.65


def test_the_board_is_drawn(game):
    assert str(game.play_all(["d", "d", "a"])).splitlines()[-3:] == [
        "· · · ○ · · ·",
        "● · · ● · · ·",
        "a b c d e f g",
    ]
