"""Move like a queen and shoot an arrow that blocks a square for good; whoever can no longer move loses."""

from __future__ import annotations

from spielbaum.games.amazons.evaluate import WEIGHTS, evaluate
from spielbaum.games.amazons.notation import format_action, render
from spielbaum.games.amazons.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    OPTIONS,
    PLAYERS,
    STATE,
    actions,
    key,
    play,
    player,
    recompute_key,
    returns,
    sample,
    start,
    tables,
)
from spielbaum.games.amazons.scene import PREVIEW, RULES, SIGNS, WORDS, backdrop, gesture, scene

TITLE = "Amazons"
SEATS = ("white", "black")
AGENTS = {
    "easy": "mcts:iterations=300",
    "medium": "greedy",
    "hard": "alphabeta:seconds=1",
}
KIOSK = {"options": {"size": 6}}
