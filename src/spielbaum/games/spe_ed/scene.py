"""How spe_ed looks: lines as a bitmap, heads that point where they ride, and beside it who is how fast."""

from __future__ import annotations

import base64
import functools
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from spielbaum.games.spe_ed.painting import Painting, painting
from spielbaum.games.spe_ed.rules import FASTEST, JUMP_EVERY, SLOW_DOWN, SLOWEST, SPEED_UP
from spielbaum.games.spe_ed.tables import OFFICIAL_LARGEST, PLAYERS, WORD, Tables
from spielbaum.translations import Text, Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
RULES = TEXTS.rules
SIGNS = tuple(f"player-{number}" for number in range(1, PLAYERS + 1))
CRASHED, UNKNOWN = PLAYERS + 1, PLAYERS + 2  # in the bitmap, after the players
ROLES = ["field", *SIGNS, "ink", "muted"]
HEADINGS = (
    "player {number}, heading up, speed {speed}",
    "player {number}, heading left, speed {speed}",
    "player {number}, heading down, speed {speed}",
    "player {number}, heading right, speed {speed}",
)
ARROW = ((0.0, -0.62), (0.5, -0.18), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.18))  # a head that rides up
SMALL = 28  # cells of a side; on larger boards heads are larger than a cell
TURNED = (lambda x, y: (x, y), lambda x, y: (y, -x), lambda x, y: (-x, -y), lambda x, y: (-y, x))


def backdrop(t: Tables) -> dict[str, Any]:
    """As large as the board; where that is drawn, as it may be, and each scene says how large it is."""
    return {"box": box(t.width or OFFICIAL_LARGEST, t.height or OFFICIAL_LARGEST)}


def box(width: int, height: int) -> list[float]:
    """A board with a margin for heads that have left it."""
    margin = head_size(width, height)
    return [-margin, -margin, width + 2 * margin, height + 2 * margin]


def head_size(width: int, height: int) -> float:
    return max(1.0, round(max(width, height) / SMALL, 2))


def scene(t: Tables, s: Any, history: Sequence[int] | None) -> dict[str, Any]:
    """Lines, what was jumped over, and heads."""
    width, height = int(s.width), int(s.height)
    painted = None if history is None else painting(t, s, history)
    cells = unpainted(t, s) if painted is None else np.where(painted.cells < 0, CRASHED, painted.cells)
    size = head_size(width, height)
    wall = {"kind": "rect", "at": [-0.3 * size] * 2, "size": [width + 0.6 * size, height + 0.6 * size], "role": "frame"}
    lines = {
        "kind": "bitmap",
        "name": "cells",
        "columns": width,
        "rows": height,
        "roles": ROLES,
        "names": cell_names(),
        "data": base64.b64encode(cells.astype(np.uint8).tobytes()).decode(),
        "grid": max(width, height) <= SMALL,
    }
    heads = [shape for p in range(t.players) for shape in head_shapes(s, p, size)]
    return {
        "box": box(width, height),
        "layers": [
            {"name": "wall", "shapes": [wall]},
            lines,
            {"name": "jumps", "shapes": [] if painted is None else jumps(painted)},
            {"name": "heads", "shapes": heads},
        ],
        "panels": [round_panel(s), *(player_panel(t, s, p) for p in range(t.players))],
    }


@functools.cache
def cell_names() -> list[str | Text]:
    """What the roles of the bitmap mean."""
    lines = [TEXTS.format("line of player {number}", number=number) for number in range(1, PLAYERS + 1)]
    return ["", *lines, TEXTS["crash"], TEXTS["line"]]


def unpainted(t: Tables, s: Any) -> np.ndarray:
    """u1[height, width]: the cells of a position that was set up, of which nobody knows who has drawn what."""
    free = s.free[: s.height * t.words].reshape(s.height, t.words).astype("<u8").view(np.uint8)
    bits = np.unpackbits(free, axis=1, bitorder="little").reshape(s.height, t.words * WORD)
    return np.where(bits[:, : s.width] == 1, 0, UNKNOWN)


def jumps(painted: Painting) -> list[dict[str, Any]]:
    """What was jumped over in the last round, as dashed lines."""
    return [
        {
            "kind": "line",
            "points": [[x + 0.5, y + 0.5] for x, y in (ride.jumped[0], ride.jumped[-1])],
            "edge": SIGNS[p],
            "width": 0.3,
            "dashed": True,
            "title": TEXTS.format("jump of player {number}", number=p + 1),
        }
        for p, ride in painted.last.items()
        if len(ride.jumped) > 1
    ]


