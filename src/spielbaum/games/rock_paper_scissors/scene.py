"""How rock, paper, scissors looks: two hands, hidden until both are shown."""

from __future__ import annotations

from typing import Any

from spielbaum.games.rock_paper_scissors.rules import NOTHING, PLAYERS

NAMES = (
    {"en": "rock", "de": "Stein"},
    {"en": "paper", "de": "Papier"},
    {"en": "scissors", "de": "Schere"},
)
SHOWN = ({"en": "first: {}", "de": "erster: {}"}, {"en": "second: {}", "de": "zweiter: {}"})
CENTRES = ([1.3, 1.3], [4.3, 1.3])
ROCK = [{"kind": "polygon", "points": [[-0.7, 0.4], [-0.5, -0.4], [0.1, -0.6], [0.7, -0.1], [0.5, 0.5]], "role": "ink"}]
PAPER = [{"kind": "rect", "at": [-0.45, -0.65], "size": [0.9, 1.3], "role": "paper", "edge": "ink", "width": 0.1}]
SCISSORS = [
    {"kind": "line", "points": [[-0.4, -0.7], [0.25, 0.4]], "edge": "ink", "width": 0.12},
    {"kind": "line", "points": [[0.4, -0.7], [-0.25, 0.4]], "edge": "ink", "width": 0.12},
    {"kind": "circle", "at": [-0.35, 0.55], "r": 0.18, "edge": "ink", "width": 0.1},
    {"kind": "circle", "at": [0.35, 0.55], "r": 0.18, "edge": "ink", "width": 0.1},
]
SYMBOLS = ("rock", "paper", "scissors")


def backdrop() -> dict[str, Any]:
    """A place for each hand."""
    places = [
        {
            "kind": "circle",
            "at": CENTRES[player],
            "r": 1.2,
            "role": "field",
            "edge": f"player-{player + 1}",
            "width": 0.08,
        }
        for player in range(PLAYERS)
    ]
    drawn = dict(zip(SYMBOLS, (ROCK, PAPER, SCISSORS), strict=True))
    return {
        "box": [0, 0, 5.6, 2.6],
        "layers": [{"name": "places", "shapes": places}],
        "symbols": {name: {"box": [-0.8, -0.8, 1.6, 1.6], "shapes": shapes} for name, shapes in drawn.items()},
    }


def scene(s: Any) -> dict[str, Any]:
    """What has been shown."""
    hands = [
        {
            "kind": "use", "symbol": SYMBOLS[s.shown[player]], "id": f"hand-{player}", "at": CENTRES[player],
            "size": [1.6, 1.6], "role": f"player-{player + 1}", "title": shown_name(player, int(s.shown[player])),
        }
        for player in range(PLAYERS)
        if s.shown[player] != NOTHING
    ]  # fmt: skip
    return {"layers": [{"name": "hands", "shapes": hands}]}


def shown_name(player: int, hand: int) -> dict[str, str]:
    return {language: words.format(NAMES[hand][language]) for language, words in SHOWN[player].items()}


def gesture(action: int) -> dict[str, Any]:
    """Three buttons, and a key for each."""
    return {"label": NAMES[action], "key": "rps"[action]}


WORDS = {
    "Rock, paper, scissors": {"en": "Rock, paper, scissors", "de": "Stein, Papier, Schere"},
    "about": {
        "en": "Show rock, paper or scissors, both at once.",
        "de": "Stein, Papier oder Schere zeigen, beide zugleich.",
    },
    "first": {"en": "player 1", "de": "Spieler 1"},
    "second": {"en": "player 2", "de": "Spieler 2"},
    "win": {"en": "win with rock", "de": "Sieg mit Stein"},
    "what a win with rock counts; other wins count 1": {
        "en": "what a win with rock counts; other wins count 1",
        "de": "was ein Sieg mit Stein zählt; andere Siege zählen 1",
    },
}
RULES = [
    {
        "title": {"en": "Who wins", "de": "Wer gewinnt"},
        "text": {
            "en": "Both choose without knowing the other's choice. Paper beats rock, rock beats scissors, scissors"
            " beat paper; if both show the same, it is a draw.",
            "de": "Beide wählen, ohne die Wahl des anderen zu kennen. Papier schlägt Stein, Stein schlägt Schere,"
            " Schere schlägt Papier; zeigen beide das Gleiche, ist es unentschieden.",
        },
        "figure": {
            "moves": ["paper", "rock"],
            "caption": {"en": "Player 1 has won.", "de": "Spieler 1 hat gewonnen."},
        },
    },
    {
        "title": {"en": "When rock counts more", "de": "Wenn Stein mehr zählt"},
        "text": {
            "en": "A win with rock may count more than the others. Then show paper more often: all the more, the more"
            " rock counts.",
            "de": "Ein Sieg mit Stein kann mehr zählen als die anderen. Dann zeigt man öfter Papier: umso öfter, je"
            " mehr Stein zählt.",
        },
    },
]
PREVIEW = ["rock", "scissors"]
