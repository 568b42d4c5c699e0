"""Amazons: counted against a slow implementation, random moves, territory, and known numbers."""

from __future__ import annotations

import collections
import random

import numpy as np
import pytest
from scipy import stats

import spielbaum
from spielbaum.arena import match
from spielbaum.games.amazons.evaluate import WEIGHTS, evaluate, territory
from spielbaum.games.amazons.rules import AMAZONS, MAX_ACTIONS, MOST_STEPS, sample
from spielbaum.rules import random_stream
from spielbaum.search.perft import perft

DIRECTIONS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
DEFAULTS = np.array([param.default for param in WEIGHTS])


# --- the same rules, slowly ---------------------------------------------------------------------


def board_of(state: spielbaum.State) -> list[list[str]]:
    """What the drawn board shows, the first row first."""
    return [line[4:].split() for line in reversed(str(state).splitlines()[:-1])]


def queen_moves(board: list[list[str]], row: int, column: int) -> list[tuple[int, int]]:
    found = []
    for down, right in DIRECTIONS:
        r, c = row + down, column + right
        while 0 <= r < len(board) and 0 <= c < len(board) and board[r][c] == "·":
            found.append((r, c))
            r, c = r + down, c + right
    return found


def name(square: tuple[int, int]) -> str:
    return f"{'abcdefghij'[square[1]]}{square[0] + 1}"


def slow_moves(board: list[list[str]], player: int) -> dict[str, list[list[str]]]:
    """All moves with the boards they lead to."""
    found, amazon = {}, "○●"[player]
    squares = [(r, c) for r in range(len(board)) for c in range(len(board)) if board[r][c] == amazon]
    for r, c in squares:
        for to in queen_moves(board, r, c):
            moved = [list(row) for row in board]
            moved[r][c], moved[to[0]][to[1]] = "·", amazon
            for arrow in queen_moves(moved, *to):
                shot = [list(row) for row in moved]
                shot[arrow[0]][arrow[1]] = "×"
                found[f"{name((r, c))}-{name(to)}/{name(arrow)}"] = shot
    return found


@pytest.mark.parametrize("size", [6, 7, 8, 10])
def test_moves_are_those_of_a_slow_implementation(size):
    game = spielbaum.load("amazons", size=size)
    for seed in range(2):
        state, choices = game.new(), random.Random(seed)
        while not state.over:
            slow = slow_moves(board_of(state), state.player)
            assert sorted(state.moves) == sorted(slow)
            move = choices.choice(sorted(slow))
            state.play(state.parse(move))
            assert board_of(state) == slow[move]
        assert not slow_moves(board_of(state), state.record.arrows % 2)
        assert state.returns[state.record.arrows % 2] == -1


def test_the_numbers_of_games_are_known():
    assert perft(spielbaum.load("amazons").new(), 2).nodes == [2176, 4307152]


def test_the_numbers_on_a_small_board_are_those_of_the_slow_implementation():
    state = spielbaum.load("amazons", size=6).new()
    first = slow_moves(board_of(state), 0)
    second = sum(len(slow_moves(board, 1)) for board in first.values())
    assert perft(state, 2).nodes == [len(first), second]


def test_amazons_begin_where_they_should():
    assert str(spielbaum.load("amazons").new()).splitlines() == [
        "10  · · · ● · · ● · · ·",
        " 9  · · · · · · · · · ·",
        " 8  · · · · · · · · · ·",
        " 7  ● · · · · · · · · ●",
        " 6  · · · · · · · · · ·",
        " 5  · · · · · · · · · ·",
        " 4  ○ · · · · · · · · ○",
        " 3  · · · · · · · · · ·",
        " 2  · · · · · · · · · ·",
        " 1  · · · ○ · · ○ · · ·",
        "    a b c d e f g h i j",
    ]


def test_no_position_has_more_moves_than_four_amazons_alone_on_an_empty_board():
    empty = [["·"] * 10 for _ in range(10)]
    reach = {(r, c): queen_moves(empty, r, c) for r in range(10) for c in range(10)}
    assert max(map(len, reach.values())) == MOST_STEPS
    assert AMAZONS * max(sum(len(reach[to]) for to in targets) for targets in reach.values()) == MAX_ACTIONS


# --- random moves -------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [20, 50])  # where moves are drawn until they fit, and where they are counted
def test_every_move_is_drawn_as_often_as_any_other(plies):
    state, choices = spielbaum.load("amazons", size=8).new(), random.Random(7)
    for _ in range(plies):
        state.play(choices.choice(state.actions))
        if len(state.actions) < 60:
            break
    rng = random_stream(1)
    drawn = collections.Counter(sample(state.game.tables, state.record, rng) for _ in range(50 * len(state.actions)))
    assert set(drawn) == set(state.actions)
    assert stats.chisquare(list(drawn.values())).pvalue > 0.001


# --- the evaluation -----------------------------------------------------------------------------


def slow_territory(board: list[list[str]], player: int, slides: bool) -> tuple[int, int]:
    """Squares reached sooner minus those reached later, and squares reached as soon, by breadth-first search."""
    distances = []
    for amazon in ("○●"[player], "○●"[1 - player]):
        far = {(r, c): 0 for r, row in enumerate(board) for c, held in enumerate(row) if held == amazon}
        queue = collections.deque(far)
        while queue:
            r, c = queue.popleft()
            for to in queen_moves(board, r, c):
                if (slides or max(abs(to[0] - r), abs(to[1] - c)) == 1) and to not in far:
                    far[to] = far[r, c] + 1
                    queue.append(to)
        distances.append(far)
    own, other = distances
    free = [(r, c) for r, row in enumerate(board) for c, held in enumerate(row) if held == "·"]
    pairs = [(own.get(square, 1000), other.get(square, 1000)) for square in free]
    lead = sum((mine < theirs) - (mine > theirs) for mine, theirs in pairs)
    return lead, sum(mine == theirs < 1000 for mine, theirs in pairs)


@pytest.mark.parametrize("size", [6, 10])
def test_territory_is_what_a_breadth_first_search_finds(size):
    state, choices = spielbaum.load("amazons", size=size).new(), random.Random(size)
    while not state.over:
        for player in range(2):
            for slides in (True, False):
                found = territory(state.record, player, slides)
                assert found == slow_territory(board_of(state), player, slides)
        state.play(choices.choice(state.actions))


def test_an_evaluation_is_the_other_sides_with_another_sign():
    state, choices = spielbaum.load("amazons").new(), random.Random(3)
    while not state.over:
        values = [evaluate(state.record, DEFAULTS, player) for player in range(2)]
        assert values[0] == pytest.approx(-values[1])
        assert -1 < values[0] < 1
        state.play(choices.choice(state.actions))


def test_levels_are_ordered():
    """medium beats easy clearly: 10 games on the smallest board, each opening with sides swapped."""
    run = match("amazons", ["medium", "easy"], games=10, seed=7, opening=4, options={"size": 6})
    assert run.results.agent_tally(0).score >= 0.8
