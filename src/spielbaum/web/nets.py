"""Which files an agent may read that a client asks for: those that come with the game, and those of the server's owner.

The owner names them as parts of agents in `spielbaum.toml`, or of the `AGENTS` of a game. Whether there is another file
is not looked at, so no client learns that.
"""

from __future__ import annotations

import contextlib

from spielbaum.agents import in_file, own_agents, resolve
from spielbaum.agents.registry import declared
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks import files
from spielbaum.text import brief


def require_own_files(spec: str, game: Game) -> None:
    """Refuse an agent that would read a file which nobody but the client has named."""
    named = [(name, value) for name, value in files_of(spec, game).items() if value not in files.shipped(game)]
    if not named:
        return
    offered = files_of_owner(game)
    for name, value in named:
        if value not in offered:
            shipped = ", ".join(files.shipped(game)) or "none here"
            raise SpielbaumError(
                f"{name}={brief(value)} is not possible here: a server plays nets that come with the game ({shipped}),"
                " and those of agents that its owner has named in spielbaum.toml"
            )


def files_of(spec: str, game: Game) -> dict[str, str]:
    """The files that an agent reads beside those that it has by default, by the names of its parameters."""
    kind, values = resolve(spec, game)
    params = [param for param in declared(kind, game) if param.file]
    return {param.name: values[param.name] for param in params if values[param.name] != param.default}


def files_of_owner(game: Game) -> set[str]:
    """The files of agents that the game and the file in the server's folder name, as far as those are right."""
    agents, found = [*own_agents(game)], set[str]()
    with contextlib.suppress(SpielbaumError):
        agents += in_file(game)
    for agent in agents:
        with contextlib.suppress(SpielbaumError):
            found.update(files_of(agent, game).values())
    return found
