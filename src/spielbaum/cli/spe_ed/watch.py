"""`spielbaum spe_ed watch`: recorded games, or a game between agents, on the Stage in a browser."""

from __future__ import annotations

import pathlib
import re
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.extras import require
from spielbaum.cli.inputs import Options, Seed
from spielbaum.cli.serve import HERE, listening, open_browser
from spielbaum.cli.streams import complain
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielbaum.online.event_stream import EventStreams

NEXT = re.compile(r",\s*(?=(?:\d+\s*\*\s*)?[\w-]+\s*(?:$|:|,))")  # a comma that is not within a specification
COUNT = re.compile(r"(\d+)\s*\*\s*")


def command(
    option: Options,
    file: Annotated[
        pathlib.Path | None,
        typer.Argument(metavar="FILE", help="Recorded games as JSON lines, packed by gzip or not."),
    ] = None,
    game: Annotated[
        int | None, typer.Option("--game", min=1, help="Only this one of them.", show_default="all")
    ] = None,
    think: Annotated[
        str | None,
        typer.Option(
            "--think", metavar="AGENT", help="Show what this agent would have had in mind.", show_default="nobody"
        ),
    ] = None,
    player: Annotated[int, typer.Option("--player", min=1, max=6, help="In the place of this player.")] = 1,
    agents: Annotated[
        str | None,
        typer.Option("--agents", metavar="AGENT,…", help="Instead: who plays a game now, such as 'mcts,2*random'."),
    ] = None,
    seed: Seed = 0,
    pace: Annotated[float, typer.Option("--pace", min=0.0, help="Seconds that a round takes at least.")] = 0.3,
    patience: Annotated[
        float,
        typer.Option("--patience", min=0.0, help="Seconds in which a person answers who has taken over a player."),
    ] = 1.0,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8322,
    host: Annotated[str, typer.Option("--host", help="The address to listen on; 0.0.0.0 is open to all.")] = HERE[0],
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Look at recorded games, or at one between agents, and take players over."""
    if (file is None) == (agents is None):
        raise SpielbaumError("give a file with recorded games, or --agents who play one now")
    require("web")
    from spielbaum.online.event_stream import EventStreams
    from spielbaum.online.stage import address_of, create_stage

    streams, work = EventStreams(), None
    if file is not None:
        work = put_records(streams, file, game, think, player - 1)
    elif think is not None:
        raise SpielbaumError("--think is for recorded games; agents that play show what they think anyway")
    else:
        work = new_match(streams, agents_of(agents or ""), option, seed, pace, patience)
    door = listening(host, port)
    threading.Thread(target=work, daemon=True).start()
    only = f"/{next(iter(streams))}" if len(streams) == 1 else ""
    address = f"{address_of(door)}#/stage{only}"
    print(f"The Stage is at {address} (Ctrl-C ends it)", flush=True)
    if not no_open:
        open_browser(address)
    create_stage(streams, host, port).run(sockets=[door])


def put_records(
    streams: EventStreams, file: pathlib.Path, number: int | None, think: str | None, player: int
) -> Callable[[], None]:
    """Recorded games on the Stage, all of them or one; what is left to do is to think them through."""
    from spielbaum.agents import resolve
    from spielbaum.online.local_stage import recorded, think_through
    from spielbaum.online.records import game_of, read

    records = list(read(file))
    if number is not None and number > len(records):
        raise SpielbaumError(f"there is no game {number} in {file}, which has {len(records)}")
    chosen = records if number is None else records[number - 1 : number]
    for record in chosen if think is not None else ():
        played = game_of(record)
        resolve(think or "", played)
        if player >= played.players:
            raise SpielbaumError(f"--player {player + 1} is not in a game of {played.players}")
    shown = [(record, streams.add(recorded(record))) for record in chosen]

    def work() -> None:
        for record, stream in shown if think is not None else ():
            think_through(record, think or "", player, stream)

    return work


def agents_of(text: str) -> list[str]:
    """The specification of each player.

    >>> agents_of("mcts:c=1,iterations=50,2*random")
    ['mcts:c=1,iterations=50', 'random', 'random']
    """
    found: list[str] = []
    for part in NEXT.split(text):
        count = COUNT.match(part)
        found += [COUNT.sub("", part, count=1)] * (int(count[1]) if count else 1)
    return found


def new_match(
    streams: EventStreams, specs: list[str], option: list[str], seed: int, pace: float, patience: float
) -> Callable[[], None]:
    """A game between agents, ready to be played."""
    from spielbaum.agents import freeze_spec
    from spielbaum.arena.single import make_agents
    from spielbaum.game import load
    from spielbaum.online.event_stream import EventStream
    from spielbaum.online.local_stage import play_on_stage
    from spielbaum.params import parse_assignments

    played = load("spe-ed", **{"players": len(specs), **parse_assignments(option)})
    specs = [freeze_spec(spec, played) for spec in specs]
    agents = make_agents(played, specs, seed)
    stream = streams.add(EventStream(", ".join(dict.fromkeys(specs)), names=specs))

    def play() -> None:
        try:
            play_on_stage(played, agents, stream, seed, pace, patience)
        except Exception as error:  # an agent's own code, which may raise anything
            complain(f"the game has ended: {type(error).__name__}: {error}", 1)
            stream.end()

    return play
