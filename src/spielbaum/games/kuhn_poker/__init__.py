"""Three cards, one chip to bet: call, fold, or bluff."""

from __future__ import annotations

from typing import Any

from spielbaum.agents.cfr import CFR
from spielbaum.games.kuhn_poker.rules import (
    ACTION_CODES,
    BET,
    MAX_ACTIONS,
    NOT_YET,
    PLAYERS,
    STAKE,
    STATE,
    UNKNOWN,
    actions,
    determinize,
    faces_bet,
    hide,
    play,
    player,
    returns,
    start,
    units,
)
from spielbaum.games.kuhn_poker.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene, tell

TITLE = "Kuhn poker"
AGENT_TYPES = (CFR,)
SEATS = ("first", "second")
AGENTS = {
    "easy": "random",
    "medium": "ismcts:iterations=1000",
    "hard": "ismcts:iterations=20000,select=regret-matching,decide=mix",
}
LETTERS = "JQK"


def format_action(s: Any, action: int) -> str:
    """What it is called depends on whether there is a bet to answer."""
    return move_name(faces_bet(s), action)


def move_name(answers: bool, action: int) -> str:
    names = ("fold", "call") if answers else ("check", "bet")
    return names[action]


def render(s: Any) -> str:
    """`first: K, second: ?; check, bet`"""
    cards = [f"{seat}: {'?' if card == UNKNOWN else LETTERS[card]}" for seat, card in zip(SEATS, s.card, strict=True)]
    made = [int(move) for move in s.moves if move != NOT_YET]
    names = [move_name(number > 0 and made[number - 1] == BET, move) for number, move in enumerate(made)]
    return "; ".join([", ".join(cards), ", ".join(names) or "nobody has bet"])
