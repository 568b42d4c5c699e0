"""Show rock, paper or scissors, both at once."""

from __future__ import annotations

from typing import Any

from spielbaum.games.rock_paper_scissors.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    NOTHING,
    OPTIONS,
    PLAYERS,
    STATE,
    actions,
    movers,
    resolve,
    returns,
    start,
    tables,
    units,
)
from spielbaum.games.rock_paper_scissors.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene

TITLE = "Rock, paper, scissors"
SEATS = ("first", "second")
AGENTS = {
    "easy": "random",
    "hard": "mcts:iterations=5000,select=regret-matching,decide=mix",
}
SHAPES = ("rock", "paper", "scissors")


def format_action(action: int) -> str:
    return SHAPES[action]


def render(s: Any) -> str:
    """What both have shown."""
    if s.shown[0] == NOTHING:
        return "both hands are hidden"
    return "\n".join(f"{seat}: {SHAPES[shape]}" for seat, shape in zip(SEATS, s.shown, strict=True))
