"""Plant a bed with roses or oaks until none is left; who planted last wins."""

import numpy as np

from spielbaum import TERMINAL, rule

BEDS, PLANTS = 3, 2
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, BEDS * PLANTS + 1, BEDS * PLANTS + 1
PASS = BEDS * PLANTS
STATE = np.dtype((np.record, [("bed", "i8", BEDS), ("to_move", "i8"), ("passed", "i8")]))
SEATS = ("red", "green")
NAMES = ("rose", "oak")


@rule
def player(t, s):
    for bed in range(BEDS):
        if s.bed[bed] == 0:
            return s.to_move
    return TERMINAL


@rule
def actions(t, s, out):
    n = 0
    for bed in range(BEDS):
        if s.bed[bed] == 0:
            for plant in range(PLANTS):
                out[n] = bed * PLANTS + plant
                n += 1
    if s.passed == 0:
        out[n] = PASS
        n += 1
    return n


@rule
def play(t, s, action, rng):
    if action == PASS:
        s.passed = 1
    else:
        s.bed[action // PLANTS] = action % PLANTS + 1
    s.to_move = 1 - s.to_move


@rule
def returns(t, s, out):
    out[s.to_move] = -1.0
    out[1 - s.to_move] = 1.0


def format_action(t, s, action):
    return "pass" if action == PASS else f"{NAMES[action % PLANTS]}-{action // PLANTS + 1}"


def backdrop(t):
    beds = [
        {
            "kind": "circle",
            "id": f"bed-{bed}",
            "at": [bed + 0.5, 0.5],
            "r": 0.45,
            "role": "land",
            "title": f"bed {bed + 1}",
        }
        for bed in range(BEDS)
    ]
    return {"box": [0, 0, BEDS, 1], "layers": [{"name": "beds", "shapes": beds}]}


def scene(t, s, seat):
    plants = [
        {"kind": "text", "id": f"plant-{bed}", "at": [bed + 0.5, 0.5], "text": NAMES[s.bed[bed] - 1], "size": 0.2}
        for bed in range(BEDS) if s.bed[bed]
    ]  # fmt: skip
    return {"layers": [{"name": "plants", "shapes": plants}]}


def gesture(t, s, action):
    if action == PASS:
        return {"steps": [], "label": {"en": "pass", "de": "passen"}, "key": "p"}
    return {
        "steps": [f"bed-{action // PLANTS}"],
        "label": NAMES[action % PLANTS],
        "group": {"en": "plant", "de": "pflanzen"},
    }
