"""A real server in a thread, and a client that speaks to it over real sockets."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx
from websockets.sync.client import connect

from spielbaum.game import Game
from spielbaum.online.event_stream import EventStreams
from spielbaum.online.stage import stage_router
from spielbaum.web.app import create_server, listen
from spielbaum.web.live_game import Seat
from spielbaum.web.seating import seeds
from spielbaum.web.settings import Settings
from tests.patience import PATIENCE, Deadline, wait_for

PERSON = {"kind": "human"}


def agent(spec: str) -> dict[str, Any]:
    """An agent's seat."""
    return {"kind": "agent", "spec": spec}


def any_seeds(game: Game, seats: list[Seat], chosen: int | None) -> tuple[int, int]:
    """Tests choose what chance decides for people, too."""
    return seeds(game, seats, None) if chosen is None else (chosen, chosen)


class Server:
    """A server with a port of its own."""

    def __init__(self, settings: Settings, streams: EventStreams | None = None):
        self.door = listen("127.0.0.1", 0)
        self.port = self.door.getsockname()[1]
        stage = None if streams is None else stage_router(streams, settings)
        self.server = create_server(settings, "127.0.0.1", self.port, stage)
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.door]), daemon=True)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE)

    def __enter__(self) -> Server:
        self.thread.start()
        wait_for(lambda: self.server.started or not self.thread.is_alive())
        assert self.thread.is_alive()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.http.close()

    def begin(self, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
        """A new session."""
        source = {} if {"record", "record_id", "stored", "from"} & set(more) else {"game": game}
        body = {**source, **({"seats": list(seats)} if seats else {}), **more}
        with mock.patch("spielbaum.web.session_manager.seeds", any_seeds):
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


def updated(history: dict[str, list[Any]], state: dict[str, Any]) -> dict[str, list[Any]]:
    """The lists of a game's history after a state message, which brings what is new in each of them."""
    lists = {name: state[name] for name in ("moves", "curve", "scores")}
    assert all(new["keep"] <= len(history.get(name, [])) for name, new in lists.items())
    return {name: [*history.get(name, [])[: new["keep"]], *new["add"]] for name, new in lists.items()}


class Client:
    """A connection; `heard` keeps every message that came, `patience` is for all that it hears in one wait."""

    patience = PATIENCE

    def __init__(self, port: int, session: str, token: str):
        self.open(port, session)
        self.say("hello", token=token)
        self.welcome = self.wait("welcome")
        self.now = self.wait("state", "pass-screen")

    def open(self, port: int, session: str, origin: Any = None) -> None:
        """Connect without saying who it is."""
        address = f"ws://127.0.0.1:{port}/api/sessions/{session}/socket"
        unlimited = {"max_size": None, "max_queue": None, "open_timeout": PATIENCE}
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(connect(address, proxy=None, origin=origin, **unlimited))
        self.heard: list[dict[str, Any]] = []
        self.history: dict[str, list[Any]] = {}
        self.now: dict[str, Any] = {}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(seconds))
        if message["type"] == "state":
            self.history = updated(self.history, message)
            message |= self.history
        self.heard.append(message)
        if message["type"] in ("state", "pass-screen"):
            self.now = message
        return message

    def hear_until(self, what: object, is_it: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first message from now on that is it, however much else is said meanwhile."""
        deadline = Deadline(self.patience)
        while True:
            left = deadline.left(f"{what}; the last words were {self.heard[-1:]}")
            with contextlib.suppress(TimeoutError):
                if is_it(message := self.hear(left)):
                    return message

    def wait(self, *kinds: str, such: Callable[[dict[str, Any]], Any] = bool, **fields: Any) -> dict[str, Any]:
        """The next message of some kinds that has these fields, and is such."""

        def is_it(message: dict[str, Any]) -> bool:
            has = all(message.get(name) == value for name, value in fields.items())
            return message["type"] in kinds and has and bool(such(message))

        return self.hear_until((kinds, fields), is_it)

    def ask(self, kind: str, *answers: str, **fields: Any) -> dict[str, Any]:
        """Send a message and wait for its answer, a refusal included."""
        self.say(kind, id=7, **fields)
        return self.wait(*answers, "error", re=7)

    def act(self, action: int) -> dict[str, Any]:
        """Make a move in the position last shown; the position after it, or the refusal."""
        rev = self.now["rev"]
        self.say("act", rev=rev, action=action)
        return self.wait("error", "state", "pass-screen", such=lambda message: message.get("rev", rev + 1) > rev)

    def until_mine(self) -> dict[str, Any]:
        """The first state from now on in which this client is to move, or the end."""
        return self.until_state("a move or the end", lambda now: now["gestures"] or now["over"])

    def until(self, **fields: Any) -> dict[str, Any]:
        """The present state, or the first one from now on, that has these fields."""
        return self.until_state(fields, lambda now: all(now.get(name) == value for name, value in fields.items()))

    def until_state(self, what: object, is_it: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The present state, or the first one from now on, that is it."""
        if self.now["type"] != "state" or not is_it(self.now):
            self.hear_until(what, lambda message: message["type"] == "state" and is_it(message))
        return self.now
