"""The figure of the thesis on path-sum minimax: three moves gain 0, 30 and 30, two replies to each cost more."""

import numpy as np

from spielbaum import TERMINAL, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
STATE = np.dtype((np.record, [("ply", "i8"), ("first", "i8")]))
GAINS = (0, 30, 30)
REPLIES = ((30, 40), (40, 100), (100, 40))


@rule
def player(s):
    return TERMINAL if s.ply == 2 else s.ply


@rule
def actions(s, out):
    n = 3 if s.ply == 0 else 2
    for action in range(n):
        out[action] = action
    return n


@rule
def play(s, action):
    if s.ply == 0:
        s.first = action
    s.ply += 1


@rule
def returns():
    pass


@rule
def gain(s, action):
    return float(GAINS[action] if s.ply == 0 else REPLIES[s.first][action])
