"""How Light Cycles looks: an arena from above as a bitmap of trails, with the riders on it."""

from __future__ import annotations

import base64
import pathlib
from typing import Any

from spielbaum.games.light_cycles.boards import SIDE
from spielbaum.games.light_cycles.rules import OUTSIDE, PLAYERS, Tables, is_free
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
DIRECTIONS = ("north", "east", "south", "west")
KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
SIGNS = ("player-3", "player-1")  # blue and orange
RIDERS = ("blue rider", "orange rider")
CELLS = ("blue trail", "orange trail", "wall")
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
        "names": ["", *(TEXTS[name] for name in CELLS)],
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
            "title": TEXTS[RIDERS[rider]],
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
    described = {"label": TEXTS[DIRECTIONS[action]], "key": KEYS[action]}
    column, row = cell % SIDE, cell // SIDE
    if cell == OUTSIDE or column >= t.size[0] or row >= t.size[1]:
        return described
    return {**described, "steps": [f"arena:{column},{row}"]}


PREVIEW = ["east", "west", "east", "west", "north", "west", "north", "north", "north", "north", "east", "north"]
