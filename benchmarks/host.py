"""Fifty games of spe_ed at once on one server: how long players wait, and whether anybody's answer comes too late.

Four sit at each table, on a board of 41 to 80 rows and columns as on the official server: four guests on real sockets
of this machine, or one guest and three bots that search. Guests think for up to half a second, any time equally likely,
and have one: nobody who keeps to that may miss a cut-off, and whether anybody did is told by the games in the store.
Measured is the time from the last answer of a table's guests to the state that follows; bots may still think then. The
server has a process of its own; guests whose game is over come again at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.child import begun, ended
from benchmarks.result import Result

GAMES, SEATS = 50, 4
BOT = "mcts:iterations=50"
THINKING = 0.5  # seconds at most
DEADLINE, GRACE = 1.0, 0.2
MEASURED = 60.0  # seconds; only games that are over tell who was late, and those of bots that search take half of it
ANSWERS = [f'{{"action":"{action}"}}' for action in ("change_nothing", "turn_left", "turn_right")]


def waiting(name: str, guests: int) -> Result:
    """What 99 % of the states came within after the last answer of so many guests at a table, in milliseconds."""
    return Result(f"spe_ed/{name}", float(np.percentile(measured(guests)[0], 99)), "ms")


def missed(name: str, guests: int) -> Result:
    """How many of all answers came too late for the server."""
    _, late, answers = measured(guests)
    return Result(f"spe_ed/{name}", late, f"of {answers} answers")


@functools.cache
def measured(guests: int) -> tuple[list[float], int, int]:
    """The milliseconds that every state took; how many answers were late, and of how many. Measured once."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/games.db"
        with running_host(store, wait=0 if guests == 1 else 5) as url:
            waits = asyncio.run(play(url, GAMES * guests))
        return waits, *lateness(store)


@contextlib.contextmanager
def running_host(store: str, wait: float) -> Iterator[str]:
    """The address of a server."""
    times = ["--deadline-min", DEADLINE, "--deadline-max", DEADLINE, "--grace", GRACE]
    seats = ["--players", SEATS, "--wait", wait, "--bot", BOT]
    arguments = ["spe_ed", "host", "--port", 0, "--store", store, *times, *seats]
    process = begun(f"from spielbaum.cli import main; main({list(map(str, arguments))!r})")
    try:
        assert process.stdout is not None
        found = re.search(r"ws://[\d.:]+/spe_ed", process.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        ended(process)


async def play(url: str, guests: int) -> list[float]:
    """Let all guests play for a while."""
    end = time.monotonic() + MEASURED
    answers: dict[int, float] = {}
    found: list[float] = []
    await asyncio.gather(*(guest(url, number, end, answers, found) for number in range(guests)))
    return found


async def guest(url: str, number: int, end: float, answers: dict[int, float], found: list[float]) -> None:
    """One guest, game after game; `answers` knows when the last one to a state was given, by the state's beginning."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    dice = random.Random(number)
    options: dict[str, Any] = {"proxy": None, "compression": None}
    while time.monotonic() < end:
        async with connect(f"{url}?key=guest{number}", **options) as socket:
            before = 0
            with contextlib.suppress(ConnectionClosed):
                async for text in socket:
                    if before in answers:
                        found.append(1000 * (time.perf_counter() - answers[before]))
                    if time.monotonic() > end:
                        break
                    beginning, _, rest = str(text).partition(',"you":')
                    before = hash(beginning)
                    if is_asked(beginning, rest):
                        await asyncio.sleep(dice.uniform(0, THINKING))
                        answers[before] = time.perf_counter()
                        await socket.send(dice.choices(ANSWERS, (8, 1, 1))[0])


def is_asked(beginning: str, rest: str) -> bool:
    """Whether a state wants an answer; its cells are not read."""
    players = json.loads(beginning[beginning.index('"players":') + len('"players":') :])
    return '"running":true' in rest and players[rest.partition(",")[0]]["active"]


def lateness(store: str) -> tuple[int, int]:
    """How many answers came too late, and how many there were."""
    from spielbaum.arena import Store

    with Store(store, create=False) as opened:
        batches = [batch for run in opened.runs() for batch in opened.batches(run.run, run.plan.load(), actions=False)]
    return int(sum(batch.late.sum() for batch in batches)), int(sum(batch.decisions.sum() for batch in batches))
