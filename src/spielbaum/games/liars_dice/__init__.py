"""Bid how many dice of a face lie on the table, or call the last bidder a liar."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.cfr import CFR
from spielbaum.games.liars_dice.features import FEATURES, features
from spielbaum.games.liars_dice.rules import (
    ACTION_CODES,
    LIAR,
    MAX_ACTIONS,
    MOST_BIDS,
    OPTIONS,
    PLAYERS,
    STATE,
    UNKNOWN,
    Tables,
    actions,
    determinize,
    hide,
    likelihood,
    play,
    player,
    returns,
    start,
    tables,
    units,
)
from spielbaum.games.liars_dice.scene import PREVIEW, RULES, WORDS, backdrop, faces_of, gesture, scene, tell

TITLE = "Liar's Dice"
AGENT_TYPES = (CFR,)
AGENTS = {
    "easy": "ismcts:iterations=50",
    "medium": "ismcts:iterations=1000",
    "hard": "ismcts:iterations=10000",
}


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return ("first", "second", "third", "fourth")[: options["players"]]


def format_action(t: Tables, action: int) -> str:
    """`2x5` are two fives."""
    return "liar" if action == LIAR else f"{action // t.faces + 1}x{action % t.faces + 1}"


def render(t: Tables, s: Any) -> str:
    """Everybody's dice as far as they are known, and all bids."""
    names = seats({"players": t.players})
    lines = [f"{name}: {dice_line(t, s, q)}" for q, name in enumerate(names)]
    bids = [format_action(t, bid) for bid in range(MOST_BIDS) if s.made[bid]]
    return "\n".join([*lines, f"bids: {' '.join([*bids, *(['liar'] if s.called else [])]) or 'none'}"])


def dice_line(t: Tables, s: Any, seat: int) -> str:
    return " ".join("?" if face == UNKNOWN else str(face + 1) for face in faces_of(t, s, seat))
