"""Stop for nothing, or ask the other, who has one right answer of three and a secret ticket that changes nothing."""

import numpy as np

from spielbaum import TERMINAL, below, rule

TICKETS = 1_000_000
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
STOP, ASK = 0, 1
REFUSE = 0  # the one answer that is good for who gives it
UNKNOWN = -1
STATE = np.dtype((np.record, [("ticket", "i8"), ("asked", "i8"), ("over", "i8"), ("result", "i8")]))


@rule
def start(s, rng):
    s.ticket = below(rng, TICKETS)


@rule
def player(s):
    return TERMINAL if s.over else int(s.asked)


@rule
def actions(s, out):
    n = 3 if s.asked else 2
    for i in range(n):
        out[i] = i
    return n


@rule
def play(s, action):
    if s.asked:
        s.result = -1 if action == REFUSE else 1
    s.over = s.asked or action == STOP
    s.asked = 1


@rule
def returns(s, out):
    out[0] = s.result
    out[1] = -s.result


@rule
def hide(s, player):
    if player == 0:
        s.ticket = UNKNOWN


@rule
def determinize(s, rng):
    if s.ticket == UNKNOWN:
        s.ticket = below(rng, TICKETS)
