"""Slide like a rook, take enemies by enclosing them, and move again: the Roman game of little soldiers."""

from __future__ import annotations

from typing import Any

from spielbaum.games.latrunculi.board import ACTION_CODES, MAX_ACTIONS, PLAYERS, STATE
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
from spielbaum.games.latrunculi.scene import SIGNS, SYMBOLS, backdrop, gesture, scene
from spielbaum.games.latrunculi.sheet import KIOSK, PRESETS, PREVIEW, RULES, SUGGESTIONS, WORDS
from spielbaum.games.latrunculi.tables import tables
from spielbaum.games.latrunculi.taking import capture, captures
from spielbaum.games.latrunculi.thesis.agent import THESIS
from spielbaum.games.latrunculi.thesis.gain import gain
from spielbaum.games.latrunculi.variants import OPTIONS

__all__ = [
    "ACTION_CODES", "AGENTS", "FEATURES", "KINDS", "KIOSK", "MAX_ACTIONS", "OPTIONS", "PLAYERS", "PRESETS", "PREVIEW",
    "RULES", "SEATS", "SIGNS", "STATE", "SUGGESTIONS", "SYMBOLS", "SYMMETRIES", "TITLE", "WEIGHTS", "WORDS", "actions",
    "adjudicated", "backdrop", "capture", "captures", "evaluate", "features", "format_action", "format_position",
    "gain", "gesture", "key", "outcome", "parse_position", "play", "player", "recompute_key", "render", "returns",
    "sample", "scene", "start", "symmetric_action", "symmetry", "tables", "units",
]  # fmt: skip

TITLE = "Latrunculi"
KINDS = (THESIS,)
AGENTS = {
    "easy": "thesis:points=balanced,depth=2",
    "medium": "thesis:points=defensive,depth=3",
    "hard": "alphabeta:depth=2,quiescence=8,contempt=0.02",
    "master": "alphabeta:seconds=1,quiescence=8,reduce=on,contempt=0.02,counted=0.05",
}
OUTCOMES = ("", "on the board", "on count", "draw")


def outcome(s: Any) -> str:
    """How the game has ended; empty while it goes on."""
    return OUTCOMES[s.result]
