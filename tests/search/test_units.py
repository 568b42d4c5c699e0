"""What values are counted in: every search says it, and games declare it where it is not the chance to win."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.search.report import CHANCE, EVALUATION, SearchReport, Unit
from tests.conftest import SMALL


def report_of(game: spielbaum.Game, spec: str, moves: str = "") -> SearchReport:
    agent = spielbaum.agent(spec, game)
    state = game.play_all(moves.split())
    agent.act(state.view(state.player))
    report = agent.report()
    assert report is not None
    return report


@pytest.mark.parametrize(
    ("name", "spec", "unit"),
    [
        ("connect-four", "mcts:iterations=20", CHANCE),
        ("connect-four", "alphabeta:depth=1", Unit("threats", 10.0)),
        ("connect-four", "alphabeta:depth=1,weight.threat=0.5", Unit("threats", 2.0)),
        ("connect-four", "alphabeta:depth=1,weight.threat=0", EVALUATION),
        ("connect-four", "greedy", Unit("threats", 10.0)),
        ("tic-tac-toe", "alphabeta:depth=1,table=1", EVALUATION),
        ("kuhn-poker", "ismcts:iterations=20", Unit("chips", 2.0)),
        ("latrunculi", "easy", Unit("points")),
        ("latrunculi", "hard", Unit("pieces", 16.0)),
    ],
)
def test_a_report_says_what_its_values_are_counted_in(name, spec, unit):
    assert report_of(spielbaum.load(name), spec).unit == unit


def test_points_of_a_game_that_pays_by_the_round_depend_on_its_options():
    spec = "mcts:iterations=20"
    assert report_of(spielbaum.load("rock-paper-scissors"), spec).unit == CHANCE
    assert report_of(spielbaum.load("rock-paper-scissors", win=3), spec).unit == Unit("points", 3.0)


def test_the_lead_in_pieces_is_what_was_taken():
    """Shells take a stone at once: with the weight of material alone the search must tell a lead of one piece."""
    weights = ",".join(f"weight.{name}=0" for name in ("mobility", "safety", "lock", "encirclement", "tempo"))
    board = spielbaum.load("latrunculi", board="6x6")
    report = report_of(board, f"alphabeta:depth=1,{weights}")
    assert report.value * report.unit.scale == pytest.approx(0.0)
    assert report.unit.scale == 12


def test_a_win_by_the_next_move_is_told_by_greedy_as_by_others():
    game = spielbaum.load("connect-four")
    for spec in ("greedy", "alphabeta:depth=1"):
        assert report_of(game, spec, "a b a b a b").value == 999_999


def test_a_unit_of_its_own_is_a_name_and_a_number(tmp_path):
    text = (SMALL / "maze.py").read_text()
    (tmp_path / "wrong.py").write_text(text + "\n\ndef units(t):\n    return {'evaluate': 'pieces'}\n")
    with pytest.raises(spielbaum.SpielbaumError, match=r"units .*'evaluate'.*a word and a number") as error:
        report_of(spielbaum.load(tmp_path / "wrong.py"), "minimax:depth=1")
    assert "\n" not in str(error.value)
