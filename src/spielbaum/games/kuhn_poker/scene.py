"""How Kuhn poker looks: two cards, and the chips in the pot."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.kuhn_poker.rules import BET, NOT_YET, PLAYERS, UNKNOWN, faces_bet
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
WIDE, HIGH = 1.4, 2.0
PLACES = ([2.3, 3.1], [2.3, 0.0])
CARDS = ("jack", "queen", "king")
OWN_CARDS = ("card of the first player: {card}", "card of the second player: {card}")
OWN_CHIPS = ("chip of the first player", "chip of the second player")
NAMES = (("check", "bet"), ("fold", "call"))
KEYS = ("cb", "fc")


def backdrop() -> dict[str, Any]:
    """An empty table."""
    table = {"kind": "rect", "at": [0, -0.3], "size": [6, 5.7], "round": 0.4, "role": "board"}
    return {"box": [-0.1, -0.4, 6.2, 5.9], "layers": [{"name": "table", "shapes": [table]}]}


def scene(s: Any) -> dict[str, Any]:
    """Cards, face down where they are not known, and everybody's chips."""
    shapes = [shape for player in range(PLAYERS) for shape in [*card(s, player), *chips(s, player)]]
    return {"layers": [{"name": "cards", "shapes": shapes}]}


def card(s: Any, player: int) -> list[dict[str, Any]]:
    at, name, known = PLACES[player], f"card-{player}", s.card[player] != UNKNOWN
    face = {
        "kind": "rect", "id": name, "at": at, "size": [WIDE, HIGH], "round": 0.15, "width": 0.08,
        "role": "paper" if known else "neutral", "edge": f"player-{player + 1}",
        "title": TEXTS.format(OWN_CARDS[player], card=TEXTS[CARDS[s.card[player]] if known else "hidden"]),
    }  # fmt: skip
    letter = {language: letters[s.card[player]] if known else "?" for language, letters in TEXTS["letters"].items()}
    text = {"kind": "text", "id": f"{name}-letter", "at": [at[0] + WIDE / 2, at[1] + HIGH / 2], "text": letter}
    return [face, {**text, "size": 0.9, "role": "ink", "weight": "bold"}]


def chips(s: Any, player: int) -> list[dict[str, Any]]:
    """One, and another one for a bet or a call."""
    bets = sum(move == BET for number, move in enumerate(s.moves) if move != NOT_YET and number % PLAYERS == player)
    x, y = PLACES[player][0] + WIDE + 0.5, PLACES[player][1] + HIGH / 2
    title = TEXTS[OWN_CHIPS[player]]
    look = {"kind": "circle", "r": 0.28, "role": "accent", "edge": "ink", "width": 0.05, "title": title}
    return [{**look, "id": f"chip-{player}-{number}", "at": [x + 0.7 * number, y]} for number in range(1 + bets)]


def gesture(s: Any, action: int) -> dict[str, Any]:
    """Two buttons, and a key for each."""
    answers = bool(faces_bet(s))
    return {"label": TEXTS[NAMES[answers][action]], "key": KEYS[answers][action]}


def tell(s: Any, action: int) -> dict[str, Any]:
    """Everybody sees who bets."""
    return gesture(s, action)


PREVIEW = ["check", "bet"]
