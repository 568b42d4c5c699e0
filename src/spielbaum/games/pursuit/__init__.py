"""Two hunters chase a fugitive whom they see only now and then."""

from __future__ import annotations

from typing import Any

from spielbaum.games.pursuit.evaluate import POLICIES, WEIGHTS, evaluate, policy, units
from spielbaum.games.pursuit.rules import (
    ACTION_CODES,
    FUGITIVE,
    MAX_ACTIONS,
    OPTIONS,
    PLAYERS,
    STATE,
    TEAMS,
    UNKNOWN,
    Tables,
    actions,
    determinize,
    hide,
    play,
    player,
    returns,
    start,
    tables,
)
from spielbaum.games.pursuit.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene, tell
from spielbaum.games.pursuit.town import MAP, NAMES, PLACES

TITLE = "Pursuit"
SEATS = ("fugitive", "hunter-1", "hunter-2")
AGENTS = {
    "easy": "ismcts:iterations=50",
    "medium": "ismcts:iterations=1000",
    "hard": "ismcts:iterations=10000,simulate=0.8*keen+0.2*random",
}


def format_action(action: int) -> str:
    return NAMES[action]


def render(t: Tables, s: Any) -> str:
    """The map: 1 and 2 are the hunters, * is the fugitive, ? is where he may be."""
    symbols = {NAMES[place]: "?" if s.possible >> place & 1 else "·" for place in range(PLACES)}
    if s.fugitive != UNKNOWN:
        symbols[NAMES[s.fugitive]] = "*"
    for number, place in enumerate(s.hunters, 1):
        symbols[NAMES[place]] = str(number)
    drawn = "\n".join(f"{line}      {key}" for line, key in zip(draw(symbols), MAP.splitlines(), strict=True))
    turn = "the fugitive" if s.turn == FUGITIVE else f"hunter {s.turn}"
    return f"{drawn}\nround {s.elapsed + 1} of {t.rounds}, {turn} to move"


def draw(symbols: dict[str, str]) -> list[str]:
    return ["".join(symbols.get(letter, letter) for letter in line) for line in MAP.splitlines()]
