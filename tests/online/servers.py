"""Small servers on real sockets: one that plays by the official rules, and whatever else a test wants to say."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import threading
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

import numpy as np
from websockets.asyncio.server import Request, Response, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

import spielbaum
from spielbaum.games.spe_ed.cells import paint
from spielbaum.games.spe_ed.rules import ACROSS, ALONG
from spielbaum.games.spe_ed.tables import DIRECTIONS
from spielbaum.online.records import Record, add_round, begun, places_of, play_round

Script = Callable[[ServerConnection], Awaitable[None]]
PATIENCE = 20.0


class Server:
    """Runs a script for every connection, in a thread; `/time` tells the time, and a key may be refused."""

    def __init__(self, script: Script, *, ahead: float = 0.0, statuses: tuple[int, ...] = ()):
        self.script, self.ahead, self.statuses = script, ahead, list(statuses)
        self.heard: list[Any] = []
        self.keys: list[str] = []
        self.times = 0
        self.loop = asyncio.new_event_loop()
        self.ready, self.over = threading.Event(), asyncio.Event()
        self.thread = threading.Thread(target=lambda: self.loop.run_until_complete(self.run()), daemon=True)

    def __enter__(self) -> Server:
        self.thread.start()
        assert self.ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(PATIENCE)

    async def run(self) -> None:
        async with serve(self.serve_one, "127.0.0.1", 0, process_request=self.asked, max_size=None) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self.ready.set()
            await self.over.wait()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/spe_ed"

    @property
    def time_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/time"

    @property
    def arguments(self) -> list[str]:
        """What `spe_ed join` takes to find this server."""
        return ["--url", self.url, "--key", "the key", "--time-url", self.time_url]

    def asked(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/time":
            self.times += 1
            seconds = time.time() + self.ahead
            told = {"time": moment(seconds), "milliseconds": int(seconds % 1 * 1000)}
            return connection.respond(HTTPStatus.OK, json.dumps(told))
        self.keys.append(request.path.partition("key=")[2])
        if self.statuses and (status := self.statuses.pop(0)) != HTTPStatus.OK:
            return connection.respond(HTTPStatus(status), "no")
        return None

    async def serve_one(self, socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.script(socket)


def moment(seconds: float, *, fractions: bool = False) -> str:
    """A time as the protocol writes it."""
    found = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return found.isoformat(timespec="milliseconds" if fractions else "seconds").replace("+00:00", "Z")


def state_message(s: Any, cells: np.ndarray, players: int, *, deadline: str | None, you: int = 1) -> dict[str, Any]:
    """A state as the official server tells it; without a deadline the last one, with names."""
    fields = ("x", "y", "direction", "speed", "active")
    state: dict[str, Any] = {
        "width": int(s.width),
        "height": int(s.height),
        "cells": cells.tolist(),
        "players": {
            number: dict(zip(fields, place, strict=True)) | ({} if deadline else {"name": f"bot {number}"})
            for number, place in places_of(s, players).items()
        },
        "you": you,
        "running": deadline is not None,
    }
    return state | ({"deadline": deadline} if deadline else {})


class Official:
    """A game by the rules between one client, who is player 1, and bots that ride on while they can.

    `seconds` are the deadlines, in whole seconds from a second on; `lie` is by how much they are announced too late.
    """

    def __init__(self, players: int = 2, side: int = 16, seconds: float = 5.0, lie: float = 0.0, seed: int = 0):
        options = {"players": players, "width": side, "height": side, "start": "symmetric", "silence": True}
        self.game = spielbaum.load("spe-ed", **options)
        self.players, self.seconds, self.lie, self.seed = players, seconds, lie, seed
        self.records: list[Record] = []
        self.delays: list[float] = []  # from a state to its answer
        self.states, self.answers, self.missed = 0, 0, 0  # of the client while it was active

    async def __call__(self, socket: ServerConnection) -> None:
        state = self.game.new(self.seed + len(self.records))
        s = state.record
        cells = np.zeros((s.height, s.width), np.int8)
        for p in range(self.players):
            cells[s.y[p], s.x[p]] = p + 1
        names = {str(p + 1): f"bot {p + 1}" for p in range(self.players)}
        record = begun(f"game {len(self.records)}", names, places_of(s, self.players), cells)
        self.records.append(record)
        inbox = Inbox(socket)
        while not state.over:
            answers: dict[str, str | None] = {str(p + 1): riding_on(s, cells, p) for p in range(1, self.players)}
            answers["1"] = await self.ask(socket, inbox, s, cells)
            before = state.copy().record
            play_round(state, answers)
            paint(cells, before, s := state.record)
            add_round(record, answers, places_of(s, self.players), cells)
        await socket.send(json.dumps(state_message(s, cells, self.players, deadline=None)))
        self.answers += len(inbox.heard)
        await asyncio.sleep(0.05)
        socket.transport.abort()  # as the official one does: without a word

    async def ask(self, socket: ServerConnection, inbox: Inbox, s: Any, cells: np.ndarray) -> str | None:
        """The client's answer, if it comes in time."""
        begin = time.time()
        deadline = moment(begin + self.seconds + self.lie, fractions=self.seconds < 1)
        active, known = s.died[0] == 0, len(inbox.heard)
        await socket.send(json.dumps(state_message(s, cells, self.players, deadline=deadline)))
        if not active:
            await asyncio.sleep(0)
            return None
        self.states += 1
        while len(inbox.heard) == known and time.time() < begin + self.seconds + (2 if self.seconds >= 1 else 0):
            await inbox.wait(begin + self.seconds - time.time())
        if len(inbox.heard) == known:
            self.missed += 1
            return None
        at, message = inbox.heard[known]
        self.delays.append(at - begin)
        return str(json.loads(message)["action"])


