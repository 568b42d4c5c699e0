"""Slide like a rook, take enemies by enclosing them, and move again: the Roman game of little soldiers."""

from __future__ import annotations

from typing import Any

from spielbaum.games.latrunculi.board import ACTION_CODES, MAX_ACTIONS, PLAYERS, STATE
from spielbaum.games.latrunculi.capturing import capture, captures
from spielbaum.games.latrunculi.evaluate import WEIGHTS, evaluate, units
from spielbaum.games.latrunculi.features import FEATURES, SYMMETRIES, features, symmetric_action, symmetry
from spielbaum.games.latrunculi.notation import format_action
from spielbaum.games.latrunculi.position import SEATS, format_position, parse_position, render
from spielbaum.games.latrunculi.rules import (
    actions,
    adjudicated,
    key,
    play,
    player,
    recompute_key,
    returns,
    sample,
    start,
)
from spielbaum.games.latrunculi.rules_text import rule_sections as RULES
from spielbaum.games.latrunculi.scene import SIGNS, SYMBOLS, WORDS, backdrop, gesture, scene
from spielbaum.games.latrunculi.tables import tables
from spielbaum.games.latrunculi.thesis.agent import THESIS
from spielbaum.games.latrunculi.thesis.gain import gain
from spielbaum.games.latrunculi.variants import LARGEST, OPTIONS, SMALLEST

TITLE = "Latrunculi"
AGENT_TYPES = (THESIS,)
AGENTS = {
    "easy": "thesis:points=balanced,depth=2",
    "aggressive": "thesis:points=aggressive,depth=3",
    "medium": "thesis:points=defensive,depth=3",
    "hard": "alphabeta:depth=2,quiescence=8,contempt=0.02",
    "master": "alphabeta:seconds=1,quiescence=8,reduce=on,contempt=0.02,adjudication=0.05",
}
SIZES = range(SMALLEST, LARGEST + 1)
SUGGESTIONS = {"board": [f"{files}x{ranks}" for files in SIZES for ranks in SIZES]}
PRESETS = {
    "birkenfeld": {},
    "small": {"board": "6x6"},
    "large": {"board": "10x10"},
    "kowalski": {"preset": "kowalski"},
    "kowalski-dux": {"preset": "kowalski-dux"},
    "quintana": {"preset": "quintana"},
    "same-piece": {"preset": "same-piece"},
}
KIOSK = {"options": {"board": "6x6"}, "agents": ["master", "mcts:iterations=1000,depth=4,c=0.3"]}
PREVIEW = ["d1-d4", "e8-e5", "e1-e4", "d8-d5", "c1-c5", "f8-f5", "g1-g5", "b8-b4"]
OUTCOMES = ("", "on the board", "on count", "draw")


def outcome(s: Any) -> str:
    """How the game has ended; empty while it goes on."""
    return OUTCOMES[s.result]
