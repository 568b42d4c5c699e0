"""Tic-tac-toe: known counts, known theory, notation."""

from __future__ import annotations

from collections import Counter

import pytest

import spielbaum
from spielbaum.search.perft import perft


@pytest.fixture
def game():
    return spielbaum.load("tic-tac-toe")


def test_the_numbers_of_games_are_known(game):
    counts = perft(game.new(), 9)
    assert counts.nodes == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_there_are_5478_positions_with_as_many_keys(game):
    seen, waiting = {}, [game.new()]
    while waiting:
        state = waiting.pop()
        position = tuple(state.record.marks)
        if position not in seen:
            seen[position] = int(state.record.key)
            waiting += [state.copy().play(action) for action in state.actions]
    assert len(seen) == len(set(seen.values())) == 5478


def test_255168_games_end_as_known(game):
    ends: Counter[float] = Counter()
    layer = {(0, 0): (game.new(), 1)}  # positions after as many moves, and the sequences that lead there
    while layer:
        following: dict[tuple[int, ...], tuple[spielbaum.State, int]] = {}
        for state, ways in layer.values():
            if state.over:
                ends[state.returns[0]] += ways
            for action in state.actions:
                after = state.copy().play(action)
                position = tuple(after.record.marks.tolist())
                following[position] = after, ways + following.get(position, (after, 0))[1]
        layer = following
    assert ends == {1: 131184, -1: 77904, 0: 46080}
    assert ends.total() == 255168


LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]


@pytest.mark.parametrize("line", LINES)
def test_three_in_a_row_wins(game, line):
    cells = line.split()
    others = [move for move in game.new().moves if move not in cells]
    first, second = others[0], next(o for o in others[1:] if o[0] != others[0][0] or o[1] != others[0][1])
    state = game.play_all([cells[0], first, cells[1], second, cells[2]])
    assert state.over and state.returns == [1, -1]


def test_a_full_board_without_a_line_is_a_draw(game):
    state = game.play_all(["b2", "a1", "c3", "a3", "a2", "c2", "b3", "b1", "c1"])
    assert state.over and state.returns == [0, 0]


def test_the_board_is_drawn_with_coordinates(game):
    assert str(game.play_all(["a1", "b3"])) == "3  · O ·\n2  · · ·\n1  X · ·\n   a b c"


def test_perfect_players_draw(game):
    state = game.new()
    agents = [spielbaum.agent("hard", game, seed) for seed in (1, 2)]
    while not state.over:
        state.play(agents[state.player].act(state))
    assert state.returns == [0, 0]
