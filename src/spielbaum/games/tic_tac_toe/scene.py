"""How tic-tac-toe looks: nine fields, crosses and rings; the line that won is struck through."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.tic_tac_toe.rules import CELLS, LINES, PLAYERS
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
MARGIN = 0.12
SYMBOLS_OF_PLAYERS = ("cross", "ring")


def corner(cell: int) -> list[float]:
    """The upper left corner of a cell."""
    return [cell % 3, 2 - cell // 3]


def centre(cell: int) -> list[float]:
    x, y = corner(cell)
    return [x + 0.5, y + 0.5]


def backdrop() -> dict[str, Any]:
    """The empty board."""
    fields = [
        {
            "kind": "rect",
            "id": f"cell-{cell}",
            "at": corner(cell),
            "size": [1, 1],
            "role": "field",
            "title": "abc"[cell % 3] + "123"[cell // 3],
        }
        for cell in range(CELLS)
    ]
    bars = [[[i, 0.08], [i, 2.92]] for i in (1, 2)] + [[[0.08, i], [2.92, i]] for i in (1, 2)]
    lines = [{"kind": "line", "points": bar, "edge": "grid", "width": 0.04} for bar in bars]
    size = 3 + 2 * MARGIN
    cross = {"kind": "path", "d": "M-0.55-0.55L0.55 0.55M0.55-0.55L-0.55 0.55", "edge": "ink", "width": 0.26}
    ring = {"kind": "circle", "r": 0.56, "edge": "ink", "width": 0.26}
    return {
        "box": [-MARGIN, -MARGIN, size, size],
        "layers": [{"name": "fields", "shapes": fields}, {"name": "grid", "shapes": lines}],
        "symbols": {
            "cross": {"box": [-1, -1, 2, 2], "shapes": [cross]},
            "ring": {"box": [-1, -1, 2, 2], "shapes": [ring]},
        },
    }


def scene(s: Any) -> dict[str, Any]:
    """The marks, and the line of three."""
    marks = [
        {
            "kind": "use",
            "symbol": SYMBOLS_OF_PLAYERS[player],
            "id": f"mark-{cell}",
            "at": centre(cell),
            "size": [0.9, 0.9],
            "role": f"player-{player + 1}",
            "title": "XO"[player],
        }
        for player in range(PLAYERS)
        for cell in range(CELLS)
        if s.marks[player] >> cell & 1
    ]
    return {"layers": [{"name": "marks", "shapes": marks}, {"name": "line", "shapes": winning_line(s)}]}


def winning_line(s: Any) -> list[dict[str, Any]]:
    """A stroke through the three marks that won."""
    for player in range(PLAYERS):
        for three in LINES:
            if s.marks[player] & three == three:
                cells = [cell for cell in range(CELLS) if three >> cell & 1]
                ends = [centre(cells[0]), centre(cells[-1])]
                return [{"kind": "line", "id": "three", "points": ends, "edge": "accent", "width": 0.07}]
    return []


def gesture(action: int) -> dict[str, Any]:
    """Tap the cell; keys as on a number pad."""
    return {"steps": [f"cell-{action}"], "key": str(action + 1)}


PREVIEW = ["b2", "a1", "c3", "c1", "b1"]
