"""A thousand actions a turn: both choose numbers, and who has named more multiples of seven at the end wins."""

import numpy as np

from spielbaum import TERMINAL, below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 1400, 1400
STATE = np.dtype((np.record, [("ply", "i8"), ("lead", "i8"), ("last", "i8")]))
FILTERS = ("sevens", "nothing")
LENGTH = 12


@rule
def player(s):
    return TERMINAL if s.ply == LENGTH else s.ply % 2


@rule
def actions(out):
    for i in range(ACTION_CODES):
        out[i] = i
    return ACTION_CODES


@rule
def sample(rng):
    return below(rng, ACTION_CODES)


@rule
def play(s, action):
    if action % 7 == 0:
        s.lead += 1 if s.ply % 2 == 0 else -1
    s.last = action
    s.ply += 1


@rule
def returns(s, out):
    out[0] = min(1, max(-1, s.lead))
    out[1] = -out[0]


@rule
def evaluate(s, player):
    return s.lead / LENGTH if player == 0 else -s.lead / LENGTH


@rule
def keep(which, action):
    return which == 0 and action % 7 == 0


@rule
def changed(s, before, out):
    """What was named since is to be forgotten."""
    out[0] = s.last
    return 1
