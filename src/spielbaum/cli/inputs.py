"""What several commands take: a game with its options, moves, a seed."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.foreign import read_text

if TYPE_CHECKING:
    from spielbaum.game import Game

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A built-in game, or the path of a game's file.")]
Options = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option of the game; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Moves = Annotated[
    list[str],
    typer.Option(
        "--moves",
        metavar="MOVES",
        help="Moves to play first, in the game's notation, separated by spaces or by commas; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Position = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE|TEXT",
        help="A position to begin from, in the game's own way of writing, or a file that holds it.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of all random numbers.")]
DEFAULT_STORE = "spielbaum.db"
StoreFile = Annotated[str, typer.Option("--store", metavar="FILE", help="The file that stores games.")]
Workers = Annotated[
    str, typer.Option("--workers", metavar="N|ray[:ADDRESS]", help="How many processes play, or a Ray cluster.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue the newest such run where it stopped, if there is one.")
]
RunNumber = Annotated[int, typer.Argument(metavar="RUN", help="The number of a run; 'spielbaum runs' lists them.")]
Games = Annotated[
    list[str],
    typer.Argument(
        metavar="[GAME]...",
        help="Names or paths; all built-in games if none.",
        default_factory=list,
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def load_game(name: str, options: list[str]) -> Game:
    """The game with its options set."""
    from spielbaum.game import load
    from spielbaum.params import parse_assignments

    return load(name, **parse_assignments(options))


def read_position(given: str | None) -> str | None:
    """The text of a position, from a file where there is one of that name."""
    if given is None or "\n" in given:
        return given
    try:
        path = pathlib.Path(given)
        return read_text(path) if path.is_file() else given
    except OSError:  # a text that is too long for a name
        return given
