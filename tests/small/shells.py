"""Three rounds of a shell game: one hides a pea and one lifts a shell, both at once; between rounds they change roles.

The second round has one mover only: the hider shuffles or does not.
"""

import numpy as np

from spielbaum import rule

ROUNDS, SHELLS, NOBODY = 3, 3, -1
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, SHELLS, SHELLS
SEATS = ("ann", "bob")
STATE = np.dtype((np.record, [("stage", "i8"), ("score", "i8"), ("last", "i8", PLAYERS)]))
WORDS = {"ann": {"en": "Ann", "de": "Anna"}, "bob": {"en": "Bob", "de": "Bernd"}}


@rule
def start(s):
    s.last[0] = NOBODY
    s.last[1] = NOBODY


@rule
def movers(s, out):
    if s.stage == ROUNDS:
        return 0
    out[0] = 0
    if s.stage == 1:
        return 1
    out[1] = 1
    return 2


@rule
def actions(s, out):
    n = SHELLS - 1 if s.stage == 1 else SHELLS
    for shell in range(n):
        out[shell] = shell
    return n


@rule
def resolve(s, choices):
    """Who lifts the shell with the pea gets a point, otherwise who hid it does; Ann hides it first."""
    if s.stage != 1:
        found = choices[0] == choices[1]
        s.score += 1 if found == (s.stage > 1) else -1
    for player in range(PLAYERS):
        s.last[player] = choices[player]
    s.stage += 1


@rule
def returns(s, out):
    out[0] = s.score / 2
    out[1] = -out[0]


def format_action(action):
    return "abc"[action]


def backdrop():
    shells = [
        {"kind": "circle", "id": f"shell-{i}", "at": [i + 0.5, 0.5], "r": 0.45, "role": "shell", "title": "abc"[i]}
        for i in range(SHELLS)
    ]
    return {"box": [0, 0, SHELLS, 1], "layers": [{"name": "shells", "shapes": shells}]}


def scene(s):
    hands = [
        {"kind": "circle", "id": f"hand-{player}", "at": [s.last[player] + 0.3 + 0.4 * player, 0.5], "r": 0.15,
         "role": f"player-{player + 1}"}
        for player in range(PLAYERS) if s.last[player] != NOBODY
    ]  # fmt: skip
    score = {"id": "score", "items": [{"label": {"en": "Ann's lead", "de": "Annas Vorsprung"}, "value": int(s.score)}]}
    return {"layers": [{"name": "hands", "shapes": hands}], "panels": [score]}


def gesture(action, player):
    owner = {"en": ("Ann", "Bob")[player], "de": ("Anna", "Bernd")[player]}
    return {"steps": [f"shell-{action}"], "label": {lang: f"{who} {'abc'[action]}" for lang, who in owner.items()}}
