"""Both are dealt a number up to 2 and bid, both at once; the larger sum wins, but who holds 2 and bids 2 is bust."""

import numpy as np

from spielbaum import below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
UNKNOWN, BUST = -1, 4
STATE = np.dtype((np.record, [("card", "i4", PLAYERS), ("bid", "i4", PLAYERS), ("done", "i8")]))


@rule
def start(s, rng):
    for player in range(PLAYERS):
        s.card[player] = below(rng, 3)


@rule
def movers(s, out):
    out[0], out[1] = 0, 1
    return 0 if s.done else 2


@rule
def actions(out):
    out[0], out[1], out[2] = 0, 1, 2
    return 3


@rule
def resolve(s, choices):
    s.bid[0], s.bid[1], s.done = choices[0], choices[1], 1


@rule
def total(s, player):
    found = s.card[player] + s.bid[player]
    return -1 if found == BUST else found


@rule
def returns(s, out):
    out[0] = np.sign(total(s, 0) - total(s, 1))
    out[1] = -out[0]


@rule
def hide(s, player):
    s.card[1 - player] = UNKNOWN


@rule
def determinize(s, player, rng):
    if s.card[1 - player] == UNKNOWN:
        s.card[1 - player] = below(rng, 3)
