"""`spielbaum doctor`: where the kernels of games come from on this machine, and which would have to be compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielbaum.cli.inputs import Games, Json
from spielbaum.cli.output import print_json, print_table

if TYPE_CHECKING:
    from spielbaum.agents.warm_up import CompileTarget
    from spielbaum.game import Game

SHIPPED, CACHED, TO_COMPILE = "shipped", "cached", "to compile"


def command(
    games: Games,
    as_json: Json = False,
) -> None:
    """Tell which kernels came with the package or are in the cache, and which would be compiled, and why."""
    from spielbaum.cli.games import loadable
    from spielbaum.game import load

    chosen = {name: load(name) for name in games} or loadable()
    machine, kernels = facts(), [row for name, game in chosen.items() for row in states(name, game)]
    if as_json:
        print_json({**machine, "kernels": kernels})
        return
    for title, value in machine.items():
        print(f"{title}: {value}")
    rows = [(row["game"], row["agent"], row["state"], row["why"]) for row in kernels]
    print_table(("game", "agent", "kernels", ""), rows)


def facts() -> dict[str, str]:
    """What decides where kernels come from."""
    import spielbaum
    from spielbaum.compile import shipped
    from spielbaum.compile.cache import cache_folder

    here, (found, reason) = shipped.facts(), shipped.found()
    fitting = [level for level in shipped.LEVELS if not shipped.missing_features(level)]
    return {
        "spielbaum": spielbaum.__version__,
        **here,
        "processor": ", ".join(fitting) or "none of the levels that kernels are made for",
        "cache": str(cache_folder()),
        "shipped": found.level if found else reason or "no kernels came with this package",
    }


def states(name: str, game: Game) -> list[dict[str, Any]]:
    """The searches that people use of a game: where the kernels of each are, and if nowhere, why not."""
    from spielbaum.agents.warm_up import compile_target
    from spielbaum.cli.warm import kernels_of

    rows = []
    for agent, spec in kernels_of(game).items():
        target = compile_target(game, spec) if spec else None
        if target is not None and agent != "batch":
            state, why = state_of(target)
            rows.append({"game": name, "agent": agent, "spec": spec, "state": state, "why": why})
    return rows


def state_of(target: CompileTarget) -> tuple[str, str]:
    """Where the kernels of a search are; where they are not, why those that came with the package are of no use."""
    from spielbaum.agents.warm_up import is_warm
    from spielbaum.compile import shipped

    if shipped.has_search(target.content):
        return SHIPPED, ""
    if is_warm(target):
        return CACHED, ""
    found, reason = shipped.found()
    if found is None:
        return TO_COMPILE, reason or "none came with the package"
    known = f"{target.game} {target.search}" in found.manifest["searches"].values()
    return TO_COMPILE, "the game or the engine has changed since" if known else "not among those that were made"
