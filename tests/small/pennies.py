"""Matching pennies over several rounds: both choose at once; equal coins pay the first, others the second."""

import numpy as np

from spielbaum import TERMINAL, below, rule

ROUNDS = 2
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 2
HEADS, TAILS = 0, 1
NOTHING, UNKNOWN = 0, 3  # a commitment is NOTHING, 1 + coin, or UNKNOWN to the other player
STATE = np.dtype((np.record, [("committed", "i8"), ("rounds", "i8"), ("score", "i8")]))
POLICIES = ("peek",)


@rule
def player(s):
    if s.rounds == ROUNDS:
        return TERMINAL
    return 0 if s.committed == NOTHING else 1


@rule
def actions(out):
    out[0] = HEADS
    out[1] = TAILS
    return 2


@rule
def play(s, action):
    if s.committed == NOTHING:
        s.committed = 1 + action
        return
    s.score += 1 if s.committed == 1 + action else -1
    s.committed = NOTHING
    s.rounds += 1


@rule
def returns(s, out):
    out[0] = s.score / ROUNDS
    out[1] = -out[0]


@rule
def hide(s, player):
    if player == 1 and s.committed != NOTHING:
        s.committed = UNKNOWN


@rule
def determinize(s, rng):
    if s.committed == UNKNOWN:
        s.committed = 1 + below(rng, 2)


@rule
def policy(s):
    """The other coin where the first one can be seen, else heads."""
    return TAILS if s.committed == 1 + HEADS else HEADS
