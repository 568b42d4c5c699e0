"""How long a person waits for the server while others keep it busy.

Two searches run at full speed and two hundred sessions are open; in all of these people move, one session
after the other. Measured from a move's dispatch to the arrival of the new position, on real sockets, with the server
in a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from spielbaum.benchmarks.result import Result

SESSIONS, MOVES = 200, 6
GAME, ACTIONS = "connect-four", (3, 3, 3, 2, 2, 4)
PERSON, THINKER = {"kind": "human"}, {"kind": "agent", "spec": "mcts:seconds=25"}


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """The address of a server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "spielbaum", "serve", GAME, "--port", "0", "--no-open", "--data", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http://(\S+)/", process.stdout.readline())
            assert found is not None
            yield found[1]
        finally:
            process.terminate()
            process.wait()


def move_under_load() -> Result:
    """The 99th percentile of all moves, in milliseconds."""
    with running_server() as address:
        waits = sorted(asyncio.run(play(address)))
    return Result("web/move-p99", 1000 * waits[int(0.99 * len(waits))], "ms")


async def play(address: str) -> list[float]:
    """How long each move took."""
    import httpx

    async with contextlib.AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://{address}", timeout=60))
        busy = [await join(stack, http, [THINKER, PERSON]) for _ in range(2)]
        for thinker in busy:
            while (await hear(thinker, "thinking"))["search"] is None:
                pass
        people = [await join(stack, http, [PERSON, PERSON]) for _ in range(SESSIONS)]
        return [await move(person, rev, ACTIONS[rev]) for rev in range(MOVES) for person in people]


async def join(stack: contextlib.AsyncExitStack, http: Any, seats: list[dict[str, str]]) -> Any:
    """A connection to a new session."""
    from websockets.asyncio.client import connect

    session = (await http.post("/api/sessions", json={"game": GAME, "seats": seats})).json()
    place = f"ws://{http.base_url.netloc.decode()}/api/sessions/{session['session']}/socket"
    socket = await stack.enter_async_context(connect(place, proxy=None, max_queue=None))
    await socket.send(json.dumps({"type": "hello", "token": session["token"]}))
    await hear(socket, "state")
    return socket


async def hear(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == kind:
            return message


async def move(socket: Any, rev: int, action: int) -> float:
    begin = time.perf_counter()
    await socket.send(json.dumps({"type": "act", "rev": rev, "action": action}))
    await hear(socket, "state")
    return time.perf_counter() - begin
