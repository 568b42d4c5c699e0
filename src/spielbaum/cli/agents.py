"""`spielbaum agents`: who can play, and every parameter that they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import params_data, print_json, print_params, print_table

if TYPE_CHECKING:
    from spielbaum.agents import AgentType
    from spielbaum.game import Game

BUILT_IN = "built in"


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Agents that fit a game; a name or a path.")
    ] = None,
    agent: Annotated[str | None, typer.Argument(metavar="[AGENT]", help="Show the parameters of one agent.")] = None,
    as_json: Json = False,
) -> None:
    """List agents: the general types, those of a game, or the parameters of one."""
    from spielbaum.agents.registry import AGENT_TYPES
    from spielbaum.game import load

    if game is None:
        show([{"name": kind.name, "help": kind.help, "from": BUILT_IN} for kind in AGENT_TYPES], as_json)
    elif agent is None:
        show(agents_of(load(game)), as_json)
    else:
        show_one(load(game), agent, as_json)


def agents_of(game: Game) -> list[dict[str, str]]:
    """The agents of the user's file, those that a game names itself, its policies, and the general kinds that fit."""
    from spielbaum.agents import agent_types, agent_types_in_file, freeze_spec, in_file, own_agents, resolve
    from spielbaum.agents.named import agent_types_file

    named = in_file(game)
    for name in named:
        resolve(freeze_spec(name, game), game)
    theirs = [{"name": one.name, "help": one.spec, "spec": one.spec, "from": one.where} for one in named.values()]
    file = agent_types_file(game)
    theirs += [
        {"name": kind.name, "help": kind.help, "from": file.name if file else ""}
        for kind in agent_types_in_file(game)
        if kind.objection(game) is None
    ]
    own = [{"name": name, "help": spec, "spec": spec, "from": game.name} for name, spec in own_agents(game).items()]
    return (
        theirs
        + own
        + [{"name": each.name, "help": each.help, "from": source(each, game)} for each in agent_types(game)]
    )


def source(kind: AgentType, game: Game) -> str:
    from spielbaum.agents.registry import AGENT_TYPES

    return BUILT_IN if kind in AGENT_TYPES else game.name


def show(agents: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        print_json(agents)
    else:
        print_table(("agent", "what it is", "from"), [(one["name"], one["help"], one["from"]) for one in agents])


def show_one(game: Game, spec: str, as_json: bool) -> None:
    from spielbaum.agents import freeze_spec, resolve

    frozen = freeze_spec(spec, game)
    kind, values = resolve(frozen, game)
    params = kind.params(game)
    if as_json:
        facts = {"game": game.name, "agent": spec, "means": frozen, "kind": kind.name, "help": kind.help}
        print_json({**facts, "params": params_data(params, values)})
        return
    print(f"{spec}: {kind.help}" if spec == kind.name else f"{frozen}: {kind.name}, {kind.help}")
    if params:
        print_params(params, values)
    else:
        print("no parameters")
