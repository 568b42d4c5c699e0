"""How Latrunculi looks: shells and stones on a slab of stone with engraved lines, framed by a meander.

Boards of this kind were scratched into floors and steps all over the Roman empire, lines without colours;
shells and pebbles are what the museum plays with. Pieces are named by their squares: the renderer sees which has moved.
"""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.latrunculi.board import DRAWN, DUX, GOING_ON, LANE_BITS, LANES, ON_COUNT, PASS, UP
from spielbaum.games.latrunculi.capturing import target_of
from spielbaum.games.latrunculi.notation import FILES, square_name
from spielbaum.games.latrunculi.tables import NEVER, Tables
from spielbaum.translations import Text, Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS = TEXTS.words
SYMBOLS = pathlib.Path(__file__).with_name("symbols.svg")
SIGNS = PIECES = ("shell", "stone")
DUCES = ("dux of the shells", "dux of the stones")
SEVERAL = ("shells", "stones")
SIZE = 0.86
RIM, LIP = 0.62, 0.16  # of the frame
KEY = 0.31  # length of one turn of the meander
WARN = 12  # quiet plies before the end at which the players are told


def centre(cell: int, height: int) -> list[float]:
    """The middle of a square; the first rank is at the bottom."""
    return [cell % UP - 0.5, height - cell // UP + 0.5]


def backdrop(t: Tables) -> dict[str, Any]:
    return slab(t.width, t.height)


def slab(width: int, height: int) -> dict[str, Any]:
    """The empty board."""
    edge = RIM + LIP
    frame = [
        {
            "kind": "rect", "at": [-edge, -edge], "size": [width + 2 * edge, height + 2 * edge], "round": 0.22,
            "role": "frame",
        },
        {
            "kind": "rect", "at": [-RIM, -RIM], "size": [width + 2 * RIM, height + 2 * RIM], "round": 0.1,
            "role": "board", "edge": "grid", "width": 0.03,
        },
        *meanders(width, height),
    ]  # fmt: skip
    squares = [
        {
            "kind": "rect", "id": f"{FILES[file]}{rank + 1}", "at": [file, height - 1 - rank], "size": [1, 1],
            "role": "field", "edge": "grid", "width": 0.035, "title": f"{FILES[file]}{rank + 1}",
        }
        for rank in range(height) for file in range(width)
    ]  # fmt: skip
    return {
        "box": [-edge - 0.05, -edge - 0.05, width + 2 * edge + 0.1, height + 2 * edge + 0.1],
        "layers": [
            {"name": "slab", "shapes": frame},
            {"name": "squares", "shapes": squares},
            {"name": "names", "shapes": names(width, height)},
        ],
    }


def names(width: int, height: int) -> list[dict[str, Any]]:
    """Letters and numbers, small, in the squares along two edges."""
    letter = {"kind": "text", "size": 0.13, "role": "muted"}
    files = [letter | {"text": FILES[file], "at": [file + 0.9, height - 0.11]} for file in range(width)]
    ranks = [letter | {"text": str(height - row), "at": [0.1, row + 0.13]} for row in range(height)]
    return [*files, *ranks]


def meanders(width: int, height: int) -> list[dict[str, Any]]:
    """The ornament along the four sides."""
    above, below, gap = -RIM + 0.16, height + 0.16, 0.15
    level = [
        {"kind": "path", "at": [gap, y], "d": meander(width - 2 * gap), "edge": "grid", "width": 0.035}
        for y in (above, below)
    ]
    upright = [
        {"kind": "path", "at": [x, gap], "turn": 90, "d": meander(height - 2 * gap), "edge": "grid", "width": 0.035}
        for x in (-0.16, width + RIM - 0.16)
    ]
    return [*level, *upright]


def meander(length: float) -> str:
    """A line that turns back on itself, as often as it fits, `KEY` high."""
    turns = round(length / (1.4 * KEY))
    step = length / turns
    one = f"v{-KEY}h{0.75 * step}v{0.66 * KEY}h{-0.4 * step}v{-0.33 * KEY}"
    back = f"v{0.33 * KEY}m{0.4 * step} 0v{0.34 * KEY}h{0.25 * step}"
    return f"M0 {KEY}" + (one + back) * turns


def scene(t: Tables, s: Any) -> dict[str, Any]:
    pieces = [
        shape for side in range(2) for number in range(s.count[side])
        for shape in piece(side, int(s.pieces[side, number]), t.height, is_dux=t.dux and number == DUX)
    ]  # fmt: skip
    drawn: dict[str, Any] = {"layers": [{"name": "pieces", "shapes": pieces}], "panels": panels(t, s)}
    said = status(t, s)
    return drawn | {"status": said} if said else drawn


def piece(side: int, cell: int, height: int, is_dux: bool = False) -> list[dict[str, Any]]:
    """A shell or a stone on a cell; a dux wears a wreath."""
    name = square_name(cell)
    body = {
        "kind": "use", "symbol": PIECES[side], "id": f"{PIECES[side]}-{name}", "at": centre(cell, height),
        "size": [SIZE, SIZE], "role": PIECES[side], "title": TEXTS[(DUCES if is_dux else PIECES)[side]],
    }  # fmt: skip
    if not is_dux:
        return [body]
    return [body, body | {"symbol": "wreath", "id": f"wreath-{name}", "title": None}]


def panels(t: Tables, s: Any) -> list[dict[str, Any]]:
    """What each side has taken, and what it has still to place."""
    whole = t.setup.shape[1]
    taken = [
        {
            "id": f"taken-{side}", "seat": side, "title": TEXTS["captured"], "show": "pictures",
            "items": [counted(1 - side, whole - int(s.count[1 - side]) - int(s.hand[1 - side]))],
        }
        for side in range(2)
    ]  # fmt: skip
    hands = [
        {
            "id": f"hand-{side}", "seat": side, "title": TEXTS["to be placed"],
            "show": "pictures", "items": [counted(side, int(s.hand[side]))],
        }
        for side in range(2) if s.hand[side] > 0
    ]  # fmt: skip
    return [*taken, *hands]


def counted(side: int, number: int) -> dict[str, Any]:
    return {"label": TEXTS[SEVERAL[side]], "value": number, "symbol": PIECES[side], "role": PIECES[side]}


def status(t: Tables, s: Any) -> Text | None:
    """What is special just now."""
    counts = f"{s.count[0]} : {s.count[1]}"
    if s.result == ON_COUNT:
        return TEXTS.format("The game stalled; the count decides, {counts}.", counts=counts)
    if s.result == DRAWN:
        return TEXTS.format("The game stalled, {counts}.", counts=counts)
    if s.result == GOING_ON and s.extra != 0:
        return TEXTS["Something was taken: move again."]
    left = t.quiet - int(s.quiet)
    if s.result == GOING_ON and t.stall != NEVER and s.hand[0] + s.hand[1] == 0 and left <= WARN:
        return TEXTS.format("Without a capture the game ends in {left} plies.", left=left)
    return None


def gesture(action: int) -> list[str] | dict[str, Any]:
    """From square to square, onto a square, or a button to decline the extra move."""
    if action == PASS:
        return {"steps": [], "label": TEXTS["do not move again"], "key": "p"}
    origin = square_name(action >> LANE_BITS)
    return [origin] if action & LANES == 0 else [origin, square_name(int(target_of(action)))]


def drawing(rows: list[str], arrows: list[tuple[str, str]] = [], crosses: list[str] = []) -> dict[str, Any]:  # noqa: B006
    """A figure for the rules from a drawn board, `M` for shells and `S` for stones, the last rank first."""
    width, height = len(rows[0]), len(rows)
    pieces = [
        shape for row, line in enumerate(rows) for file, letter in enumerate(line) if letter in "MS"
        for shape in piece("MS".index(letter), UP * (height - row) + file + 1, height)
    ]  # fmt: skip
    where = lambda name: centre(UP * int(name[1:]) + FILES.index(name[0]) + 1, height)  # noqa: E731
    marks = [
        {"kind": "line", "points": [where(a), where(b)], "edge": "accent", "width": 0.09, "arrow": True}
        for a, b in arrows
    ] + [
        {"kind": "path", "at": where(name), "d": "M-.36-.36L.36.36M.36-.36L-.36.36", "edge": "bad", "width": 0.1}
        for name in crosses
    ]
    return {
        "backdrop": slab(width, height),
        "scene": {"layers": [{"name": "pieces", "shapes": pieces}, {"name": "marks", "shapes": marks}]},
    }
