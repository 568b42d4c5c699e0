"""How Light Cycles looks: an arena from above as a bitmap of trails, with the riders on it."""

from __future__ import annotations

import base64
from typing import Any

from spielbaum.games.light_cycles.boards import SIDE
from spielbaum.games.light_cycles.rules import OUTSIDE, PLAYERS, Tables, is_free

DIRECTIONS = (
    {"en": "north", "de": "Norden"},
    {"en": "east", "de": "Osten"},
    {"en": "south", "de": "Süden"},
    {"en": "west", "de": "Westen"},
)
KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
SIGNS = ("player-3", "player-1")  # blue and orange
RIDERS = ({"en": "blue rider", "de": "blauer Fahrer"}, {"en": "orange rider", "de": "oranger Fahrer"})
CELLS = ("", {"en": "blue trail", "de": "blaue Spur"}, {"en": "orange trail", "de": "orange Spur"},
         {"en": "wall", "de": "Mauer"})  # fmt: skip
NOTHING, WALL = 0, 3


def backdrop(t: Tables) -> dict[str, Any]:
    """The wall around the arena."""
    columns, rows = t.size.tolist()
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


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """Trails, walls and riders."""
    columns, rows = t.size.tolist()
    cells = bytes(in_cell(t, s, SIDE * row + column) for row in range(rows) for column in range(columns))
    trails = {
        "kind": "bitmap",
        "name": "arena",
        "columns": columns,
        "rows": rows,
        "roles": ["field", *SIGNS, "frame"],
        "names": CELLS,
        "data": base64.b64encode(cells).decode(),
        "grid": True,
    }
    riders = [
        {
            "kind": "use",
            "symbol": "rider",
            "id": f"rider-{rider}",
            "at": [int(s.cell[rider]) % SIDE + 0.5, int(s.cell[rider]) // SIDE + 0.5],
            "size": [0.8, 0.8],
            "role": SIGNS[rider],
            "edge": "paper",
            "title": RIDERS[rider],
        }
        for rider in range(PLAYERS)
    ]
    return {"layers": [trails, {"name": "riders", "shapes": riders}]}


def in_cell(t: Tables, s: Any, cell: int) -> int:
    """What is in a cell: nothing, the first or the second rider's trail, or a wall."""
    if is_free(s.free, cell):
        return NOTHING
    if not is_free(t.free, cell):
        return WALL
    return 1 if is_free(s.trail, cell) else 2


def gesture(t: Tables, s: Any, player: int, action: int) -> dict[str, Any]:
    """Tap the cell to go to, or press an arrow."""
    cell = int(t.beside[s.cell[player], action])
    described = {"label": DIRECTIONS[action], "key": KEYS[action]}
    column, row = cell % SIDE, cell // SIDE
    if cell == OUTSIDE or column >= t.size[0] or row >= t.size[1]:
        return described
    return {**described, "steps": [f"arena:{column},{row}"]}


WORDS = {
    "cells": {"en": "cells", "de": "Felder"},
    "Light Cycles": {"en": "Light Cycles", "de": "Lichtspuren"},
    "about": {
        "en": "Two riders draw walls behind them, both move at once, and who runs into something is out.",
        "de": "Zwei Fahrer ziehen Mauern hinter sich her, beide fahren zugleich, und wer anstößt, scheidet aus.",
    },
    "blue": {"en": "blue", "de": "Blau"},
    "orange": {"en": "orange", "de": "Orange"},
    "width": {"en": "width", "de": "Breite"},
    "height": {"en": "height", "de": "Höhe"},
    "columns of the open arena": {"en": "columns of the open arena", "de": "Spalten der offenen Arena"},
    "rows of the open arena": {"en": "rows of the open arena", "de": "Reihen der offenen Arena"},
    "board": {"en": "board", "de": "Brett"},
    "an open arena, or one with walls: a to d are 13 rows high": {
        "en": "an open arena, or one with walls: a to d are 13 rows high",
        "de": "eine offene Arena oder eine mit Mauern: a bis d sind 13 Reihen hoch",
    },
    "open": {"en": "open", "de": "offen"},
    "a": {"en": "a: a ring", "de": "a: ein Ring"},
    "b": {"en": "b: scattered walls", "de": "b: verstreute Mauern"},
    "c": {"en": "c: a crossing", "de": "c: eine Kreuzung"},
    "d": {"en": "d: empty", "de": "d: leer"},
    "roomy": {"en": "roomy", "de": "geräumig"},
    "worth of the whole arena": {"en": "worth of the whole arena", "de": "Wert der ganzen Arena"},
}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "Both riders choose a direction without knowing the other's choice; then both move one cell. The"
            " cells behind them become walls. Some arenas have walls from the beginning.",
            "de": "Beide Fahrer wählen eine Richtung, ohne die des anderen zu kennen; dann fahren beide ein Feld"
            " weit. Die Felder hinter ihnen werden zu Mauern. In manchen Arenen stehen von Anfang an welche.",
        },
        "figure": {
            "moves": ["east", "west", "east", "north", "north", "west"],
            "caption": {"en": "After three rounds.", "de": "Nach drei Runden."},
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "Who runs into the border or a wall is out, and the other one wins. If both are, or both ride into"
            " the same cell, it is a draw.",
            "de": "Wer gegen den Rand oder eine Mauer fährt, scheidet aus, und der andere gewinnt. Trifft es beide"
            " oder fahren beide auf dasselbe Feld, ist es unentschieden.",
        },
    },
]
PREVIEW = ["east", "west", "east", "west", "north", "west", "north", "north", "north", "north", "east", "north"]