class Inbox:
    """All messages of a connection with the times at which they came."""

    def __init__(self, socket: ServerConnection):
        self.heard: list[tuple[float, str | bytes]] = []
        self.socket, self.something = socket, asyncio.Event()
        self.task = asyncio.ensure_future(self.listen())

    async def listen(self) -> None:
        try:
            async for message in self.socket:
                self.heard.append((time.time(), message))
                self.something.set()
        except ConnectionClosed:
            pass

    async def wait(self, seconds: float) -> None:
        self.something.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.something.wait(), max(seconds, 0.001))


def riding_on(s: Any, cells: np.ndarray, p: int) -> str | None:
    """Straight on at speed 1 while that is possible, else around a corner; nothing from who is out."""
    if s.died[p]:
        return None
    for name, turn in (("change_nothing", 0), ("turn_left", 1), ("turn_right", 3)):
        direction = (int(s.direction[p]) + turn) % 4
        x, y = int(s.x[p]) + ACROSS[direction], int(s.y[p]) + ALONG[direction]
        if 0 <= x < s.width and 0 <= y < s.height and not cells[y, x]:
            return name
    return "change_nothing"


def a_state(**changed: Any) -> dict[str, Any]:
    """A first state of two players on a board of 10 x 8, and what is changed in it."""
    cells = np.zeros((8, 10), int)
    cells[2, 3], cells[5, 6] = 1, 2
    player = {"speed": 1, "active": True}
    state: dict[str, Any] = {
        "width": 10,
        "height": 8,
        "cells": cells.tolist(),
        "players": {
            "1": {"x": 3, "y": 2, "direction": DIRECTIONS[3], **player},
            "2": {"x": 6, "y": 5, "direction": DIRECTIONS[1], **player},
        },
        "you": 1,
        "running": True,
        "deadline": moment(time.time() + 5),
    }
    return state | changed


def a_second_state(**changed: Any) -> dict[str, Any]:
    """Both have moved on by a cell."""
    state = a_state()
    state["cells"][2][4], state["cells"][5][5] = 1, 2
    state["players"]["1"]["x"], state["players"]["2"]["x"] = 4, 5
    return state | changed


def a_third_state(**changed: Any) -> dict[str, Any]:
    """And by one more."""
    state = a_second_state()
    state["cells"][2][5], state["cells"][5][4] = 1, 2
    state["players"]["1"]["x"], state["players"]["2"]["x"] = 5, 4
    return state | changed
