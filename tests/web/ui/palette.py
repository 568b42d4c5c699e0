"""Take any place of a board that shows every colour, empty and with a piece on it, and every kind of shape."""

import numpy as np

from spielbaum import TERMINAL, rule
from spielbaum.scenes.scene import ROLES

AGENT_TYPES = ("polygon", "line", "path", "text", "use", "line-across")
COLOURS = len(ROLES)
PLACES = 2 * COLOURS + len(AGENT_TYPES)
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, PLACES, PLACES
STATE = np.dtype((np.record, [("taken", "i8", PLACES), ("mover", "i8")]))
COLUMNS = 12


@rule
def player(s):
    for place in range(PLACES):
        if s.taken[place] == 0:
            return s.mover
    return TERMINAL


@rule
def actions(s, out):
    n = 0
    for place in range(PLACES):
        if s.taken[place] == 0:
            out[n] = place
            n += 1
    return n


@rule
def play(s, action):
    s.taken[action] = 1
    s.mover = 1 - s.mover


@rule
def returns(s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0


def spot(place):
    return [place % COLUMNS, place // COLUMNS]


def backdrop():
    squares = [
        {"kind": "rect", "id": f"place-{place}", "at": spot(place), "size": [1, 1], "role": ROLES[place % COLOURS]}
        for place in range(2 * COLOURS)
    ]
    dot = {"box": [0, 0, 1, 1], "shapes": [{"kind": "circle", "at": [0.5, 0.5], "r": 0.4, "role": "ink"}]}
    return {
        "box": [0, 0, COLUMNS, 7],
        "layers": [{"name": "squares", "shapes": squares}, {"name": "kinds", "shapes": agent_types()}],
        "symbols": {"dot": dot},
    }


def agent_types():
    looks = (
        {"kind": "polygon", "points": [[0.1, 0.9], [0.9, 0.9], [0.5, 0.1]], "role": "water"},
        {"kind": "line", "points": [[0.1, 0.1], [0.9, 0.9]], "edge": "road", "width": 0.05},
        {"kind": "path", "d": "M.1 .5C.1 .1 .9 .1 .9 .5Z", "role": "forest"},
        {"kind": "text", "text": "A", "size": 0.5, "role": "ink"},
        {"kind": "use", "symbol": "dot", "role": "player-3"},
        {"kind": "line", "points": [[0.1, 0.5], [0.9, 0.5]], "edge": "ink", "width": 0.1},
    )
    first = 2 * COLOURS
    return [
        {
            **look,
            "id": f"place-{first + i}",
            "at": middle(first + i) if look["kind"] in ("text", "use") else spot(first + i),
        }
        for i, look in enumerate(looks)
    ]


def middle(place):
    x, y = spot(place)
    return [x + 0.5, y + 0.5]


def scene(s):
    pieces = [
        {"kind": "circle", "id": f"piece-{place}", "at": middle(place), "r": 0.3, "role": "player-1"}
        for place in range(COLOURS)
    ]
    return {"layers": [{"name": "pieces", "shapes": pieces}]}


def gesture(action):
    return [f"place-{action}"]
