"""Bid a card for each prize, both at once: the higher one takes it."""

from __future__ import annotations

from typing import Any

from spielbaum.games.goofspiel.rules import (
    ACTION_CODES,
    CHANCE,
    MAX_ACTIONS,
    METRICS,
    NOTHING,
    OPTIONS,
    PLAYERS,
    POLICIES,
    STATE,
    WEIGHTS,
    actions,
    evaluate,
    metrics,
    movers,
    policy,
    resolve,
    returns,
    start,
    tables,
    units,
)
from spielbaum.games.goofspiel.scene import PREVIEW, RULES, WORDS, backdrop, cards_in, gesture, scene

TITLE = "Goofspiel"
SEATS = ("first", "second")
AGENTS = {
    "easy": "random",
    "medium": "matching",
    "hard": "mcts:iterations=30000,select=regret-matching,decide=mix",
}


def format_action(action: int) -> str:
    """The number on the card."""
    return str(action + 1)


def render(s: Any) -> str:
    """The prize, those to come, and for each player the points, the cards and the last one played."""
    to_come = " ".join(str(card + 1) for card in cards_in(s.prizes)) or "none"
    prize = f"prize {s.prize + 1}, to come {to_come}" if s.prize != NOTHING else "all prizes are gone"
    return "\n".join([prize, *(hand_line(s, player) for player in range(PLAYERS))])


def hand_line(s: Any, player: int) -> str:
    """`first: 4 points, holds 1 2 5, played 3`"""
    cards = " ".join(str(card + 1) for card in cards_in(s.hand[player])) or "nothing"
    played = f", played {s.last[player] + 1}" if s.last[player] != NOTHING else ""
    return f"{SEATS[player]}: {s.points[player]} points, holds {cards}{played}"
