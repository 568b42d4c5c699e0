"""How rock, paper, scissors looks: two hands, hidden until both are shown."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.rock_paper_scissors.rules import NOTHING, PLAYERS
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
TITLES = ("first: {hand}", "second: {hand}")
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
    return TEXTS.format(TITLES[player], hand=TEXTS[SYMBOLS[hand]])


def gesture(action: int) -> dict[str, Any]:
    """Three buttons, and a key for each."""
    return {"label": TEXTS[SYMBOLS[action]], "key": "rps"[action]}


PREVIEW = ["rock", "scissors"]
