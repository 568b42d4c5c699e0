"""Both take turns three times; the last of three possible actions counts as a capture."""

import numpy as np

from spielbaum import TERMINAL, rule

TURNS = 6
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
STATE = np.dtype((np.record, [("turn", "i8"), ("lead", "i8")]))


@rule
def player(s):
    return TERMINAL if s.turn == TURNS else s.turn & 1


@rule
def actions(out):
    for action in range(3):
        out[action] = action
    return 3


@rule
def capture(action):
    return action == 2


@rule
def play(s, action):
    if capture(action):
        s.lead += 1 if s.turn & 1 == 0 else -1
    s.turn += 1


@rule
def returns(s, out):
    out[0] = np.sign(s.lead)
    out[1] = -out[0]
