"""`spielbaum match`: many games between agents, and what the result means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, GameName, Json, Options, Resume, Seed, StoreFile, Workers, load_game
from spielbaum.cli.output import print_json
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.game import Game


SecondsPerMove = Annotated[
    float | None,
    typer.Option("--seconds-per-move", metavar="SECONDS", help="The time for each move.", show_default="as agents say"),
]
GameClock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="SECONDS[+INCREMENT]",
        help="The time of each player for a game, and what each move adds to it.",
        show_default="none",
    ),
]
LoseOnTime = Annotated[
    bool,
    typer.Option(
        "--lose-on-time", help="A player who exceeds the time loses the game; otherwise late moves are only counted."
    ),
]

MoveLimit = Annotated[
    float | None,
    typer.Option(
        "--move-limit",
        metavar="SECONDS",
        help="An agent that takes longer for a move is killed and forfeits the game, whether it heeds clocks or not.",
        show_default="none",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop when an agent forfeits a game, instead of going on.")]


def command(
    game: GameName,
    option: Options,
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="SEAT=AGENT",
            help="The agent that begins in a seat; one per seat.",
            default_factory=list,
            show_default=False,
        ),
    ],
    groups: Annotated[
        list[str],
        typer.Option(
            "--agents",
            metavar="COUNT*AGENT,…",
            help="Instead of --seat: how many seats each agent has, such as '2*random,2*greedy'; repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 100,
    seed: Seed = 0,
    no_rotate: Annotated[bool, typer.Option("--no-rotate", help="Every agent stays in its seat.")] = False,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening",
            min=0,
            help="Random moves at the start; games that differ only by seats share them.",
            show_default="0, with --sprt 2",
        ),
    ] = None,
    metrics: Annotated[bool, typer.Option("--metrics", help="Record the game's metrics in every round.")] = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="elo0=0,elo1=10,alpha=0.05,beta=0.05", help="Stop as soon as this sequential test is decided."
        ),
    ] = None,
    seconds_per_move: SecondsPerMove = None,
    clock: GameClock = None,
    lose_on_time: LoseOnTime = False,
    move_limit: MoveLimit = None,
    strict: Strict = False,
    workers: Workers = "1",
    store: StoreFile = DEFAULT_STORE,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Play a match; the seats rotate, so that every assignment comes up equally often, unless the sides differ."""
    from spielbaum.arena import Sprt, Store, match, summarize
    from spielbaum.arena.clocks import parse_control
    from spielbaum.arena.matches import parse_groups
    from spielbaum.cli.progress import progress_bar
    from spielbaum.cli.results import print_result

    played = load_game(game, option)
    if groups and seat:
        raise SpielbaumError("give either --agents or --seat, not both")
    counts, agents = parse_groups(groups) if groups else ([], seated(played, seat))
    test = None if sprt is None else Sprt.parse(sprt)
    control = parse_control(seconds_per_move, clock, lose_on_time)
    with Store(store) as opened, progress_bar() as watch:
        run = match(
            played,
            agents,
            games,
            seed,
            counts=counts,
            rotate=False if no_rotate else None,
            opening=opening,
            rounds=metrics,
            sprt=test,
            control=control,
            move_limit=move_limit,
            strict=strict,
            workers=workers,
            store=opened,
            resume=resume,
            watch=watch,
        )
    data = summarize(run)
    print_json(data) if as_json else print_result(data, played.title)


def seated(game: Game, given: list[str]) -> list[str]:
    """The agent of each seat."""
    from spielbaum.params import parse_assignments

    chosen = game.seated({name: str(spec) for name, spec in parse_assignments(given, "SEAT=AGENT").items()})
    missing = [name for player, name in enumerate(game.seats) if player not in chosen]
    if missing:
        raise SpielbaumError(f"no agent for seat {missing[0]!r} of {game.name}; give --seat {missing[0]}=AGENT")
    return [chosen[player] for player in range(game.players)]
