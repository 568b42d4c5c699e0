"""How tic-tac-toe looks: nine fields, crosses and rings; the line that won is struck through."""

from __future__ import annotations

from typing import Any

from spielbaum.games.tic_tac_toe.rules import CELLS, LINES, PLAYERS, Tables

MARGIN = 0.12
SYMBOLS_OF_PLAYERS = ("cross", "ring")


def place(cell: int) -> list[float]:
    """The upper left corner of a cell."""
    return [cell % 3, 2 - cell // 3]


def centre(cell: int) -> list[float]:
    x, y = place(cell)
    return [x + 0.5, y + 0.5]


def backdrop(t: Tables) -> dict[str, Any]:
    """The empty board."""
    fields = [
        {
            "kind": "rect",
            "id": f"cell-{cell}",
            "at": place(cell),
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


def scene(t: Tables, s: Any, seat: int | None) -> dict[str, Any]:
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


def gesture(t: Tables, s: Any, action: int) -> dict[str, Any]:
    """Tap the cell; keys as on a number pad."""
    return {"steps": [f"cell-{action}"], "key": str(action + 1)}


PREVIEW = ["b2", "a1", "c3", "c1", "b1"]
WORDS = {
    "Tic-tac-toe": {"en": "Tic-tac-toe", "de": "Tic-Tac-Toe"},
    "about": {
        "en": "Three in a row on nine cells: small enough to be searched to the end at every move.",
        "de": "Drei in einer Reihe auf neun Feldern: klein genug, um jeden Zug bis zum Ende zu durchsuchen.",
    },
}
RULES = [
    {
        "title": {"en": "Goal", "de": "Ziel"},
        "text": {
            "en": "X and O take turns to mark a cell. Whoever gets three marks in a row, across, down or"
            " diagonally, wins.",
            "de": "X und O besetzen abwechselnd ein Feld. Wer drei Zeichen in einer Reihe hat, waagrecht, senkrecht"
            " oder schräg, gewinnt.",
        },
        "figure": {
            "moves": ["b2", "a1", "a3", "c1", "c2", "b1"],
            "caption": {"en": "O has won on the lowest row.", "de": "O hat in der untersten Reihe gewonnen."},
        },
    },
    {
        "title": {"en": "Draw", "de": "Unentschieden"},
        "text": {
            "en": "When all cells are taken and nobody has three in a row, it is a draw. Two players who make no"
            " mistake always draw.",
            "de": "Sind alle Felder besetzt und niemand hat drei in einer Reihe, endet es unentschieden. Wer keine"
            " Fehler macht, verliert nie.",
        },
        "figure": {
            "moves": ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"],
            "caption": {"en": "A draw.", "de": "Unentschieden."},
        },
    },
]
