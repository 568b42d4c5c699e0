"""Stuck: count to twelve by ones and twos, with a rule that does not end where six was counted."""

import numpy as np

from spielbaum import TERMINAL, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 2
PREVIEW = ()
STATE = np.dtype((np.record, [("n", "i8"), ("mover", "i8")]))


@rule
def player(s):
    return TERMINAL if s.n >= 12 else s.mover


@rule
def actions(out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def play(s, action):
    s.n += action + 1
    s.mover = 1 - s.mover
    while s.n == 6:
        s.mover = 1 - s.mover


@rule
def returns(s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0
