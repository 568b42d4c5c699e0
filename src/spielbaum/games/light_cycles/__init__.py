"""Two riders draw walls behind them, both move at once, and who runs into something is out."""

from __future__ import annotations

from typing import Any

from spielbaum.games.light_cycles.evaluate import METRICS, POLICIES, WEIGHTS, evaluate, metrics, policy
from spielbaum.games.light_cycles.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    OPTIONS,
    PLAYERS,
    SIDE,
    STATE,
    Tables,
    actions,
    determinize,
    hide,
    play,
    player,
    returns,
    sample,
    start,
    tables,
)
from spielbaum.games.light_cycles.scene import PREVIEW, RULES, SIGNS, WORDS, backdrop, gesture, scene

__all__ = [
    "ACTION_CODES", "AGENTS", "MAX_ACTIONS", "METRICS", "OPTIONS", "PLAYERS", "POLICIES", "PREVIEW", "RULES", "SEATS",
    "SIGNS", "STATE", "TITLE", "WEIGHTS", "WORDS", "Tables", "actions", "backdrop", "determinize", "evaluate",
    "format_action", "gesture", "hide", "metrics", "play", "player", "policy", "render", "returns", "sample", "scene",
    "start", "tables",
]  # fmt: skip

TITLE = "Light Cycles"
SEATS = ("blue", "orange")
AGENTS = {
    "easy": "roomy",
    "medium": "mcts:iterations=300,opponents=resample,simulate=roomy/random",
    "hard": "ismcts:iterations=5000,simulate=roomy",
}
DIRECTIONS = ("north", "east", "south", "west")


def format_action(t: Tables, s: Any, action: int) -> str:
    return DIRECTIONS[action]


def render(t: Tables, s: Any) -> str:
    """The arena from above: B and O are the riders, b and o their trails."""
    lines = []
    for row in reversed(range(SIDE)):
        cells = [symbol(t, s, SIDE * row + column) for column in range(SIDE)]
        if any(cells):
            lines.append(" ".join(filter(None, cells)))
    return "\n".join(lines)


def symbol(t: Tables, s: Any, cell: int) -> str:
    if int(t.border) >> cell & 1:
        return ""
    for rider, letter in enumerate("bo"):
        if s.cell[rider] == cell:
            return letter.upper()
        if int(s.trails[rider]) >> cell & 1:
            return letter
    return "·"
