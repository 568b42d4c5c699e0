"""`spielbaum perft` and the counting behind it."""

from __future__ import annotations

import pathlib

import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.search import perft as counting
from spielbaum.search.perft import perft

CAPTURES = str(pathlib.Path(__file__).parents[1] / "small" / "captures.py")
KNOWN = [7, 49, 343, 2401, 16807, 117649, 823536]


def counted(state, depth):
    """The same count by plain recursion over Python's face of the game."""
    if depth == 0:
        return 1
    return sum(counted(state.copy().play(action), depth - 1) for action in state.actions)


def test_connect_four_has_the_known_counts(run):
    answer = run("perft", "connect-four", "7", "--json").json
    assert answer["nodes"] == KNOWN
    assert "captures" not in answer


def test_the_table_has_a_row_per_depth(run):
    out = run("perft", "connect-four", "3").out
    assert [line.split() for line in out.splitlines() if line[:6].strip().isdigit()] == [
        ["1", "7"],
        ["2", "49"],
        ["3", "343"],
    ]


def test_counts_begin_at_the_position_after_some_moves(run, connect_four, quick_win):
    state = connect_four.play_all(quick_win[:-1])
    answer = run("perft", "connect-four", "3", "--moves", " ".join(quick_win[:-1]), "--json").json
    assert answer["nodes"] == [counted(state, depth) for depth in (1, 2, 3)]


def test_a_finished_game_has_no_successors(connect_four, quick_win):
    assert perft(connect_four.play_all(quick_win), 3).nodes == [0, 0, 0]


def test_counts_do_not_depend_on_where_the_walk_pauses(connect_four, monkeypatch):
    monkeypatch.setattr(counting, "STEPS", 1)
    assert perft(connect_four.new(), 4).nodes == KNOWN[:4]


def test_captures_are_counted_where_the_game_has_a_rule_for_them(run):
    answer = run("perft", CAPTURES, "3", "--json").json
    assert answer["nodes"] == [3, 9, 27]
    assert answer["captures"] == [1, 3, 9]
    assert "captures" in run("perft", CAPTURES, "1").out


@pytest.mark.parametrize("depth", [0, counting.DEEPEST + 1])
def test_a_depth_that_makes_no_sense_is_refused(connect_four, depth):
    with pytest.raises(SpielbaumError, match="depth of 1"):
        perft(connect_four.new(), depth)
