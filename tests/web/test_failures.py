"""What fails for whatever reason is answered, with a number under which the log tells why."""

from __future__ import annotations

import logging
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from spielbaum.web import catalogue, handlers
from spielbaum.web.live_game import LiveGame
from spielbaum.web.searches import Search
from spielbaum.web.session_manager import SessionManager
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Client, Server, agent

CLUMSY = pathlib.Path(__file__).parents[1] / "small" / "clumsy.py"
SECRET = "/root/secret.txt"


def fail(*_: object, **__: object) -> Any:
    raise KeyError(SECRET)


@pytest.fixture
def records() -> Iterator[list[logging.LogRecord]]:
    """What the server logs as an error."""
    found: list[logging.LogRecord] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = found.append  # type: ignore[method-assign]
    logging.getLogger("spielbaum.web").addHandler(handler)
    yield found
    logging.getLogger("spielbaum.web").removeHandler(handler)


def assert_told(error: dict[str, Any], records: list[logging.LogRecord]) -> None:
    """That a failure is told without details, and its details are in the log."""
    assert error["code"] == "internal"
    assert SECRET not in error["reason"] and "Traceback" not in error["reason"] and "KeyError" not in error["reason"]
    number = re.search(r"number ([0-9a-f]{8})", error["reason"])
    assert number is not None
    (record,) = [each for each in records if getattr(each, "facts", {}).get("number") == number[1]]
    assert record.exc_info is not None and isinstance(record.exc_info[1], KeyError)


@pytest.mark.parametrize("kind", sorted(handlers.HANDLERS))
def test_a_message_that_fails_is_answered_and_the_connection_goes_on(server, records, monkeypatch, kind):
    needed = {
        "hello": {"token": "x"},
        "act": {"rev": 0, "action": 4},
        "resign": {"seat": 0},
        "think": {"spec": "random"},
    }
    needed |= {"goto": {"ply": 0}, "view": {"seat": 0}, "continue": {"seats": [PERSON]}}
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        monkeypatch.setitem(handlers.HANDLERS, kind, fail)
        assert_told(client.ask(kind, **needed.get(kind, {})), records)
        monkeypatch.undo()
        assert client.act(4)["ply"] == 1


def test_a_request_that_fails_is_answered(server, records, monkeypatch):
    monkeypatch.setattr(catalogue, "setup", fail)
    answer = server.http.get("/api/games/tic-tac-toe")
    assert answer.status_code == 500 and answer.headers["x-content-type-options"] == "nosniff"
    assert_told(answer.json()["error"], records)
    monkeypatch.undo()
    assert server.http.get("/api/games/tic-tac-toe").status_code == 200


def test_who_can_not_be_let_in_is_told(server, records, monkeypatch):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    monkeypatch.setattr(SessionManager, "get", fail)
    client = Client.__new__(Client)
    client.open(server.port, session["session"])
    assert_told(client.wait("error"), records)
    with pytest.raises(ConnectionClosed) as closed:
        client.hear()
    assert closed.value.rcvd.code == 1011


def test_a_question_that_fails_in_a_search_is_answered(server, records, monkeypatch):
    with server.play("tic-tac-toe", PERSON, agent("mcts:iterations=30")) as client:
        client.act(4)
        client.until(ply=2)
        monkeypatch.setattr(Search, "branch", fail)
        assert_told(client.ask("tree", "tree"), records)


def test_a_move_of_an_agent_that_can_not_be_made_is_told(server, records, monkeypatch):
    with server.play("tic-tac-toe", PERSON, agent("random")) as client:
        client.act(4)
        client.until(ply=2)
        played = LiveGame.play
        monkeypatch.setattr(
            LiveGame, "play", lambda live, seat, action: fail() if seat == 1 else played(live, seat, action)
        )
        client.act(client.now["gestures"][0]["action"])
        assert "number" in client.until(paused=True)["faults"][0]
        monkeypatch.undo()
        client.say("pace", paused=False)
        assert client.until(ply=4)["faults"] == []


def test_what_fails_when_nobody_has_asked_is_told_to_all(server, records, monkeypatch):
    with server.play("tic-tac-toe", PERSON, PERSON, clock=1.0) as client:
        monkeypatch.setattr(LiveGame, "end", fail)
        assert_told(client.wait("error"), records)


def test_a_game_whose_hooks_raise_tells_which_and_the_session_lives_on():
    with Server(Settings((CLUMSY,))) as server, server.play("clumsy", PERSON, PERSON) as client:
        assert client.act(2)["ply"] == 1
        assert "scene raised ValueError" in client.act(1)["broken"]  # three are taken
        after = client.act(1)
        assert "gesture raised KeyError" in after["broken"] and after["ply"] == 3
        assert client.ask("ping", "pong")["type"] == "pong"
        client.say("restart")
        assert client.until(ply=0)["broken"] is None


def test_a_game_whose_moves_can_not_be_drawn_goes_on_between_agents_too(caplog):
    with (
        Server(Settings((CLUMSY,))) as server,
        server.play("clumsy", agent("random"), PERSON, moves=[2, 2]) as client,
    ):
        assert client.until(ply=3)["faults"] == []
    assert "gesture raised KeyError" in caplog.text
