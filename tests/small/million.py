"""One of two boxes, then a key of many: only one key opens the first box, for the second player.

There may be a million legal moves, for all that the game says; five thousand there are.
"""

import numpy as np

from spielbaum import TERMINAL, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 1_000_000, 1_000_000
KEYS, OPENS = 5000, 4567
STATE = np.dtype((np.record, [("ply", "i8"), ("box", "i8"), ("key", "i8")]))


@rule
def player(s):
    return TERMINAL if s.ply == 2 else s.ply


@rule
def actions(s, out):
    n = 2 if s.ply == 0 else KEYS
    for i in range(n):
        out[i] = i
    return n


@rule
def play(s, action):
    if s.ply == 0:
        s.box = action
    else:
        s.key = action
    s.ply += 1


@rule
def returns(s, out):
    out[0] = 0.2
    if s.box == 0:
        out[0] = -1.0 if s.key == OPENS else 0.5
    out[1] = -out[0]


@rule
def capture(s, action):
    return s.ply == 1 and action % 2 == 1


@rule
def evaluate(s, player):
    return 0.0
