"""How Connect Four looks: a standing board with holes; discs fall from above, the four that won are ringed."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.connect_four.rules import COLUMN, HEIGHT, PLAYERS, WIDTH
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
COLUMNS = "abcdefg"
HOLE, DISC = 0.4, 0.42
DISCS = ("yellow disc", "red disc")
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


def centre(column: int, row: int) -> list[float]:
    return [column + 0.5, HEIGHT - row - 0.5]


def backdrop() -> dict[str, Any]:
    """The empty board; a whole column can be touched."""
    frame = {"kind": "rect", "at": [-0.15, -0.15], "size": [WIDTH + 0.3, HEIGHT + 0.3], "round": 0.3, "role": "board"}
    columns = [
        {
            "kind": "rect",
            "id": f"column-{column}",
            "at": [column, 0],
            "size": [1, HEIGHT],
            "role": "board",
            "title": TEXTS.format("column {letter}", letter=COLUMNS[column]),
        }
        for column in range(WIDTH)
    ]
    holes = [
        {"kind": "circle", "at": centre(column, row), "r": HOLE, "role": "hole", "title": f"{COLUMNS[column]}{row + 1}"}
        for column in range(WIDTH)
        for row in range(HEIGHT)
    ]
    names = [
        {"kind": "text", "at": [column + 0.5, HEIGHT + 0.45], "text": name, "size": 0.32, "role": "muted"}
        for column, name in enumerate(COLUMNS)
    ]
    layers = {"frame": [frame], "columns": columns, "holes": holes, "names": names}
    return {
        "box": [-0.25, -0.25, WIDTH + 0.5, HEIGHT + 1],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
    }


def scene(s: Any) -> dict[str, Any]:
    """The discs, and rings around those that won."""
    discs = [
        {
            "kind": "circle",
            "id": f"disc-{column}-{row}",
            "at": centre(column, row),
            "r": DISC,
            "role": f"player-{player + 1}",
            "title": TEXTS[DISCS[player]],
        }
        for player in range(PLAYERS)
        for column, row in squares(s, player)
    ]
    return {"layers": [{"name": "discs", "shapes": discs}, {"name": "four", "shapes": rings(s)}]}


def squares(s: Any, player: int) -> list[tuple[int, int]]:
    """Where a player has discs, as columns and rows."""
    discs = int(s.discs[player])
    return [(c, r) for c in range(WIDTH) for r in range(HEIGHT) if discs >> (COLUMN * c + r) & 1]


def rings(s: Any) -> list[dict[str, Any]]:
    """The discs in lines of four."""
    if s.winner == 0:
        return []
    own = set(squares(s, int(s.winner) - 1))
    lines = [[(c + i * dc, r + i * dr) for i in range(4)] for c, r in own for dc, dr in STEPS]
    winning = {square for line in lines if own.issuperset(line) for square in line}
    return [
        {"kind": "circle", "id": f"ring-{c}-{r}", "at": centre(c, r), "r": 0.24, "edge": "paper", "width": 0.08}
        for c, r in sorted(winning)
    ]


def gesture(action: int) -> dict[str, Any]:
    """Tap the column, or press its number."""
    return {"steps": [f"column-{action}"], "key": str(action + 1)}


PREVIEW = ["d", "d", "d", "e", "c", "e", "e", "b", "c", "c", "b"]
