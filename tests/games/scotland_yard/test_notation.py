"""How moves of Scotland Yard are written, also a whole double move at once, and what is said of wrong ones."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.agents.human import Human
from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.web.live_game import LiveGame, Seat
from tests.games.scotland_yard.test_rules import placed


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    left = iter(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: next(left))


def person(state: spielbaum.State) -> Human:
    return Human(state.game, {}, 0)


def test_a_double_move_can_be_typed_at_once(monkeypatch):
    state = placed(1, 100)
    typing(monkeypatch, "Double  bus 46 + bus 78")
    mrx = person(state)
    for _ in range(2):
        state.play(mrx.act(state.view(0)))
    assert state.seat == "detective-1" and state.record.at[0] == 78


def test_a_double_move_whose_second_half_is_wrong_is_asked_for_again_as_a_whole(monkeypatch, capsys):
    state = placed(1, 100)
    typing(monkeypatch, "double bus 46 + taxi 199", "taxi 8")
    assert state.format(person(state).act(state.view(0))) == "taxi 8"
    assert "move '+ taxi 199' is not legal for mrx here; legal: + " in capsys.readouterr().out


def test_nobody_types_moves_of_others(monkeypatch, capsys):
    state = placed(1, 100)
    typing(monkeypatch, "taxi 8 taxi 80", "taxi 9")
    assert state.format(person(state).act(state.view(0))) == "taxi 9"
    assert "'taxi 80' is too much: by then it is not your turn" in capsys.readouterr().out


@pytest.mark.parametrize(
    "moves",
    [["double bus 46 + bus 78 taxi 80"], ["double bus 46 + bus 78", "taxi 80"], ["double bus 46, + bus 78, taxi 80"]],
)
def test_a_list_of_moves_may_hold_whole_double_moves(moves):
    state = placed(1, 100)
    assert len(state.play_all(moves)) == 3
    assert state.record.at[:2].tolist() == [78, 80] and state.seat == "mrx"


def test_a_pasted_game_may_hold_whole_double_moves():
    game = spielbaum.load("scotland-yard", players=3)
    live = LiveGame(game, "scotland-yard", [Seat("agent")] * 3, 3, "analysis")
    live.play_all(["double taxi 4 + taxi 13", game.play_all(["double taxi 4 + taxi 13"], 3).moves[0]])
    assert [move.seat for step in live.steps for move in step] == [0, 0, 1]


@pytest.mark.parametrize(
    ("move", "complaint"),
    [
        ("tram 8", "'tram 8' is not legal for mrx here; legal: taxi 8, "),
        ("taxi 199", "'taxi 199' is not legal for mrx here"),
        ("double bus 46 + tram 78", "'[+] tram 78' is not legal for mrx here; legal: [+] "),
        ("taxi 8, black 80", "move 2: move 'black 80' is not legal for detective-1 here; legal: taxi 80, "),
        ("taxi 8, double taxi 80", "'double taxi 80' is not legal for detective-1 here"),
    ],
)
def test_wrong_moves_are_refused_in_one_line(move, complaint):
    with pytest.raises(IllegalAction, match=complaint) as error:
        placed(1, 100).play_all([move])
    assert "\n" not in str(error.value)


def test_an_unknown_seat_is_refused_in_one_line():
    with pytest.raises(SpielbaumError, match="unknown seat 'detective-4' for scotland-yard"):
        spielbaum.load("scotland-yard", players=4).seated({"detective-4": "random"})
