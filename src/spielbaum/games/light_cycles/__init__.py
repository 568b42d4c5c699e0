"""Two riders leave walls behind them and move at once; whoever runs into something is out."""

from __future__ import annotations

from typing import Any

from spielbaum.games.light_cycles.boards import OPTIONS, SIDE
from spielbaum.games.light_cycles.evaluate import (
    METRICS,
    POLICIES,
    SCRATCH,
    WEIGHTS,
    decided,
    evaluate,
    metrics,
    policy,
    units,
)
from spielbaum.games.light_cycles.features import FEATURES, SYMMETRIES, features, symmetric_action, symmetry
from spielbaum.games.light_cycles.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    PLAYERS,
    STATE,
    Tables,
    actions,
    movers,
    playout,
    resolve,
    returns,
    sample,
    start,
    tables,
)
from spielbaum.games.light_cycles.scene import PREVIEW, RULES, SIGNS, WORDS, backdrop, gesture, in_cell, scene

TITLE = "Light Cycles"
SEATS = ("blue", "orange")
AGENTS = {
    "easy": "roomy",
    "medium": "mcts:iterations=300,select=ucb1-tuned",
    "hard": "mcts:iterations=20000,select=ucb1-tuned",
}
DIRECTIONS = ("north", "east", "south", "west")


def format_action(action: int) -> str:
    return DIRECTIONS[action]


def render(t: Tables, s: Any) -> str:
    """The arena from above: B and O are the riders, b and o their trails, # is a wall."""
    columns, rows = t.size
    lines = [[symbol(t, s, SIDE * row + column) for column in range(columns)] for row in range(rows)]
    return "\n".join(" ".join(line) for line in lines)


def symbol(t: Tables, s: Any, cell: int) -> str:
    letter = "·bo#"[in_cell(t, s, cell)]
    return letter.upper() if cell in s.cell else letter
