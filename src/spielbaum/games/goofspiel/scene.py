"""How Goofspiel looks: both hands face up, between them the prize and what was played for the last one."""

from __future__ import annotations

from typing import Any

from spielbaum.games.goofspiel.rules import MAX_ACTIONS, NOTHING, PLAYERS, Tables

WIDE, HIGH, STEP = 0.9, 1.3, 1.0
MIDDLE = 2.0
ROWS = (4.0, 0.0)  # the upper edge of each player's hand
OWNERS = (
    {"en": "card {} of the first player", "de": "Karte {} des ersten Spielers"},
    {"en": "card {} of the second player", "de": "Karte {} des zweiten Spielers"},
)
PRIZE = {"en": "prize {}", "de": "Preis {}"}


def held(cards: int) -> list[int]:
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
        for card in held(s.hand[player])
        for shape in drawn(
            f"card-{player}-{card}", card, [STEP * card, ROWS[player]], f"player-{player + 1}", OWNERS[player]
        )
    ]
    centre = width(t) / 2 - WIDE / 2
    if s.prize != NOTHING:
        shapes += drawn(f"prize-{s.prize}", int(s.prize), [centre, MIDDLE], "accent", PRIZE)
    panels = [
        {
            "id": f"points-{player}",
            "seat": player,
            "items": [{"label": {"en": "points", "de": "Punkte"}, "value": int(s.points[player])}],
        }
        for player in range(PLAYERS)
    ]
    return {"layers": [{"name": "cards", "shapes": shapes}], "panels": panels, "status": status(s)}


def drawn(name: str, card: int, at: list[float], edge: str, title: dict[str, str]) -> list[dict[str, Any]]:
    """A card with its number."""
    number = {"kind": "text", "at": [at[0] + WIDE / 2, at[1] + HIGH / 2], "text": str(card + 1), "size": 0.6}
    return [
        {
            "kind": "rect", "id": name, "at": at, "size": [WIDE, HIGH], "round": 0.12,
            "role": "paper", "edge": edge, "width": 0.08,
            "title": {language: words.format(card + 1) for language, words in title.items()},
        },
        {**number, "id": f"{name}-number", "role": "ink", "weight": "bold"},
    ]  # fmt: skip


def status(s: Any) -> dict[str, str] | None:
    """What was played last, and which prizes are to come."""
    coming = ", ".join(str(card + 1) for card in held(s.prizes))
    last = [int(card) + 1 for card in s.last]
    english = [f"Last round: {last[0]} against {last[1]}."] if last[0] else []
    german = [f"Letzte Runde: {last[0]} gegen {last[1]}."] if last[0] else []
    if coming:
        english.append(f"Prizes to come: {coming}.")
        german.append(f"Preise, die noch kommen: {coming}.")
    return {"en": " ".join(english), "de": " ".join(german)} if english else None


def gesture(player: int, action: int) -> dict[str, Any]:
    """Tap a card of one's hand, or press its number."""
    key = {"key": str(action + 1)} if action < 9 else {}
    return {"steps": [f"card-{player}-{action}"], **key}


WORDS = {
    "Goofspiel": {"en": "Goofspiel", "de": "Goofspiel"},
    "about": {
        "en": "Bid a card for each prize, both at once: the higher one takes it.",
        "de": "Für jeden Preis eine Karte bieten, beide zugleich: Die höhere bekommt ihn.",
    },
    "first": {"en": "player 1", "de": "Spieler 1"},
    "second": {"en": "player 2", "de": "Spieler 2"},
    "cards": {"en": "cards", "de": "Karten"},
    "cards of each hand, and prizes": {
        "en": "cards of each hand, and prizes",
        "de": "Karten auf jeder Hand, und Preise",
    },
    "prizes": {"en": "prizes", "de": "Preise"},
    "in which order the prizes are turned up": {
        "en": "in which order the prizes are turned up",
        "de": "in welcher Reihenfolge die Preise aufgedeckt werden",
    },
    "ascending": {"en": "ascending", "de": "aufsteigend"},
    "descending": {"en": "descending", "de": "absteigend"},
    "random": {"en": "random", "de": "zufällig"},
    "matching": {"en": "matching", "de": "angemessen"},
    "the lead in points, by all points": {
        "en": "the lead in points, by all points",
        "de": "der Vorsprung an Punkten, durch alle Punkte",
    },
}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "A prize lies in the middle. Both choose a card of their hand without knowing the other's choice."
            "\n\n- The **higher card** wins as many points as the prize shows.\n- **Equal cards** win nothing.\n"
            "- The prize and both cards are gone.",
            "de": "In der Mitte liegt ein Preis. Beide wählen eine Karte ihrer Hand, ohne die Wahl des anderen zu"
            " kennen.\n\n- Die **höhere Karte** gewinnt so viele Punkte, wie der Preis zeigt.\n- **Gleiche Karten**"
            " gewinnen nichts.\n- Der Preis und beide Karten sind weg.",
        },
        "figure": {
            "moves": ["4", "6", "1", "3"],
            "seed": 1,
            "caption": {"en": "After two rounds.", "de": "Nach zwei Runden."},
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "When all cards are played, who has more points wins.",
            "de": "Sind alle Karten gespielt, gewinnt, wer mehr Punkte hat.",
        },
    },
]
PREVIEW = ["3", "4", "6", "1"]
