"""Connect Four's solver agrees with looking at everything, and the known positions with the solver."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import spielbaum
from spielbaum import Game, State
from spielbaum.games.connect_four import positions
from spielbaum.games.connect_four.positions import SETS, make, moves_left, name_of
from spielbaum.games.connect_four.solver import Solver

SMALL = 10_007  # entries of a table, so that some are lost


@pytest.fixture(scope="module")
def game() -> Game:
    return spielbaum.load("connect-four")


def by_brute_force(state: State) -> int:
    """1 + the discs that the winner has left, less than 0 if the other one wins."""
    best = -99
    for action in state.actions:
        after = state.copy().play(action)
        if after.over:
            discs = int(after.array["count"][0])
            found = 22 - (discs + 1) // 2 if after.returns[state.player] > 0 else 0
        else:
            found = -by_brute_force(after)
        best = max(best, found)
    return best


def test_scores_of_late_positions_are_exact(game):
    solver = Solver(game, SMALL)
    late = [each.moves for each in positions.read() if len(each.moves) >= 34][:30]
    for state in (game.play_all(list(moves)) for moves in late):
        score = by_brute_force(state)
        assert solver.score(state) == score
        values = {action: value_after(state, action) for action in state.actions}
        kept = [action for action, value in values.items() if np.sign(value) == np.sign(score)]
        assert solver.keeping(state, score) == kept


def value_after(state: State, action: int) -> int:
    after = state.copy().play(action)
    return int(after.returns[state.player]) if after.over else -by_brute_force(after)


def test_a_threat_that_cannot_be_stopped_is_a_win_with_all_but_four_discs(game):
    solver = Solver(game, SMALL)
    state = game.play_all(["d", "d", "e", "e"])  # c or f makes three with both ends open
    assert solver.score(state) == 22 - 4
    assert solver.keeps(state, 2, 1) and solver.keeps(state, 5, 1)
    assert moves_left(18, 4) == 3


def test_moves_to_the_end_follow_from_scores():
    assert moves_left(0, 30) == 12
    assert moves_left(1, 40) == 1  # yellow's last disc
    assert moves_left(1, 41) == 1  # red's
    assert moves_left(-1, 40) == 2
    assert name_of(0, 14) == "L1_R2" and name_of(0, 13) == "L1_R3" and name_of(18, 10) == "L1_R1"


def test_the_known_positions_are_what_they_say(game):
    solver, known = Solver(game, SMALL), positions.read()
    assert list(dict.fromkeys(each.name for each in known)) == list(SETS)
    assert len({each.moves for each in known}) == len(known)
    for each in known:
        state = game.play_all(list(each.moves))
        assert not state.over and name_of(each.score, len(each.moves)) == each.name
        assert each.score >= 0 or len(each.keeping) == len(state.actions)
    for name in ("L3_R1", "L2_R1", "L1_R1"):
        for each in [each for each in known if each.name == name][:20]:
            state = game.play_all(list(each.moves))
            assert solver.score(state) == each.score
            assert "".join("abcdefg"[action] for action in solver.keeping(state, each.score)) == each.keeping


def test_a_seed_makes_the_same_positions_again():
    wanted = {"L3_R1": 3, "L2_R1": 2}
    first, second = list(make(wanted, seed=5)), list(make(wanted, seed=5))
    assert first == second and Counter(each.name for each in first) == wanted
    assert first != list(make(wanted, seed=6))
