"""A state message brings what is new in a game's history, and the whole of it to those who have nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import spielbaum
from spielbaum.web.connection import OUTBOX, Connection
from spielbaum.web.live_game import LiveGame, Seat
from tests.web.server import PERSON, Client, Server, updated

LISTS = ("moves", "curve", "scores")
NOBODY_WINS = "3302545642233552243311215504044666601060"  # forty plies of Connect Four, seldom seen


class Wire(Client):
    """A client that keeps every state as it came."""

    def open(self, *given: Any) -> None:
        self.states: list[dict[str, Any]] = []
        super().open(*given)

    def hear(self, *given: Any) -> dict[str, Any]:
        receive = self.socket.recv

        def keep(*seconds: Any) -> Any:
            text = receive(*seconds)
            self.states += [message] if (message := json.loads(text))["type"] == "state" else []
            return text

        self.socket.recv = keep  # type: ignore[method-assign,assignment]
        try:
            return super().hear(*given)
        finally:
            self.socket.recv = receive  # type: ignore[method-assign]


def join(server: Server, session: dict[str, Any]) -> Wire:
    return Wire(server.port, session["session"], session["token"])


def size(state: dict[str, Any]) -> int:
    """Bytes of a state without the board and its moves, which are as many as there are pieces and places."""
    return len(json.dumps({name: value for name, value in state.items() if name not in ("scene", "gestures")}))


def kept(state: dict[str, Any]) -> list[int]:
    return [state[name]["keep"] for name in LISTS]


def test_a_late_state_message_is_no_longer_than_an_early_one(server):
    session = server.begin("connect-four", PERSON, PERSON)
    with join(server, session) as client:
        for action in map(int, NOBODY_WINS):
            client.act(action)
        early, late = client.states[2], client.states[40]
        assert early["ply"] == 2 and late["ply"] == 40 and len(client.now["moves"]) == 40
        assert len(late["moves"]["add"]) == 1 and late["moves"]["keep"] == 39
        assert size(late) <= size(early) + 10  # the figures of some counters are longer


def test_who_comes_back_gets_the_whole_history_once(server):
    session = server.begin("quick-civ", mode="analysis")
    with join(server, session) as client:
        client.act(client.now["gestures"][0]["action"])
        before = client.act(client.now["gestures"][0]["action"])
    with join(server, session) as client:
        assert kept(client.states[0]) == [0, 0, 0]
        assert all(client.now[name] == before[name] for name in LISTS) and client.now["scores"]


def test_an_undo_drops_moves_and_what_follows_is_added(server):
    session = server.begin("connect-four", PERSON, PERSON)
    with join(server, session) as client:
        for action in (3, 3, 2):
            client.act(action)
        client.say("undo")
        client.until(ply=2)
        assert client.states[-1]["moves"] == {"keep": 2, "add": []} and len(client.now["moves"]) == 2
        client.act(6)
        assert [move["label"] for move in client.now["moves"]] == ["d", "d", "g"]


def test_a_step_through_a_game_brings_no_moves_and_another_way_brings_its_own(server):
    session = server.begin("connect-four", mode="analysis", moves="d d c")
    with join(server, session) as client:
        client.say("goto", ply=1)
        client.until(ply=1)
        assert client.states[-1]["moves"] == {"keep": 3, "add": []}
        client.act(0)
        assert client.states[-1]["moves"] == {"keep": 1, "add": [{"ply": 1, "seat": 1, "label": "a"}]}


def test_another_viewer_gets_the_history_as_that_seat_knows_it(server):
    session = server.begin("kuhn-poker", mode="analysis")
    with join(server, session) as client:
        client.act(client.now["gestures"][0]["action"])
        client.say("view", seat=1)
        client.until(viewer=1)
        assert client.states[-1]["moves"]["keep"] == 0 and len(client.states[-1]["moves"]["add"]) == 1


def test_the_screen_that_is_passed_on_gets_the_history_anew(server):
    session = server.begin("kuhn-poker", PERSON, PERSON)
    with join(server, session) as client:
        for _ in range(2):
            client.say("ready")
            client.wait("state")
            assert client.states[-1]["moves"]["keep"] == 0
            client.act(client.now["gestures"][0]["action"])


def test_a_slow_client_whose_messages_were_dropped_still_has_every_move():
    live = LiveGame(spielbaum.load("connect-four"), "connect-four", [Seat("human")] * 2, seed=1)
    connection = Connection(None, 0)  # type: ignore[arg-type]

    def send_position() -> None:
        connection.send({"type": "state", "history": live.history(None)})

    async def read() -> list[dict[str, Any]]:
        return [await connection.next_message() or {} for _ in range(connection.outbox.qsize())]

    send_position()
    states = asyncio.run(read())
    for action in map(int, NOBODY_WINS):
        live.play(live.state.player, action)
        send_position()
        if live.ply == 1:
            for _ in range(OUTBOX):  # what follows pushes the first move out of the queue
                connection.send({"type": "pong"})
    states += [message for message in asyncio.run(read()) if message["type"] == "state"]
    assert len(states) == 40  # the first position, and all but the first of forty moves
    history: dict[str, list[Any]] = {}
    for state in states:
        history = updated(history, state)
    assert [move["ply"] for move in history["moves"]] == list(range(40))
