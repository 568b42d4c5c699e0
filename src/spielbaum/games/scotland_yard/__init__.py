"""Detectives hunt Mister X through a city and see him only now and then."""

from __future__ import annotations

from typing import Any

from spielbaum.games.scotland_yard.policies import POLICIES, policy
from spielbaum.games.scotland_yard.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    OPTIONS,
    PLAYERS,
    STATE,
    TEAMS,
    actions,
    determinize,
    hide,
    play,
    player,
    returns,
    start,
)
from spielbaum.games.scotland_yard.tables import Tables, tables

__all__ = [
    "ACTION_CODES", "MAX_ACTIONS", "OPTIONS", "PLAYERS", "POLICIES", "STATE", "TEAMS", "TITLE", "Tables", "actions",
    "determinize", "hide", "play", "player", "policy", "returns", "seats", "start", "tables",
]  # fmt: skip

TITLE = "Scotland Yard"


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return ("mrx", *(f"detective-{number}" for number in range(1, options["players"])))
