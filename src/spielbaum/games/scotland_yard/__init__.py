"""Detectives hunt Mister X through a city and see him only now and then."""

from __future__ import annotations

from typing import Any

from spielbaum.games.scotland_yard.detectives import prior
from spielbaum.games.scotland_yard.notation import format_action, render
from spielbaum.games.scotland_yard.policies import POLICIES
from spielbaum.games.scotland_yard.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    METRICS,
    OPTIONS,
    PLAYERS,
    SCRATCH,
    STATE,
    TEAMS,
    actions,
    copy_hidden,
    hide,
    metrics,
    play,
    player,
    returns,
    start,
)
from spielbaum.games.scotland_yard.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene, tell
from spielbaum.games.scotland_yard.tables import Tables, tables
from spielbaum.games.scotland_yard.thrift import FILTERS, keep
from spielbaum.games.scotland_yard.worlds import GUESSES, credit, determinize, guess, possibility

__all__ = [
    "ACTION_CODES",
    "AGENTS",
    "FILTERS",
    "GUESSES",
    "KIOSK",
    "MAX_ACTIONS",
    "METRICS",
    "OPTIONS",
    "PLAYERS",
    "POLICIES",
    "PREVIEW",
    "RULES",
    "SCRATCH",
    "SEAT_GROUPS",
    "SEES_ALL",
    "SIDES_DIFFER",
    "STATE",
    "TEAMS",
    "TITLE",
    "WORDS",
    "Tables",
    "actions",
    "backdrop",
    "copy_hidden",
    "credit",
    "determinize",
    "format_action",
    "gesture",
    "guess",
    "hide",
    "keep",
    "metrics",
    "play",
    "player",
    "possibility",
    "prior",
    "render",
    "returns",
    "scene",
    "seats",
    "start",
    "tables",
    "tell",
]  # fmt: skip

TITLE = "Scotland Yard"
SIDES_DIFFER = True
SEES_ALL = ("mrx",)
SEAT_GROUPS = {"detectives": tuple(f"detective-{number}" for number in range(1, PLAYERS))}
AGENTS = {
    "mrx-easy": "distance",
    "mrx-medium": "safepath",
    "mrx-hard": "mcts:seconds=1,simulate=chase,select=puct,c=1",
    "det-easy": "mcts:iterations=200,determinizations=0,simulate=random,decide=max,c=2.83",
    "det-medium": "greedy-bool-1",
    "det-hard": "mcts:seconds=1,determinizations=0,simulate=chase,select=puct,c=1",
    "easy": "mcts:iterations=200,determinizations=0,simulate=random,decide=max,c=2.83",
    "medium": "chase",
    "hard": "mcts:seconds=1,determinizations=0,simulate=chase,select=puct,c=1",
}
KIOSK = {"options": {"players": 3}}


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return ("mrx", *SEAT_GROUPS["detectives"][: options["players"] - 1])
