"""Three in a row on nine cells: small enough to be searched to the end at every move."""

from __future__ import annotations

from typing import Any

from spielbaum.games.tic_tac_toe.features import (
    FEATURES,
    PLANES,
    SYMMETRIES,
    features,
    planes,
    symmetric_action,
    symmetry,
)
from spielbaum.games.tic_tac_toe.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    PLAYERS,
    STATE,
    actions,
    key,
    play,
    player,
    returns,
    sample,
    tables,
)
from spielbaum.games.tic_tac_toe.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene

TITLE = "Tic-tac-toe"
SEATS = ("X", "O")
AGENTS = {
    "easy": "mcts:iterations=10",
    "medium": "mcts:iterations=60",
    "hard": "alphabeta:depth=9,table=1",
}


def format_action(action: int) -> str:
    """A cell as its column and row: `a1` is at the bottom left."""
    return "abc"[action % 3] + "123"[action // 3]


def render(s: Any) -> str:
    """The board with its coordinates."""
    rows = [f"{row + 1}  " + " ".join(mark(s, 3 * row + column) for column in range(3)) for row in (2, 1, 0)]
    return "\n".join([*rows, "   a b c"])


def mark(s: Any, cell: int) -> str:
    """What stands in a cell."""
    for seat, cells in zip(SEATS, s.marks, strict=True):
        if cells >> cell & 1:
            return seat
    return "·"