def head_shapes(s: Any, p: int, size: float) -> list[dict[str, Any]]:
    """An arrow with the player's number; a disc with a cross for who is out."""
    at = [int(s.x[p]) + 0.5, int(s.y[p]) + 0.5]
    if s.died[p]:
        arm = 0.22 * size
        cross = f"M{-arm} {-arm}L{arm} {arm}M{-arm} {arm}L{arm} {-arm}"
        title = TEXTS.format("player {number}, out", number=p + 1)
        disc = {"kind": "circle", "id": f"out-{p + 1}", "at": at, "r": 0.5 * size, "role": SIGNS[p], "title": title}
        return [{**disc, "edge": "ink", "width": 0.06 * size}, {"kind": "path", "at": at, "d": cross, "edge": "paper",
                "width": 0.14 * size}]  # fmt: skip
    arrow = {
        "kind": "polygon",
        "id": f"head-{p + 1}",
        "at": at,
        "points": [[size * across for across in TURNED[s.direction[p]](x, y)] for x, y in ARROW],
        "role": SIGNS[p],
        "edge": "ink",
        "width": 0.08 * size,
        "title": TEXTS.format(HEADINGS[s.direction[p]], number=p + 1, speed=int(s.speed[p])),
    }
    number = {"kind": "text", "id": f"number-{p + 1}", "at": at, "text": str(p + 1), "size": 0.66 * size,
              "role": "paper", "weight": "bold"}  # fmt: skip
    return [arrow, number]


def round_panel(s: Any) -> dict[str, Any]:
    """How far the game is, and when players jump."""
    wait = JUMP_EVERY - 1 - int(s.rounds) % JUMP_EVERY
    items = [
        {"label": TEXTS["round"], "value": int(s.rounds)},
        {"label": TEXTS["board"], "value": f"{s.width} × {s.height}"},
        {"label": TEXTS["rounds until a jump"], "value": wait},
    ]
    return {"id": "rounds", "show": "row", "items": items if s.active > 1 else items[:2]}


def player_panel(t: Tables, s: Any, p: int) -> dict[str, Any]:
    """A player's speed, or its place."""
    if s.died[p] or s.active < 2:
        items = [
            {"label": TEXTS["place"], "value": rank(t, s, p)},
            *([{"label": TEXTS["out in round"], "value": int(s.died[p])}] if s.died[p] else []),
        ]
    else:
        items = [{"label": TEXTS["speed"], "value": int(s.speed[p])}]
    return {"id": f"player-{p + 1}", "seat": p, "show": "row", "items": items}


def rank(t: Tables, s: Any, p: int) -> int:
    """By the round in which players went out; who did so in the same one share a place."""
    ends = [int(died) or int(s.rounds) + 1 for died in s.died[: t.players]]
    return 1 + sum(end > ends[p] for end in ends)


MOVES = (
    ("straight on", " "),
    ("turn right", "ArrowRight"),
    ("turn left", "ArrowLeft"),
    ("faster", "ArrowUp"),
    ("slower", "ArrowDown"),
    ("no answer", None),
)


def gesture(s: Any, player: int, action: int) -> dict[str, Any]:
    """A button and a key; arrows are as seen by the rider."""
    name, key = MOVES[action]
    label = TEXTS[name]
    speed = int(s.speed[player])
    if (action == SPEED_UP and speed == FASTEST) or (action == SLOW_DOWN and speed == SLOWEST):
        label = TEXTS.format("{move} (out!)", move=label)
    return {"label": label, **({"key": key} if key else {})}


@functools.cache
def words() -> dict[str, str | Text]:
    """Translations of what the game declares; its players have names, which are the same in every language."""
    named = ("brunhilde", "finalist", "odin", "siegfried", "thor", "tyr")
    return {**TEXTS.words(), "neat": "NEAT", **{name: name.capitalize() for name in named}}


PRESETS = {
    "small": {"players": 4, "width": 20, "height": 20, "start": "symmetric"},
    "two": {"players": 2, "width": 16, "height": 16, "start": "symmetric"},
    "official": {},
}
KIOSK = {"options": PRESETS["small"]}
SUGGESTIONS = {"start": ("official", "symmetric")}

PREVIEW = [
    int(action)
    for action in (
        "3030000000000000100000100033010000000000000102030000032003320004000100040001132010000130340000000000"
        "0031420000230000000040042330004200300200003000020320010000003003040130200220400400100300430304430424"
        "022320000200303404200420032004002300204000420"
    )
]  # 45 rounds
