"""`spielbaum spe_ed host`: a server for spe_ed."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import secrets
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, StoreFile
from spielbaum.cli.serve import HERE, listening

if TYPE_CHECKING:
    import socket

    from spielbaum.online.host import Host, Staging


def command(
    bot: Annotated[
        list[str],
        typer.Option(
            "--bot",
            metavar="AGENT",
            help="Who takes empty seats; several share them at random.",
            default_factory=list,
            show_default="siegfried",
        ),
    ],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8323,
    host: Annotated[str, typer.Option("--host", help="The address to listen on; 0.0.0.0 is open to all.")] = HERE[0],
    keys: Annotated[
        pathlib.Path | None,
        typer.Option(
            "--keys", metavar="FILE", help="A key and a name a line.", show_default="any key, which is the name"
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=6, help="How many play.", show_default="drawn from 2 to 6")
    ] = None,
    wait: Annotated[
        float, typer.Option("--wait", min=0, help="Seconds until bots take the seats that are empty.")
    ] = 300.0,
    width: Annotated[
        int | None, typer.Option("--width", min=5, max=200, help="Columns.", show_default="drawn from 41 to 80")
    ] = None,
    height: Annotated[
        int | None, typer.Option("--height", min=5, max=200, help="Rows.", show_default="drawn from 41 to 80")
    ] = None,
    deadline_min: Annotated[float, typer.Option("--deadline-min", help="The shortest deadline, in seconds.")] = 5.0,
    deadline_max: Annotated[float, typer.Option("--deadline-max", help="The longest deadline, in seconds.")] = 15.0,
    grace: Annotated[float, typer.Option("--grace", help="Seconds from the deadline to the cut-off.")] = 2.0,
    fractions: Annotated[
        bool | None,
        typer.Option(
            "--fractions/--whole-seconds",
            help="Tell deadlines in milliseconds, or as the official server does.",
            show_default="whole seconds, milliseconds where deadlines can be shorter than 2 s",
        ),
    ] = None,
    abrupt: Annotated[
        bool, typer.Option("--abrupt", help="End connections without a close frame, as the official server does.")
    ] = False,
    games: Annotated[
        int | None, typer.Option("-n", "--games", min=1, help="End after so many games.", show_default="never")
    ] = None,
    stage: Annotated[
        int | None,
        typer.Option("--stage", metavar="PORT", min=0, max=65535, help="Show the games on a Stage, too, at this port."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Decides everything that chance decides.", show_default="always another"),
    ] = None,
    store: StoreFile = DEFAULT_STORE,
) -> None:
    """Let others play spe_ed here, by the protocol of the InformatiCup 2021."""
    from spielbaum.agents import freeze_spec
    from spielbaum.cli.interrupt import in_order
    from spielbaum.game import load
    from spielbaum.online.host import Host, Settings
    from spielbaum.online.match import Times
    from spielbaum.web.live_game import SEED_BITS

    settings = Settings(
        bots=[freeze_spec(spec, load("spe-ed")) for spec in bot] or Settings.bots,
        players=players,
        width=width,
        height=height,
        wait=wait,
        times=Times(deadline_min, deadline_max, grace, fractions),
        keys=keys,
        seed=secrets.randbits(SEED_BITS) if seed is None else seed,
        games=games,
        abrupt=abrupt,
        store=store,
    )
    with listening(host, port) as door, staged(host, stage) as staging:
        server = Host(settings, say, staging)
        server.warm_up()
        with in_order():
            asyncio.run(run(server, door))


@contextlib.contextmanager
def staged(host: str, port: int | None) -> Iterator[Staging | None]:
    """The Stage, where one is wanted; only who sits at this computer may take over bots."""
    from spielbaum.online.event_stream import EventStreams
    from spielbaum.online.host import Staging
    from spielbaum.online.stage import serve_stage

    if port is None:
        yield None
        return
    streams = EventStreams()
    with serve_stage(streams, port, host) as address:
        say(f"The Stage is at {address}#/stage")
        yield Staging(streams, int(address.rstrip("/").rpartition(":")[2]), hands=host in HERE)


async def run(host: Host, door: socket.socket) -> None:
    """Serve until enough games are over or somebody ends it, and tell where."""
    from spielbaum.online.stage import address_of

    with contextlib.suppress(NotImplementedError):  # Windows has no such signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, host.finished.set)
    address = address_of(door).removeprefix("http://").rstrip("/")
    say(f"spe_ed is played at ws://{address}/spe_ed?key=KEY, the time is at http://{address}/spe_ed_time")
    say(f"Games and ratings are shown at http://{address}/ (seed {host.settings.seed}; Ctrl-C ends it)")
    try:
        await host.serve(door)
    finally:
        say(f"{host.store.stored} games are in {host.settings.store}")


def say(line: str) -> None:
    print(line, flush=True)
