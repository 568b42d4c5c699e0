"""How Goofspiel looks: both hands face up, between them the prize and what was played for the last one."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.goofspiel.rules import MAX_ACTIONS, NOTHING, PLAYERS, Tables
from spielbaum.translations import Translations, joined

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
WIDE, HIGH, STEP = 0.9, 1.3, 1.0
MIDDLE = 2.0
ROWS = (4.0, 0.0)  # the upper edge of each player's hand
TITLES = ("card {number} of the first player", "card {number} of the second player")


def cards_in(cards: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(MAX_ACTIONS) if int(cards) >> card & 1]


def backdrop(t: Tables) -> dict[str, Any]:
    """An empty table."""
    table = {"kind": "rect", "at": [-0.3, -0.3], "size": [width(t) + 0.5, 5.9], "round": 0.3, "role": "board"}
    return {"box": [-0.4, -0.4, width(t) + 0.7, 6.1], "layers": [{"name": "table", "shapes": [table]}]}


def width(t: Tables) -> float:
    return STEP * t.cards


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """The cards that are left, the prize, and the last round."""
    shapes = [
        shape
        for player in range(PLAYERS)
        for card in cards_in(s.hand[player])
        for shape in card_shapes(
            f"card-{player}-{card}", card, [STEP * card, ROWS[player]], f"player-{player + 1}", TITLES[player]
        )
    ]
    centre = width(t) / 2 - WIDE / 2
    if s.prize != NOTHING:
        shapes += card_shapes(f"prize-{s.prize}", int(s.prize), [centre, MIDDLE], "accent", "prize {number}")
    panels = [
        {
            "id": f"points-{player}",
            "seat": player,
            "items": [{"label": TEXTS["points"], "value": int(s.points[player])}],
        }
        for player in range(PLAYERS)
    ]
    return {"layers": [{"name": "cards", "shapes": shapes}], "panels": panels, "status": status(s)}


def card_shapes(name: str, card: int, at: list[float], edge: str, title: str) -> list[dict[str, Any]]:
    """A card with its number."""
    number = {"kind": "text", "at": [at[0] + WIDE / 2, at[1] + HIGH / 2], "text": str(card + 1), "size": 0.6}
    return [
        {
            "kind": "rect", "id": name, "at": at, "size": [WIDE, HIGH], "round": 0.12,
            "role": "paper", "edge": edge, "width": 0.08,
            "title": TEXTS.format(title, number=card + 1),
        },
        {**number, "id": f"{name}-number", "role": "ink", "weight": "bold"},
    ]  # fmt: skip


def status(s: Any) -> dict[str, str] | None:
    """What was played last, and which prizes are to come."""
    coming = ", ".join(str(card + 1) for card in cards_in(s.prizes))
    first, second = (int(card) + 1 for card in s.last)
    said = [TEXTS.format("Last round: {first} against {second}.", first=first, second=second)] if first else []
    if coming:
        said.append(TEXTS.format("Prizes to come: {prizes}.", prizes=coming))
    return joined(" ", said) if said else None


def gesture(player: int, action: int) -> dict[str, Any]:
    """Tap a card of one's hand, or press its number."""
    key = {"key": str(action + 1)} if action < 9 else {}
    return {"steps": [f"card-{player}-{action}"], **key}


PREVIEW = ["3", "4", "6", "1"]
