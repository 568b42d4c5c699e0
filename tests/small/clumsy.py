"""Take one or two of seven sticks, the last one wins; no drawing where three are taken, no moves where four are."""

from __future__ import annotations

import numpy as np

from spielbaum import TERMINAL, rule

STICKS = 7
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 3
STATE = np.dtype((np.record, [("taken", "i8"), ("turn", "i8")]))


@rule
def player(s):
    return TERMINAL if s.taken >= STICKS else s.turn


@rule
def actions(out):
    out[0], out[1] = 1, 2
    return 2


@rule
def play(s, action):
    s.taken += action
    s.turn = 1 - s.turn


@rule
def returns(s, out):
    out[1 - s.turn] = 1.0
    out[s.turn] = -1.0


def scene(s):
    if s.taken == 3:
        raise ValueError("no idea how to draw this")
    return {"status": f"{STICKS - s.taken} left"}


def gesture(s, action):
    if s.taken == 4:
        raise KeyError("no idea how to move here")
    return {"label": f"take {action}"}
