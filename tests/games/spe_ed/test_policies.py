"""Players that do not look ahead, on boards drawn as text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from spielbaum.agents import make
from spielbaum.games.spe_ed.policies import survives
from spielbaum.games.spe_ed.rules import ANSWERS, NO_ANSWER

from .boards import drawn


def answers(policy, board, draws=60):
    """How often a policy gives which answer."""
    game, state = board
    agent = make(policy, game, seed=3)
    return Counter(state.format(agent.act(state)) for _ in range(draws))


POCKET = """
    .......
    .###...
    >..#...
    .###...
    ......^
    """


def test_random_plays_every_move_that_is_not_deadly_at_once_about_as_often():
    counts = answers("random", drawn(POCKET), draws=600)
    assert set(counts) == {"change_nothing", "speed_up", "turn_left", "turn_right"}
    assert all(100 <= count <= 200 for count in counts.values())


def test_random_takes_the_only_way_that_is_left():
    board = drawn(
        """
        .......
        .#.....
        #>#....
        ..#....
        ......^
        """
    )
    assert set(answers("random", board)) == {"turn_right"}


def test_random_changes_nothing_where_all_moves_are_deadly():
    board = drawn(
        """
        .#.....
        #>#....
        .#.....
        .......
        ......^
        """
    )
    assert set(answers("random", board)) == {"change_nothing"}


def test_random_jumps_over_a_line_when_it_can():
    walled = """
        #######....
        >...#......
        #######....
        ...........
        ..........^
        """
    before, at_the_jump = (drawn(walled, speeds=(5, 1), rounds=rounds) for rounds in (4, 5))
    assert set(answers("random", before)) == {"change_nothing"}  # all are deadly
    assert set(answers("random", at_the_jump)) == {"change_nothing", "speed_up"}


def test_only_moves_that_survive_alone_are_played_and_blind_plays_the_others_too():
    game, state = drawn(POCKET)
    alive = {state.format(a) for a in range(ANSWERS) if survives(game.tables, state.record, 0, a)}
    assert set(answers("random", (game, state))) == alive
    assert set(answers("blind", (game, state))) == alive | {"slow_down"}


def test_what_survives_alone_is_what_the_rules_say():
    rng = np.random.default_rng(1)
    for _ in range(60):
        rows = [["#" if rng.random() < 0.25 else "." for _ in range(9)] for _ in range(7)]
        rows[rng.integers(6)][rng.integers(8)], rows[6][8] = "^<v>"[rng.integers(4)], "^"
        text = "\n".join(map("".join, rows))
        game, state = drawn(text, speeds=(int(rng.integers(1, 11)), 1), rounds=int(rng.integers(12)))
        for answer in range(ANSWERS):
            s = state.copy().record
            choices = np.array([answer, NO_ANSWER, 0, 0, 0, 0])  # the other one is out before it moves
            game.module.resolve(game.tables, s, choices)
            assert survives(game.tables, state.record, 0, answer) == (s.died[0] == 0)


# --- siegfried ----------------------------------------------------------------------------------


def test_siegfried_turns_to_the_largest_area():
    board = drawn(
        """
        .......
        ###....
        >.#....
        .#.....
        .......
        ......^
        """
    )
    assert set(answers("siegfried", board)) == {"turn_right"}


def test_siegfried_does_not_turn_where_it_is_too_fast_for_the_room():
    narrow = """
        .......
        ###....
        >.#....
        .#.....
        .#....^
        """
    slow, fast = (answers("siegfried", drawn(narrow, speeds=(speed, 1))) for speed in (1, 2))
    assert set(slow) == {"turn_right"}  # 1 < 3
    assert set(fast) == {"slow_down"}  # 4 > 3, and faster than the floor of sqrt(2 / 2)


def test_siegfried_slows_down_before_a_wall():
    board = drawn(
        """
        #####
        >...#
        #####
        .....
        ^....
        """,
        speeds=(3, 1),
    )
    assert set(answers("siegfried", board)) == {"slow_down"}


@pytest.mark.parametrize(("policy", "far", "near"), [("siegfried", True, False), ("siegfried-code", False, True)])
def test_siegfried_speeds_up_when_others_are_far_or_as_its_code_does_when_they_are_near(policy, far, near):
    corridor = "#" * 30 + "\n>" + "." * 29 + "\n" + "#" * 30 + "\n{}\n" + "." * 30
    distant = answers(policy, drawn(corridor.format("." * 28 + "^.")))
    close = answers(policy, drawn(corridor.format("^" + "." * 29)))  # d² = 4: once in 25 times
    assert (distant["speed_up"] == 60, distant["speed_up"] == 0) == (far, not far)
    assert (close["speed_up"] > 40, close["speed_up"] < 20) == (near, not near)
