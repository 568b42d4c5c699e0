"""How long players wait for the server while many of them play and two searches keep it busy.

So many people sit at as many sessions of one game, alone at their screens, and play all seats by random moves. Each
thinks for two to five seconds, any time equally likely, before every move; two more sessions hold a search that runs
at full speed all the while. Measured is the time from the dispatch of a request (a move, or taking over the screen) to
the arrival of the position that answers it: on real sockets of this machine, as a browser would talk, with the server
in a process of its own. Players who have finished begin again, which is not counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import pathlib
import random
import re
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.child import begun, ended
from benchmarks.result import Result

PLAYERS = 200
THINKING = 2.0, 5.0  # seconds between two moves of a player, from … to
MEASURED = 20.0  # seconds
BUSY = "connect-four"  # what the two searches are about
PERSON, THINKER = {"kind": "human"}, {"kind": "agent", "spec": "mcts:seconds=60"}


def serve(game: str, folder: str) -> None:
    """In a process of its own: a server that tells its address."""
    from spielbaum.web.app import create_server, listen
    from spielbaum.web.settings import Settings

    door = listen("127.0.0.1", 0)
    port = door.getsockname()[1]
    settings = Settings(tuple({game, BUSY}), pathlib.Path(folder), searches=2, seconds=60.0)
    server = create_server(settings, "127.0.0.1", port)
    print(f"127.0.0.1:{port}", flush=True)
    server.run(sockets=[door])


@contextlib.contextmanager
def running_server(game: str) -> Iterator[str]:
    """The address of a server for one game."""
    with tempfile.TemporaryDirectory() as folder:
        process = begun(f"from benchmarks.web import serve; serve({game!r}, {folder!r})")
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            ended(process)


def wait_under_load(game: str, percent: int, players: int = PLAYERS) -> Result:
    """What so many percent of all requests of a game's players were answered within, in milliseconds."""
    many = "" if players == PLAYERS else f"-{players}"
    return Result(f"web/{game}{many}-p{percent}", float(np.percentile(waits(game, players), percent)), "ms")


@functools.cache
def waits(game: str, players: int) -> list[float]:
    """The milliseconds that every request took, measured once."""
    with running_server(game) as address:
        return asyncio.run(play(address, game, players))


async def play(address: str, game: str, players: int) -> list[float]:
    import httpx

    found: list[float] = []
    async with contextlib.AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://{address}", timeout=60))
        people = [await Player.seated(stack, http, game, number) for number in range(players)]
        for number in range(2):
            busy = await Player.seated(stack, http, BUSY, number, [THINKER, PERSON])
            while '"search":{' not in await busy.hear("thinking"):
                pass
        end = time.monotonic() + MEASURED
        await asyncio.gather(*(person.play_until(end, found) for person in people))
    return found


class Player:
    """A person with a browser, as far as the server can tell. Positions are not read beyond their legal moves."""

    def __init__(self, socket: Any, number: int):
        self.socket, self.dice, self.now = socket, random.Random(number), ""

    @classmethod
    async def seated(
        cls, stack: contextlib.AsyncExitStack, http: Any, game: str, number: int, seats: list[Any] | None = None
    ) -> Player:
        """A player who is connected to a new session."""
        from websockets.asyncio.client import connect

        chosen = {} if seats is None else {"seats": seats}
        if seats is None:
            setup = (await http.get(f"/api/games/{game}")).json()
            chosen = {"seats": [PERSON] * len(setup["seats"])}
        session = (await http.post("/api/sessions", json={"game": game, **chosen})).json()
        place = f"ws://{http.base_url.netloc.decode()}/api/sessions/{session['session']}/socket"
        options: dict[str, Any] = {"proxy": None, "max_queue": None, "max_size": None}
        player = cls(await stack.enter_async_context(connect(place, **options)), number)
        await player.socket.send(json.dumps({"type": "hello", "token": session["token"]}))
        player.now = await player.hear("state", "pass-screen")
        return player

    async def hear(self, *kinds: str) -> str:
        """The next message of some kinds, as text."""
        while True:
            message: str = await self.socket.recv()
            if message.startswith(tuple(f'{{"type":"{kind}"' for kind in kinds)):
                return message

    async def play_until(self, end: float, found: list[float]) -> None:
        """Move again and again, and note how long it took."""
        await asyncio.sleep(self.dice.uniform(0, THINKING[1]))
        while time.monotonic() < end:
            request = self.next_request()
            begin = time.perf_counter()
            await self.socket.send(json.dumps(request))
            self.now = await self.hear("state", "pass-screen")
            if request["type"] != "restart":
                found.append(1000 * (time.perf_counter() - begin))
            if request["type"] != "ready":
                await asyncio.sleep(self.dice.uniform(*THINKING))

    def next_request(self) -> dict[str, Any]:
        """A random move; or what has to come before it."""
        if self.now.startswith('{"type":"pass-screen"'):
            return {"type": "ready"}
        actions = re.findall(r'"action":(\d+)', self.now[self.now.index('"gestures":') : self.now.index('"chosen":')])
        rev = re.search(r'"rev":(\d+)', self.now)
        if not actions or rev is None:
            return {"type": "restart"}
        return {"type": "act", "rev": int(rev[1]), "action": int(self.dice.choice(actions))}
