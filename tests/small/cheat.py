"""Take one or two of seven sticks, the last one wins; one policy takes none at all."""

from __future__ import annotations

import numpy as np

from spielbaum import TERMINAL, rule

STICKS = 7
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 3
STATE = np.dtype((np.record, [("taken", "i8"), ("turn", "i8")]))
POLICIES = ("cheat",)


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


@rule
def policy(s):
    return 0 if s.taken < STICKS - 2 and s.turn == 0 else 1
