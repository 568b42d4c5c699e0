"""Take one, two or three of 21 stones; who takes the last one wins."""

import numpy as np

from spielbaum import TERMINAL, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 4
STATE = np.dtype((np.record, [("taken", "i8"), ("mover", "i8")]))


@rule
def player(s):
    return TERMINAL if s.taken == 21 else s.mover


@rule
def actions(s, out):
    n = min(3, 21 - s.taken)
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def play(s, action):
    s.taken += action
    s.mover = 1 - s.mover


@rule
def returns(s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0
