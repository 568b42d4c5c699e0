"""How Light Cycles looks: an arena from above as a bitmap of trails, with the riders on it."""

from __future__ import annotations

import base64
from typing import Any

from spielbaum.games.light_cycles.rules import NOTHING, PLAYERS, SIDE, Tables, neighbour

DIRECTIONS = (
    {"en": "north", "de": "Norden"},
    {"en": "east", "de": "Osten"},
    {"en": "south", "de": "Süden"},
    {"en": "west", "de": "Westen"},
)
KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
SIGNS = ("player-3", "player-1")  # blue and orange


def arena(t: Tables) -> tuple[int, int]:
    """Columns and rows of the arena."""
    inside = [cell for cell in range(SIDE * SIDE) if not int(t.border) >> cell & 1]
    return 1 + max(cell % SIDE for cell in inside), 1 + max(cell // SIDE for cell in inside)


def backdrop(t: Tables) -> dict[str, Any]:
    """The wall around the arena."""
    columns, rows = arena(t)
    wall = {"kind": "rect", "at": [-0.2, -0.2], "size": [columns + 0.4, rows + 0.4], "round": 0.2, "role": "frame"}
    rider = [
        {"kind": "circle", "r": 0.42, "role": "ink"},
        {"kind": "circle", "r": 0.16, "role": "paper"},
    ]
    return {
        "box": [-0.3, -0.3, columns + 0.6, rows + 0.6],
        "layers": [{"name": "wall", "shapes": [wall]}],
        "symbols": {"rider": {"box": [-0.5, -0.5, 1, 1], "shapes": rider}},
    }


def scene(t: Tables, s: Any, seat: int | None) -> dict[str, Any]:
    """Trails and riders."""
    columns, rows = arena(t)
    cells = bytes(owner(s, SIDE * row + column) for row in reversed(range(rows)) for column in range(columns))
    trails = {
        "kind": "bitmap",
        "name": "arena",
        "columns": columns,
        "rows": rows,
        "roles": ["field", *SIGNS],
        "data": base64.b64encode(cells).decode(),
        "grid": True,
    }
    riders = [
        {
            "kind": "use",
            "symbol": "rider",
            "id": f"rider-{rider}",
            "at": [int(s.cell[rider]) % SIDE + 0.5, rows - int(s.cell[rider]) // SIDE - 0.5],
            "size": [0.8, 0.8],
            "role": SIGNS[rider],
            "edge": "paper",
        }
        for rider in range(PLAYERS)
    ]
    return {"layers": [trails, {"name": "riders", "shapes": riders}]}


def owner(s: Any, cell: int) -> int:
    """Whose trail is in a cell: 0 is nobody's."""
    return next((rider + 1 for rider in range(PLAYERS) if int(s.trails[rider]) >> cell & 1), 0)


def gesture(t: Tables, s: Any, action: int) -> dict[str, Any]:
    """Tap the cell to go to, or press an arrow."""
    rider = 0 if s.committed == NOTHING else 1
    cell, (columns, rows) = int(neighbour(s.cell[rider], action)), arena(t)
    described = {"label": DIRECTIONS[action], "key": KEYS[action]}
    column, row = cell % SIDE, rows - 1 - cell // SIDE
    if cell < 0 or column >= columns or not 0 <= row < rows:
        return described
    return {**described, "steps": [f"arena:{column},{row}"]}


WORDS = {
    "Light Cycles": {"en": "Light Cycles", "de": "Lichtspuren"},
    "about": {
        "en": "Two riders draw walls behind them, both move at once, and who runs into something is out.",
        "de": "Zwei Fahrer ziehen Mauern hinter sich her, beide fahren zugleich, und wer anstößt, scheidet aus.",
    },
    "blue": {"en": "blue", "de": "Blau"},
    "orange": {"en": "orange", "de": "Orange"},
    "width": {"en": "width", "de": "Breite"},
    "height": {"en": "height", "de": "Höhe"},
    "columns of the arena": {"en": "columns of the arena", "de": "Spalten der Arena"},
    "rows of the arena": {"en": "rows of the arena", "de": "Reihen der Arena"},
    "roomy": {"en": "roomy", "de": "geräumig"},
    "worth of the whole arena": {"en": "worth of the whole arena", "de": "Wert der ganzen Arena"},
}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "Both riders choose a direction without knowing the other's choice; then both move one cell. The"
            " cells behind them become walls.",
            "de": "Beide Fahrer wählen eine Richtung, ohne die des anderen zu kennen; dann fahren beide ein Feld"
            " weit. Die Felder hinter ihnen werden zu Mauern.",
        },
        "figure": {
            "moves": ["east", "west", "east", "north", "north", "west"],
            "caption": {"en": "After three rounds.", "de": "Nach drei Runden."},
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "Who runs into the border, a wall or the other rider is out, and the other one wins. If both are,"
            " it is a draw.",
            "de": "Wer gegen den Rand, eine Mauer oder den anderen fährt, scheidet aus, und der andere gewinnt."
            " Trifft es beide, ist es unentschieden.",
        },
    },
]
PREVIEW = ["east", "west", "east", "west", "north", "west", "north", "north", "north", "north", "east", "north"]
