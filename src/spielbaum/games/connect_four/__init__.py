"""Drop discs into seven columns; four in a row wins."""

from __future__ import annotations

from typing import Any

from spielbaum.games.connect_four.evaluate import WEIGHTS, evaluate, units
from spielbaum.games.connect_four.features import (
    FEATURES,
    PLANES,
    SYMMETRIES,
    features,
    planes,
    symmetric_action,
    symmetry,
)
from spielbaum.games.connect_four.policies import FILTERS, POLICIES, keep, policy, prior
from spielbaum.games.connect_four.rules import (
    ACTION_CODES,
    COLUMN,
    HEIGHT,
    MAX_ACTIONS,
    PLAYERS,
    STATE,
    WIDTH,
    actions,
    key,
    play,
    player,
    returns,
    sample,
)
from spielbaum.games.connect_four.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene

TITLE = "Connect Four"
SEATS = ("yellow", "red")
DISCS = "●○"
COLUMNS = "abcdefg"
AGENTS = {
    "easy": "mcts:iterations=100",
    "medium": "mcts:iterations=3000",
    "hard": "network:iterations=500,solve=on",
    "master": "network:seconds=1,solve=on",
}


def format_action(action: int) -> str:
    """The letter of a column."""
    return COLUMNS[action]


def render(s: Any) -> str:
    """The board with yellow's discs as ● and red's as ○."""
    rows = [" ".join(disc(s, column, row) for column in range(WIDTH)) for row in reversed(range(HEIGHT))]
    return "\n".join([*rows, " ".join(COLUMNS)])


def disc(s: Any, column: int, row: int) -> str:
    """What a square holds."""
    for colour, squares in zip(DISCS, s.discs, strict=True):
        if int(squares) >> (COLUMN * column + row) & 1:
            return colour
    return "·"
