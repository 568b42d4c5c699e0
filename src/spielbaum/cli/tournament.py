"""`spielbaum tournament`: many agents, who is best, and is that significant?"""

from __future__ import annotations

from typing import Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, GameName, Json, Options, Resume, Seed, StoreFile, Workers, load_game
from spielbaum.cli.match import GameClock, LoseOnTime, MoveLimit, SecondsPerMove, Strict
from spielbaum.cli.output import print_json


def command(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="The agents that take part.")],
    option: Options,
    format: Annotated[
        str, typer.Option("--format", metavar="round-robin|swiss|gauntlet", help="Which agents meet.")
    ] = "round-robin",
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="Games of each group that meets.")] = 100,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, help="Rounds of the Swiss format.", show_default="as many as a knock-out has"),
    ] = None,
    opening: Annotated[int, typer.Option("--opening", min=0, help="Random moves at the start.")] = 0,
    seed: Seed = 0,
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
    """Play a tournament: cross table, ratings with errors, and which neighbours can be told apart."""
    from spielbaum.arena import Store, summarize, tournament
    from spielbaum.arena.clocks import parse_control
    from spielbaum.cli.progress import progress_bar
    from spielbaum.cli.results import print_result

    played = load_game(game, option)
    control = parse_control(seconds_per_move, clock, lose_on_time)
    with Store(store) as opened, progress_bar() as watch:
        run = tournament(
            played,
            agents,
            games,
            seed,
            format=format,
            rounds=rounds,
            opening=opening,
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
