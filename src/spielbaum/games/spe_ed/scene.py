"""How spe_ed looks: lines as a bitmap, heads that point where they ride, and beside it who is how fast."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from spielbaum.games.spe_ed.painting import Painting, painting
from spielbaum.games.spe_ed.rules import FASTEST, JUMP_EVERY, JUMP_SPEED, SLOW_DOWN, SLOWEST, SPEED_UP
from spielbaum.games.spe_ed.tables import OFFICIAL_LARGEST, PLAYERS, WORD, Tables

SIGNS = tuple(f"player-{number}" for number in range(1, PLAYERS + 1))
CRASHED, UNKNOWN = PLAYERS + 1, PLAYERS + 2  # in the bitmap, after the players
ROLES = ["field", *SIGNS, "ink", "muted"]
CELLS = [
    "",
    *({"en": f"line of player {n}", "de": f"Linie von Spieler {n}"} for n in range(1, PLAYERS + 1)),
    {"en": "crash", "de": "Unfall"},
    {"en": "line", "de": "Linie"},
]
HEADINGS = (
    {"en": "up", "de": "oben"},
    {"en": "left", "de": "links"},
    {"en": "down", "de": "unten"},
    {"en": "right", "de": "rechts"},
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
        "names": CELLS,
        "data": base64.b64encode(cells.astype(np.uint8).tobytes()).decode(),
        "grid": max(width, height) <= SMALL,
    }
    heads = [shape for p in range(t.players) for shape in head(s, p, size)]
    return {
        "box": box(width, height),
        "layers": [
            {"name": "wall", "shapes": [wall]},
            lines,
            {"name": "jumps", "shapes": [] if painted is None else jumps(painted)},
            {"name": "heads", "shapes": heads},
        ],
        "panels": [rounds(s), *(player(t, s, p) for p in range(t.players))],
    }


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
            "title": {"en": f"jump of player {p + 1}", "de": f"Sprung von Spieler {p + 1}"},
        }
        for p, ride in painted.last.items()
        if len(ride.jumped) > 1
    ]


def head(s: Any, p: int, size: float) -> list[dict[str, Any]]:
    """An arrow with the player's number; a disc with a cross for who is out."""
    at = [int(s.x[p]) + 0.5, int(s.y[p]) + 0.5]
    if s.died[p]:
        arm = 0.22 * size
        cross = f"M{-arm} {-arm}L{arm} {arm}M{-arm} {arm}L{arm} {-arm}"
        title = {"en": f"player {p + 1}, out", "de": f"Spieler {p + 1}, ausgeschieden"}
        disc = {"kind": "circle", "id": f"out-{p + 1}", "at": at, "r": 0.5 * size, "role": SIGNS[p], "title": title}
        return [{**disc, "edge": "ink", "width": 0.06 * size}, {"kind": "path", "at": at, "d": cross, "edge": "paper",
                "width": 0.14 * size}]  # fmt: skip
    heading, speed = HEADINGS[s.direction[p]], int(s.speed[p])
    arrow = {
        "kind": "polygon",
        "id": f"head-{p + 1}",
        "at": at,
        "points": [[size * across for across in TURNED[s.direction[p]](x, y)] for x, y in ARROW],
        "role": SIGNS[p],
        "edge": "ink",
        "width": 0.08 * size,
        "title": {
            "en": f"player {p + 1}, heading {heading['en']}, speed {speed}",
            "de": f"Spieler {p + 1}, fährt nach {heading['de']}, Tempo {speed}",
        },
    }
    number = {"kind": "text", "id": f"number-{p + 1}", "at": at, "text": str(p + 1), "size": 0.66 * size,
              "role": "paper", "weight": "bold"}  # fmt: skip
    return [arrow, number]


def rounds(s: Any) -> dict[str, Any]:
    """How far the game is, and when players jump."""
    wait = JUMP_EVERY - 1 - int(s.rounds) % JUMP_EVERY
    items = [
        {"label": {"en": "round", "de": "Runde"}, "value": int(s.rounds)},
        {"label": {"en": "board", "de": "Brett"}, "value": f"{s.width} × {s.height}"},
        {"label": {"en": "rounds until a jump", "de": "Runden bis zum Sprung"}, "value": wait},
    ]
    return {"id": "rounds", "show": "row", "items": items if s.active > 1 else items[:2]}


def player(t: Tables, s: Any, p: int) -> dict[str, Any]:
    """A player's speed, or its place."""
    if s.died[p] or s.active < 2:
        items = [
            {"label": {"en": "place", "de": "Platz"}, "value": place(t, s, p)},
            *([{"label": {"en": "out in round", "de": "raus in Runde"}, "value": int(s.died[p])}] if s.died[p] else []),
        ]
    else:
        items = [{"label": {"en": "speed", "de": "Tempo"}, "value": int(s.speed[p])}]
    return {"id": f"player-{p + 1}", "seat": p, "show": "row", "items": items}


def place(t: Tables, s: Any, p: int) -> int:
    """By the round in which players went out; who did so in the same one share a place."""
    ends = [int(died) or int(s.rounds) + 1 for died in s.died[: t.players]]
    return 1 + sum(end > ends[p] for end in ends)


