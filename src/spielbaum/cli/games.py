"""`spielbaum games`: which games there are, and the options of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import params_data, print_json, print_params, print_table

if TYPE_CHECKING:
    from spielbaum.game import Game


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Show one game and its options; a name or a path.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the built-in and installed games, or the options of one game."""
    from spielbaum.game import load

    if game is not None:
        show_one(load(game), as_json)
    else:
        show_all(list(loadable().values()), as_json)


def loadable() -> dict[str, Game]:
    """All games that can be loaded, by their names; of others, which installed packages bring, a line is said."""
    from spielbaum.compile.notices import say
    from spielbaum.errors import GameError
    from spielbaum.game import load, names

    found = {}
    for name in names():
        try:
            found[name] = load(name)
        except GameError as error:
            say(f"{error}\n")
    return found


def show_all(games: list[Game], as_json: bool) -> None:
    if as_json:
        print_json([facts(game) for game in games])
        return
    rows = [(game.name, game.title, seats(game), game.about, ", ".join(properties(game))) for game in games]
    print_table(("name", "title", "players", "what it is", "with"), rows)


def show_one(game: Game, as_json: bool) -> None:
    if as_json:
        print_json(facts(game))
        return
    print(f"{game.title}: {game.about}")
    print(f"players: {seats(game)}" + "".join(f"; {name}" for name in properties(game)))
    for name, members in game.seat_groups.items():
        print(f"seat {name}: all of {', '.join(members)}")
    if game.params:
        print_params(game.params, game.options)
    else:
        print("no options")


def facts(game: Game) -> dict[str, Any]:
    """What there is to know about a game, for JSON."""
    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "players": game.players,
        "seats": list(game.seats),
        "groups": game.seat_groups,
        "chance": game.chance,
        "hidden": game.hidden,
        "simultaneous": game.simultaneous,
        "options": params_data(game.params, game.options),
    }


def seats(game: Game) -> str:
    """`2 (X, O)`, or the number alone where the seats have no names."""
    named = [seat for seat in game.seats if not seat.isdigit()]
    return f"{game.players} ({', '.join(named)})" if named else str(game.players)


def properties(game: Game) -> list[str]:
    """What makes the game harder to think through."""
    marks = {
        "chance": game.chance,
        "hidden information": game.hidden,
        "simultaneous moves": game.simultaneous,
    }
    return [mark for mark, present in marks.items() if present]
