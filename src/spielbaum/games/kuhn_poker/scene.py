"""How Kuhn poker looks: two cards, and the chips in the pot."""

from __future__ import annotations

from typing import Any

from spielbaum.games.kuhn_poker.rules import BET, NOT_YET, PLAYERS, UNKNOWN, faces_bet

WIDE, HIGH = 1.4, 2.0
PLACES = ([2.3, 3.1], [2.3, 0.0])
LETTERS = {"en": "JQK", "de": "BDK"}
CARDS = {"en": ("jack", "queen", "king"), "de": ("Bube", "Dame", "König")}
HIDDEN = {"en": "hidden", "de": "verdeckt"}
OWN_CARDS = (
    {"en": "card of the first player", "de": "Karte des ersten Spielers"},
    {"en": "card of the second player", "de": "Karte des zweiten Spielers"},
)
OWN_CHIPS = (
    {"en": "chip of the first player", "de": "Chip des ersten Spielers"},
    {"en": "chip of the second player", "de": "Chip des zweiten Spielers"},
)
NAMES = (
    ({"en": "check", "de": "schieben"}, {"en": "bet", "de": "setzen"}),
    ({"en": "fold", "de": "aussteigen"}, {"en": "call", "de": "mitgehen"}),
)
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
        "title": {
            language: f"{whose}: {CARDS[language][s.card[player]] if known else HIDDEN[language]}"
            for language, whose in OWN_CARDS[player].items()
        },
    }  # fmt: skip
    letter = {language: letters[s.card[player]] if known else "?" for language, letters in LETTERS.items()}
    text = {"kind": "text", "id": f"{name}-letter", "at": [at[0] + WIDE / 2, at[1] + HIGH / 2], "text": letter}
    return [face, {**text, "size": 0.9, "role": "ink", "weight": "bold"}]


def chips(s: Any, player: int) -> list[dict[str, Any]]:
    """One, and another one for a bet or a call."""
    bets = sum(move == BET for number, move in enumerate(s.moves) if move != NOT_YET and number % PLAYERS == player)
    x, y = PLACES[player][0] + WIDE + 0.5, PLACES[player][1] + HIGH / 2
    look = {"kind": "circle", "r": 0.28, "role": "accent", "edge": "ink", "width": 0.05, "title": OWN_CHIPS[player]}
    return [{**look, "id": f"chip-{player}-{number}", "at": [x + 0.7 * number, y]} for number in range(1 + bets)]


def gesture(s: Any, action: int) -> dict[str, Any]:
    """Two buttons, and a key for each."""
    answers = bool(faces_bet(s))
    return {"label": NAMES[answers][action], "key": KEYS[answers][action]}


def tell(s: Any, action: int) -> dict[str, Any]:
    """Everybody sees who bets."""
    return gesture(s, action)


WORDS = {
    "chips": {"en": "chips", "de": "Chips"},
    "Kuhn poker": {"en": "Kuhn poker", "de": "Kuhn-Poker"},
    "about": {
        "en": "Three cards, one chip to bet: call, fold, or bluff.",
        "de": "Drei Karten, ein Chip zu setzen: mitgehen, aussteigen oder bluffen.",
    },
    "first": {"en": "player 1", "de": "Spieler 1"},
    "second": {"en": "player 2", "de": "Spieler 2"},
}
RULES = [
    {
        "title": {"en": "The deal", "de": "Das Geben"},
        "text": {
            "en": "Both put one chip into the pot and get one of three cards: jack, queen, king. Nobody sees the"
            " other's card, and the third one stays unseen.",
            "de": "Beide legen einen Chip in den Pot und bekommen eine von drei Karten: Bube, Dame, König. Niemand"
            " sieht die Karte des anderen, und die dritte bleibt verdeckt.",
        },
    },
    {
        "title": {"en": "Betting", "de": "Setzen"},
        "text": {
            "en": "Player 1 may **check** or **bet** another chip, and then player 2 may do so. A bet is"
            " answered by **call**, with a chip, or **fold**: then the other one takes the pot. If nobody folds, the"
            " higher card takes it.",
            "de": "Spieler 1 darf **schieben** oder noch einen Chip **setzen**, danach darf es Spieler 2. Auf einen"
            " Einsatz antwortet man mit **Mitgehen**, also mit einem Chip, oder mit **Aussteigen**: Dann bekommt der"
            " andere den Pot. Steigt niemand aus, bekommt ihn die höhere Karte.",
        },
        "figure": {
            "moves": ["check", "bet"],
            "seed": 1,
            "caption": {"en": "Player 1 has to answer.", "de": "Spieler 1 muss antworten."},
        },
    },
]
PREVIEW = ["check", "bet"]
