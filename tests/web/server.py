"""A real server in a thread, and a client that speaks to it over real sockets."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from typing import Any
from unittest import mock

import httpx
from websockets.sync.client import connect

from spielbaum.game import Game
from spielbaum.games.spe_ed.online.feed import Feeds
from spielbaum.web.app import create_server, listen
from spielbaum.web.seating import seeds
from spielbaum.web.settings import Settings
from spielbaum.web.table import Seat

PATIENCE = 300.0  # seconds; the first search of a game may be compiled meanwhile, on a busy machine
PERSON = {"kind": "human"}


def agent(spec: str) -> dict[str, Any]:
    """An agent's seat."""
    return {"kind": "agent", "spec": spec}


def any_seeds(game: Game, seats: list[Seat], chosen: int | None) -> tuple[int, int]:
    """Tests choose what chance decides for people, too."""
    return seeds(game, seats, None) if chosen is None else (chosen, chosen)


class Server:
    """A server with a port of its own."""

    def __init__(self, settings: Settings, feeds: Feeds | None = None):
        self.door = listen("127.0.0.1", 0)
        self.port = self.door.getsockname()[1]
        self.server = create_server(settings, "127.0.0.1", self.port, feeds)
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.door]), daemon=True)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE)

    def __enter__(self) -> Server:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.http.close()

    def begin(self, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
        """A new session."""
        source = {} if {"record", "record_id", "stored", "from"} & set(more) else {"game": game}
        body = {**source, **({"seats": list(seats)} if seats else {}), **more}
        with mock.patch("spielbaum.web.sessions.seeds", any_seeds):
            answer = self.http.post("/api/sessions", json=body)
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    def join(self, session: dict[str, Any], token: str | None = None) -> Client:
        """A client that is connected to a session."""
        return Client(self.port, session["session"], token or session["token"])

    def play(self, game: str, *seats: dict[str, Any], **more: Any) -> Client:
        """A new session with its owner connected."""
        return self.join(self.begin(game, *seats, **more))

    def get_ready(self, game: str, players: int, spec: str, **more: Any) -> None:
        """Let the first search of its kind be over, which says more than those after it."""
        with self.play(game, *[PERSON] * players, **more) as client:
            client.say("ready")
            client.until_mine()
            assert client.ask("hint", "hint", spec=spec)["type"] == "hint"


class Client:
    """A connection; `heard` keeps every message that came."""

    def __init__(self, port: int, session: str, token: str):
        self.open(port, session)
        self.say("hello", token=token)
        self.welcome = self.wait("welcome")
        self.now = self.wait("state", "curtain")

    def open(self, port: int, session: str, origin: Any = None) -> None:
        """Connect without saying who it is."""
        address = f"ws://127.0.0.1:{port}/api/sessions/{session}/socket"
        unlimited = {"max_size": None, "max_queue": None, "open_timeout": PATIENCE}
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(connect(address, proxy=None, origin=origin, **unlimited))
        self.heard: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        self.heard.append(message)
        if message["type"] in ("state", "curtain"):
            self.now = message
        return message

    def wait(self, *kinds: str, **fields: Any) -> dict[str, Any]:
        """The next message of some kinds that has these fields."""
        while True:
            message = self.hear()
            if message["type"] in kinds and all(message.get(name) == value for name, value in fields.items()):
                return message

    def ask(self, kind: str, *answers: str, **fields: Any) -> dict[str, Any]:
        """Send a message and wait for its answer, a refusal included."""
        self.say(kind, id=7, **fields)
        return self.wait(*answers, "error", re=7)

    def act(self, action: int) -> dict[str, Any]:
        """Make a move in the position last shown; the position after it, or the refusal."""
        rev = self.now["rev"]
        self.say("act", rev=rev, action=action)
        while True:
            message = self.hear()
            if message["type"] == "error" or (message["type"] in ("state", "curtain") and message["rev"] > rev):
                return message

    def until_mine(self) -> dict[str, Any]:
        """The first state from now on in which this client is to move, or the end."""
        while self.now["type"] != "state" or not (self.now["gestures"] or self.now["over"]):
            self.hear()
        return self.now

    def until(self, **fields: Any) -> dict[str, Any]:
        """The present state, or the first one from now on, that has these fields."""
        while self.now["type"] != "state" or any(self.now.get(name) != value for name, value in fields.items()):
            self.hear()
        return self.now
