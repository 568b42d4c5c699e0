"""Roll the die as often as you dare: a 1 loses the turn's points, holding banks them."""

from __future__ import annotations

from typing import Any

from spielbaum.games.pig.evaluate import WEIGHTS, evaluate, units
from spielbaum.games.pig.policies import POLICIES, policy
from spielbaum.games.pig.rules import (
    ACTION_CODES,
    CHANCE,
    MAX_ACTIONS,
    METRICS,
    OPTIONS,
    PLAYERS,
    STATE,
    Tables,
    actions,
    metrics,
    play,
    player,
    returns,
    tables,
)
from spielbaum.games.pig.scene import RULES, WORDS, backdrop, gesture, scene

TITLE = "Pig"
SEATS = ("first", "second")
AGENTS = {
    "easy": "random",
    "medium": "hold-at-20",
    "hard": "race-or-pace",
}
KIOSK = {"options": {"target": 50}}
BAR = 40


def format_action(action: int) -> str:
    """`roll` or `hold`."""
    return ("roll", "hold")[action]


def render(t: Tables, s: Any) -> str:
    """Both scores as bars, with the turn's total behind that of its player."""
    return "\n".join(score_line(t, s, seat) for seat in range(PLAYERS))


def score_line(t: Tables, s: Any, seat: int) -> str:
    """`first    34 + 12  █████░░···`"""
    score, total = int(s.score[seat]), int(s.total) if s.to_move == seat else 0
    banked, risked = BAR * score // t.target, BAR * (score + total) // t.target
    bar = ("█" * banked + "░" * (risked - banked)).ljust(BAR, "·")[:BAR]
    return f"{SEATS[seat]:6} {score:4} {f'+ {total}' if total else '':5} {bar}"