MOVES = (
    ({"en": "straight on", "de": "geradeaus"}, " "),
    ({"en": "turn right", "de": "nach rechts"}, "ArrowRight"),
    ({"en": "turn left", "de": "nach links"}, "ArrowLeft"),
    ({"en": "faster", "de": "schneller"}, "ArrowUp"),
    ({"en": "slower", "de": "langsamer"}, "ArrowDown"),
    ({"en": "no answer", "de": "keine Antwort"}, None),
)


def gesture(s: Any, player: int, action: int) -> dict[str, Any]:
    """A button and a key; arrows are as seen by the rider."""
    label, key = MOVES[action]
    speed = int(s.speed[player])
    if (action == SPEED_UP and speed == FASTEST) or (action == SLOW_DOWN and speed == SLOWEST):
        label = {"en": f"{label['en']} (out!)", "de": f"{label['de']} (raus!)"}
    return {"label": label, **({"key": key} if key else {})}


PRESETS = {
    "small": {"players": 4, "width": 20, "height": 20, "start": "symmetric"},
    "two": {"players": 2, "width": 16, "height": 16, "start": "symmetric"},
    "official": {},
}
KIOSK = {"options": PRESETS["small"]}
SUGGESTIONS = {"start": ("official", "symmetric")}

ON = "change_nothing"
FIGURE = {"players": 2, "width": 14, "height": 9}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "All players choose at once: ride **straight on**, turn **left** or **right**, or get one **faster**"
            " or **slower**. Then all ride as many cells as they are fast and leave a line. Everybody begins with"
            " speed 1.",
            "de": "Alle wählen zugleich: **geradeaus** fahren, nach **links** oder **rechts** abbiegen, um eins"
            " **schneller** oder **langsamer** werden. Dann fahren alle so viele Felder weit, wie sie schnell sind,"
            " und hinterlassen eine Linie. Am Anfang hat jeder Tempo 1.",
        },
        "figure": {
            "options": {**FIGURE, "start": "1,1,right; 12,7,left"},
            "moves": ["speed_up", ON, ON, "turn_right", "turn_right", ON, ON, "speed_up"],
            "caption": {
                "en": "After four rounds: player 1 is 2 fast and rides down, player 2 is 2 fast and rides up.",
                "de": "Nach vier Runden: Spieler 1 fährt mit Tempo 2 nach unten, Spieler 2 mit Tempo 2 nach oben.",
            },
        },
    },
    {
        "title": {"en": "Out", "de": "Ausscheiden"},
        "text": {
            "en": "Who leaves the board, touches a line, a head or an earlier crash is out. So is who gets faster than"
            " 10 or slower than 1. Who meets an old line is out alone; players who come to the same cell in the same"
            " round are all out. All lines stay, also those of who is out.",
            "de": "Wer das Brett verlässt oder eine Linie, einen Kopf oder einen früheren Unfall berührt, scheidet aus;"
            " ebenso, wer schneller als 10 oder langsamer als 1 wird. Wer auf eine alte Linie trifft, scheidet allein"
            " aus; wer in derselben Runde auf dasselbe Feld kommt, scheidet gemeinsam aus. Alle Linien bleiben, auch"
            " die der Ausgeschiedenen.",
        },
        "figure": {
            "options": {**FIGURE, "players": 3, "start": "2,6,right; 7,1,down; 12,3,left"},
            "moves": [ON, ON, ON, ON, ON, ON, ON, ON, "speed_up", ON, ON, ON],
            "caption": {
                "en": "Player 3 has met the line of player 2 and is out.",
                "de": "Spieler 3 ist auf die Linie von Spieler 2 gefahren und ausgeschieden.",
            },
        },
    },
    {
        "title": {"en": "Jumps", "de": "Sprünge"},
        "text": {
            "en": f"Every sixth round whoever is at least {JUMP_SPEED} fast jumps: only the first and the last cell of"
            " the ride are drawn, and what lies between can't be hit. So lines get gaps, and who is fast comes over"
            " them.",
            "de": f"In jeder sechsten Runde springt, wer mindestens Tempo {JUMP_SPEED} hat: Nur das erste und letzte"
            " Feld der Fahrt werden gezeichnet, und was dazwischen liegt, kann man nicht treffen. So bekommen Linien"
            " Lücken, und wer schnell ist, kommt über sie hinweg.",
        },
        "figure": {
            "options": {**FIGURE, "width": 22, "start": "0,2,right; 20,8,left"},
            "moves": ["speed_up", ON, "speed_up", ON, ON, ON, ON, ON, "speed_up", ON, ON, ON],
            "caption": {
                "en": "The sixth round: player 1 is 4 fast and has jumped over two cells.",
                "de": "Die sechste Runde: Spieler 1 hat mit Tempo 4 zwei Felder übersprungen.",
            },
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "The last player on the board wins. If the last ones go out in the same round, nobody does. Places"
            " follow from the rounds in which players went out.",
            "de": "Wer als Letzter auf dem Brett ist, gewinnt. Scheiden die Letzten in derselben Runde aus, gewinnt"
            " niemand. Die Plätze folgen daraus, in welcher Runde jemand ausgeschieden ist.",
        },
    },
]
PREVIEW = [
    int(action)
    for action in (
        "3030000000000000100000100033010000000000000102030000032003320004000100040001132010000130340000000000"
        "0031420000230000000040042330004200300200003000020320010000003003040130200220400400100300430304430424"
        "022320000200303404200420032004002300204000420"
    )
]  # 45 rounds
