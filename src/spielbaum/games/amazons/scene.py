"""How Amazons looks: a chequered board, amazons with their bows, and burnt squares where arrows have struck."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.amazons.notation import FILES, move_name, square_name, squares_of
from spielbaum.games.amazons.rules import AMAZONS, LANE_BITS, PLACE, PLACE_BITS, PLAYERS, Tables
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
MARGIN = 0.55
SIGNS = ("shell", "stone")
TITLES = ("white amazon", "black amazon")


def corner(t: Tables, square: int) -> list[float]:
    """The upper left corner of a square; the first row is at the bottom."""
    return [square & PLACE, t.size - 1 - (square >> PLACE_BITS)]


def centre(t: Tables, square: int) -> list[float]:
    x, y = corner(t, square)
    return [x + 0.5, y + 0.5]


def squares(t: Tables) -> list[int]:
    return [row << PLACE_BITS | column for row in range(t.size) for column in range(t.size)]


def backdrop(t: Tables) -> dict[str, Any]:
    """The empty board."""
    frame = {
        "kind": "rect",
        "at": [-MARGIN, -MARGIN],
        "size": [t.size + 2 * MARGIN, t.size + 2 * MARGIN],
        "round": 0.15,
        "role": "frame",
    }
    fields = [
        {
            "kind": "rect",
            "id": square_name(square),
            "at": corner(t, square),
            "size": [1, 1],
            "role": "field-alt" if (square + (square >> PLACE_BITS)) % 2 == 0 else "field",
            "title": square_name(square),
        }
        for square in squares(t)
    ]
    amazon = [
        {"kind": "circle", "r": 0.8, "role": "ink", "edge": "frame", "width": 0.08},
        {"kind": "path", "d": "M-.3-.55Q.6 0-.3.55Z", "edge": "frame", "width": 0.1},  # the bow
        {"kind": "path", "d": "M-.5 0H.5M.3-.16L.5 0L.3.16", "edge": "frame", "width": 0.1},
    ]
    burnt = [
        {"kind": "rect", "at": [-0.86, -0.86], "size": [1.72, 1.72], "round": 0.2, "role": "muted"},
        {"kind": "path", "d": "M-.42-.42L.42.42M.42-.42L-.42.42", "edge": "paper", "width": 0.16},
    ]
    layers = {"frame": [frame], "fields": fields, "names": names(t)}
    size = t.size + 2 * MARGIN + 0.1
    return {
        "box": [-MARGIN - 0.05, -MARGIN - 0.05, size, size],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
        "symbols": {
            "amazon": {"box": [-1, -1, 2, 2], "shapes": amazon},
            "burnt": {"box": [-1, -1, 2, 2], "shapes": burnt},
        },
    }


def names(t: Tables) -> list[dict[str, Any]]:
    """Letters below the columns and numbers beside the rows."""
    letter = {"kind": "text", "size": 0.26, "role": "paper"}
    columns = [letter | {"text": FILES[i], "at": [i + 0.5, t.size + MARGIN / 2]} for i in range(t.size)]
    rows = [letter | {"text": str(t.size - i), "at": [-MARGIN / 2, i + 0.5]} for i in range(t.size)]
    return [*columns, *rows]


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """The arrows and the amazons."""
    taken, standing = s.lines.tolist(), set(s.amazons.ravel().tolist())
    arrows = [
        {
            "kind": "use",
            "symbol": "burnt",
            "id": f"arrow-{square_name(square)}",
            "at": centre(t, square),
            "size": [1, 1],
            "title": TEXTS["arrow"],
        }
        for square in squares(t)
        if taken[square >> PLACE_BITS] >> (square & PLACE) & 1 and square not in standing
    ]
    amazons = [
        {
            "kind": "use",
            "symbol": "amazon",
            "id": f"amazon-{player}-{amazon}",
            "at": centre(t, int(s.amazons[player, amazon])),
            "size": [0.9, 0.9],
            "role": SIGNS[player],
            "title": TEXTS[TITLES[player]],
        }
        for player in range(PLAYERS)
        for amazon in range(AMAZONS)
    ]
    return {"layers": [{"name": "arrows", "shapes": arrows}, {"name": "amazons", "shapes": amazons}]}


def gesture(s: Any, player: int, action: int) -> dict[str, Any]:
    """Tap the amazon, where it goes, and what it shoots at."""
    squares = squares_of(s.amazons.item(player, action >> 2 * LANE_BITS), action)
    return {"steps": list(squares), "label": move_name(*squares)}


PREVIEW = [
    "d1-d7/g7", "d10-d8/g8", "g1-g6/d3", "g10-f9/f4", "a4-c6/c9", "j7-h7/h3", "j4-i5/i8", "a7-b7/b2",
]  # fmt: skip
