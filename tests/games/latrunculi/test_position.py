"""Positions as text: what is read, and what is refused."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.errors import SpielbaumError
from tests.cli.conftest import run  # noqa: F401
from tests.games.latrunculi.boards import drawn

START = "SSSSSS/....../....../....../....../MMMMMM shells to move"


def test_the_first_position_can_be_set_up():
    game = spielbaum.load("latrunculi", board="6x6")
    assert game.set_up(START).record.key == game.new().record.key
    assert game.new().position == START.replace(" ", "\n", 1).replace("/", "\n")


def test_a_position_is_drawn_with_its_squares():
    lines = str(spielbaum.load("latrunculi", board="6x6").play_all(["b1-b4"])).splitlines()
    assert lines[0] == " 6 S S S S S S"
    assert lines[2] == " 4 . M . . . ."
    assert lines[-2:] == ["   a b c d e f", "stones to move, 1 quiet plies"]


def test_a_finished_position_is_over():
    assert drawn("SSM... MM.... ...... ...... ...... .....M", "stones to move").returns == [1.0, -1.0]


def test_an_extra_move_can_be_due():
    picture = "...... ...... .M.M.. ...... ..S... M.S..S"
    assert drawn(picture, "shells to move, extra move", optional=True).moves[0] == "pass"
    state = drawn(picture, "shells to move, extra move with d4", extra="same")
    assert {move[:2] for move in state.moves} == {"d4"}


@pytest.mark.parametrize(
    ("picture", "words", "options", "complaint"),
    [
        ("SSSSSSS", "shells to move", {}, "6 ranks of 6 squares"),
        ("SSXSSS", "shells to move", {}, "'X' is no piece"),
        ("SSSSSS S.....", "shells to move", {}, "stones have 7 pieces; they have at most 6"),
        ("SSSSSS MM....", "nobody", {}, "shells to move | stones to move"),
        ("SSSSSS MM....", "shells to move, in a hurry", {}, "'in a hurry' is not understood"),
        ("SSSSSS MM....", "shells to move, 60 quiet plies", {}, "stalls after 60"),
        ("SSSSSS MM....", "shells to move, extra move", {"extra": "none"}, "no extra moves"),
        ("SSSSSS MM....", "shells to move, extra move", {"extra": "same"}, "extra move with c4"),
        ("SSSSSS MM....", "shells to move, extra move with f1", {"extra": "same"}, "no piece of the shells on f1"),
        ("SSSSSS MM....", "shells to move, extra move with g1", {"extra": "same"}, "squares are a1 to f6"),
        ("SSSSSS MM....", "shells to move", {"dux": "kowalski"}, "one dux"),
        ("SSSSdd MM.D..", "shells to move", {"dux": "kowalski"}, "one dux, written d, not 2"),
        ("SSSSS. MM....", "shells to move, 0 and 1 in hand", {"placement": True}, "can't move yet"),
    ],
)
def test_an_impossible_position_is_refused_with_what_would_be_right(picture, words, options, complaint):
    with pytest.raises(SpielbaumError) as caught:
        drawn(picture, words, **options)
    assert complaint in str(caught.value)


def test_games_are_counted_from_any_position(run, tmp_path):  # noqa: F811
    file = tmp_path / "position.txt"
    file.write_text(drawn("...... ...... .MS..M ...... ..S... M.S..S").position)
    text = ".../" and "....../....../.MS..M/....../..S.../M.S..S shells to move"
    for given in (str(file), text):
        answer = run("perft", "latrunculi", "2", "--option", "board=6x6", "--position", given, "--json")
        assert answer.json["nodes"][0] == len(drawn("...... ...... .MS..M ...... ..S... M.S..S").moves)
        assert answer.json["captures"][0] == 1


def test_any_position_is_analysed(run):  # noqa: F811
    text = "....../....../.MS..M/....../....../.....S shells to move"
    answer = run("analyse", "latrunculi", "--option", "board=6x6", "--position", text, "--agent", "alphabeta:depth=2")
    assert "alphabeta plays f4-d4xc4" in answer.out and "win in 1" in answer.out


def test_a_game_without_written_positions_says_so(run):  # noqa: F811
    assert "give the moves instead" in run("perft", "connect-four", "1", "--position", "x").err
