"""What is legal is looked up once a click: the rules say it of the new position, and everything else remembers it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spielbaum.game import State
from spielbaum.web.settings import Settings
from tests.web.conftest import SHELLS
from tests.web.server import PERSON, Server, agent


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose games nobody plays but these tests."""
    with Server(Settings(("connect-four", "light-cycles", SHELLS), searches=2, seconds=5.0)) as running:
        yield running


@pytest.fixture
def looks(server, monkeypatch) -> list[State]:
    """The positions whose rules were asked who is to move and what is legal; first ones are asked to compile agents."""
    found: list[State] = []
    look = State._look
    catalogue = server.server.config.app.app.state.manager.catalogue
    own = [catalogue.game(name) for name in catalogue.sources]  # other servers go on with theirs

    def counted(state: State):
        if state._seen is None and state.game in own and state != state.game.new(0):
            found.append(state.copy())
        return look(state)

    monkeypatch.setattr(State, "_look", counted)
    return found


def test_a_click_asks_the_rules_once_what_is_legal(server, looks):
    session = server.begin("connect-four", PERSON, PERSON)
    with server.join(session) as client, server.join(session) as other:
        client.act(3)
        for action in (3, 2, 2):
            looks.clear()
            client.act(action)
            other.until(ply=client.now["ply"])
            assert len(looks) == 1


def test_a_click_that_is_not_legal_asks_nothing_new(server, looks):
    with server.play("connect-four", PERSON, PERSON) as client:
        client.act(3)
        looks.clear()
        assert client.act(99)["code"] == "illegal-action"
        assert len(looks) <= 1  # the message names the legal moves


def test_a_choice_in_a_round_is_checked_in_the_view_that_was_drawn(server, looks):
    session = server.begin("shells", PERSON, PERSON)
    invites = session["invites"]
    with server.join(session, invites["0"]) as ann, server.join(session, invites["1"]) as bob:
        ann.act(0)
        bob.act(2)
        ann.until(ply=1)
        ann.act(0)  # alone in the second round
        assert ann.until(ply=2)["gestures"] and bob.until(ply=2)["gestures"]
        looks.clear()
        bob.act(2)
        ann.until(ply=2, waiting=[0])
        assert looks == []


def test_what_was_legal_in_a_round_is_forgotten_after_it(server):
    with server.play("light-cycles", PERSON, PERSON, mode="analysis") as client:
        for _ in range(4):
            client.act(client.now["gestures"][0]["action"])
        live = server.server.config.app.app.state.manager.loaded[client.welcome["session"]].live
        assert [gesture["action"] for gesture in client.now["gestures"]] == live.state.actions
        assert live.asking(live.state.player).actions == live.state.actions


def test_a_rule_that_fails_leaves_the_position_as_it_was(server, monkeypatch):
    with server.play("connect-four", PERSON, PERSON) as client:
        before = client.act(3)
        play = State.play
        monkeypatch.setattr(State, "play", lambda state, action: play(state, action) and fail())
        assert client.ask("act", rev=before["rev"], action=3)["code"] == "internal"
        monkeypatch.undo()
        after = client.act(2)
        assert [move["label"] for move in after["moves"]] == ["d", "c"] and after["turn"] == 0


def test_an_illegal_move_does_not_end_the_hint_that_is_searched(server):
    server.get_ready("connect-four", 2, "mcts:seconds=2")
    with server.play("connect-four", PERSON, agent("random")) as client:
        client.say("hint", id=8, spec="mcts:seconds=2")
        client.wait("thinking")
        assert client.ask("act", rev=client.now["rev"], action=99)["code"] == "illegal-action"
        assert client.wait("hint", "error", re=8)["type"] == "hint"


def fail() -> None:
    raise RuntimeError("out of memory")
