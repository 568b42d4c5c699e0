"""What installed packages bring along, by their entry points: games, agents and components of searches.

    [project.entry-points."spielbaum.games"]
    hexapawn = "my_games.hexapawn"                # a module that follows the game protocol
    [project.entry-points."spielbaum.agents"]
    careful = "my_games.players:CAREFUL"          # a AgentType
    [project.entry-points."spielbaum.components"]
    mast = "my_games.mast"                        # a module with COMPONENT

A package that can't be loaded is told of in a line, once, and harms nothing else.
"""

from __future__ import annotations

import functools
import importlib.metadata
from typing import Any

from spielbaum.compile.notices import say
from spielbaum.errors import GameError
from spielbaum.text import brief

GAMES, AGENTS, COMPONENTS = "spielbaum.games", "spielbaum.agents", "spielbaum.components"


@functools.cache
def brought(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """The entry points of a group by their names; to look for them takes some milliseconds, so it is done once."""
    return {point.name: point for point in importlib.metadata.entry_points(group=group)}


def loaded(point: importlib.metadata.EntryPoint) -> Any:
    """What an entry point stands for."""
    try:
        return point.load()
    except Exception as error:  # other people's code, which may raise anything
        raise GameError(
            f"{point.name!r} of an installed package ({point.value}) can't be loaded: {type(error).__name__}:"
            f" {brief(error)}"
        ) from error


@functools.cache
def sound(group: str) -> dict[str, Any]:
    """What the entry points of a group stand for, without those that can't be loaded."""
    found = {}
    for name, point in brought(group).items():
        try:
            found[name] = loaded(point)
        except GameError as error:
            say(f"{error}\n")
    return found
