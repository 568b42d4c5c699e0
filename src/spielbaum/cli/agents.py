"""`spielbaum agents`: who can play, and every parameter that they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import params_data, print_json, print_params, print_table

if TYPE_CHECKING:
    from spielbaum.game import Game


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Agents that fit a game; a name or a path.")
    ] = None,
    agent: Annotated[str | None, typer.Argument(metavar="[AGENT]", help="Show the parameters of one agent.")] = None,
    as_json: Json = False,
) -> None:
    """List agents: the general kinds, those of a game, or the parameters of one."""
    from spielbaum.agents.kinds import KINDS
    from spielbaum.game import load

    if game is None:
        show([{"name": kind.name, "help": kind.help} for kind in KINDS], as_json)
    elif agent is None:
        show(agents_of(load(game)), as_json)
    else:
        show_one(load(game), agent, as_json)


def agents_of(game: Game) -> list[dict[str, str]]:
    """The agents that a game names itself, its policies, and the general kinds that fit."""
    from spielbaum.agents import kinds, named

    own = [{"name": name, "help": spec, "spec": spec} for name, spec in named(game).items()]
    return own + [{"name": kind.name, "help": kind.help} for kind in kinds(game)]


def show(agents: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        print_json(agents)
    else:
        print_table(("agent", "what it is"), [(agent["name"], agent["help"]) for agent in agents])


def show_one(game: Game, spec: str, as_json: bool) -> None:
    from spielbaum.agents import resolve

    kind, values = resolve(spec, game)
    params = kind.params(game)
    if as_json:
        facts = {"game": game.name, "agent": spec, "kind": kind.name, "help": kind.help}
        print_json({**facts, "params": params_data(params, values)})
        return
    print(f"{spec}: {kind.help}" if spec == kind.name else f"{spec}: {kind.name}, {kind.help}")
    if params:
        print_params(params, values)
    else:
        print("no parameters")
