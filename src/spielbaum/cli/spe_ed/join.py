"""`spielbaum spe_ed join`: play on a server of the InformatiCup 2021, or on one that speaks like it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import Seed
from spielbaum.cli.interrupt import in_order
from spielbaum.cli.serve import listening
from spielbaum.cli.streams import complain
from spielbaum.text import cleaned

if TYPE_CHECKING:
    from spielbaum.online.event_stream import EventStream

SWITCH = 0.0005  # seconds after which a thread that thinks lets the one that answers go on
BROKEN = 1  # exit code: a game did not go as the protocol has it


def command(
    url: Annotated[str, typer.Option("--url", envvar="URL", metavar="ws://…", help="Where games are played.")],
    key: Annotated[str, typer.Option("--key", envvar="KEY", metavar="KEY", help="Who we are to the server.")],
    time_url: Annotated[
        str, typer.Option("--time-url", envvar="TIME_URL", metavar="http://…", help="Where the server tells its time.")
    ],
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="SPEC", help="Who plays.", show_default="tyr, on all cores but one")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games to play, one after the other.")] = 1,
    margin: Annotated[
        float,
        typer.Option("--margin", min=-2.0, max=10.0, help="Seconds before the deadline at which an answer is given."),
    ] = 0.3,
    log: Annotated[
        pathlib.Path | None,
        typer.Option("--log", metavar="FILE.jsonl", help="Add every game to this file, as 'spe_ed verify' reads it."),
    ] = None,
    stage: Annotated[
        int | None,
        typer.Option("--stage", metavar="PORT", min=0, max=65535, help="Show the games on a Stage at this port."),
    ] = None,
    seed: Seed = 0,
) -> int:
    """Wait in the lobby of a server and play; exit code 1 when a server breaks off or lies, 2 when it refuses us."""
    from spielbaum.agents import freeze_spec
    from spielbaum.agents.warm_up import warm
    from spielbaum.cli.output import writing
    from spielbaum.game import load
    from spielbaum.online.client import Client
    from spielbaum.online.clock import ServerClock
    from spielbaum.online.records import Log
    from spielbaum.online.validation import Fault

    game = load("spe-ed", players=2)
    spec = freeze_spec(agent or our_best(), game)
    clock = ServerClock(time_url)
    with writing(log) if log is not None else contextlib.nullcontext():
        record = None if log is None else Log(log)
    warm(game, spec)  # compiling takes longer than a server waits
    gc.collect()
    gc.freeze()  # and so does looking for garbage among all that a compiler leaves
    sys.setswitchinterval(SWITCH)
    with in_order(), staged(stage, spec) as stream:
        client = Client(url, key, clock, spec, seed, margin, record, stream, say=tell, warn=warn)
        try:
            for number in range(1, games + 1):
                result = asyncio.run(client.play())
                told = "" if result.complete else "; the server closed the connection before the end"
                tell(f"game {number}: place {result.place} of {result.players} after {result.rounds} rounds{told}")
        except Fault as error:
            return complain(str(error), BROKEN)
        finally:
            if record is not None:
                record.close()
    return BROKEN if client.doubts else 0


def our_best() -> str:
    """Our best player, on all cores but one, which is left to answer in time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return f"tyr:threads={max(1, cores - 1)}"


@contextlib.contextmanager
def staged(port: int | None, title: str) -> Iterator[Callable[[], EventStream] | None]:
    """What shows a game that begins on the Stage; nothing without a port."""
    if port is None:
        yield None
        return
    from spielbaum.online.event_stream import EventStream, EventStreams
    from spielbaum.online.stage import serve_stage

    streams = EventStreams()
    listening("127.0.0.1", port).close()  # says what is wrong with a port
    with serve_stage(streams, port) as address:
        tell(f"the Stage is at {address}#/stage")
        yield lambda: streams.add(EventStream(title))


def tell(line: str) -> None:
    print(cleaned(line, "?"), flush=True)


def warn(line: str) -> None:
    print(cleaned(line, "?"), file=sys.stderr, flush=True)
