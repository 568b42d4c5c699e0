"""`spielbaum check`: does a game keep the laws of the protocol? The first thing that an author uses."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import GameName, Json, Options, Seed, load_game
from spielbaum.cli.output import print_json, print_table
from spielbaum.cli.progress import stages

if TYPE_CHECKING:
    from spielbaum.testing import Verdict


def command(
    game: GameName,
    option: Options,
    games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 50,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.0, help="The time for it; the most telling comes first.")
    ] = 60.0,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Check a game against the laws of the protocol; exit code 1 when one is broken."""
    from spielbaum.testing import check

    played = load_game(game, option)
    with stages() as watch:
        verdicts = check(played, games=games, seed=seed, seconds=seconds, watch=watch)
    if as_json:
        facts = {"game": played.name, "options": played.options, "games": games, "seed": seed}
        print_json({**facts, "verdicts": [asdict(verdict) for verdict in verdicts]})
    else:
        print_table(("law", "verdict", "what it says"), [row(verdict) for verdict in verdicts])
    return int(any(verdict.status == "broken" for verdict in verdicts))


def row(verdict: Verdict) -> tuple[str, str, str]:
    """The law itself, or why not and how to see that again."""
    says = verdict.reason or verdict.description
    if verdict.status == "broken":
        says += f" (seed {verdict.seed}, moves: {' '.join(verdict.moves) or 'none'})"
    return verdict.law, verdict.status, says
