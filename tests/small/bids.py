"""All bid 0, 1 or 2 at once, three times; the highest bid that nobody else has made scores its round."""

from typing import NamedTuple

import numpy as np

from spielbaum import Param, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 4, 3, 3
STATE = np.dtype((np.record, [("turn", "i8"), ("points", "i8", PLAYERS)]))
OPTIONS = (Param("players", 2, "how many bid", low=2, high=PLAYERS),)
ROUNDS = 3


class Tables(NamedTuple):
    players: int


def tables(options):
    return Tables(options["players"])


def seats(options):
    return [str(number + 1) for number in range(options["players"])]


@rule
def movers(t, s, out):
    for q in range(t.players):
        out[q] = q
    return t.players if s.turn < ROUNDS else 0


@rule
def actions(out):
    for bid in range(3):
        out[bid] = bid
    return 3


@rule
def resolve(t, s, choices):
    s.turn += 1
    for bid in range(2, -1, -1):
        bidders, who = 0, -1
        for q in range(t.players):
            if choices[q] == bid:
                bidders, who = bidders + 1, q
        if bidders == 1:
            s.points[who] += s.turn
            return


@rule
def returns(t, s, out):
    best, winners = 0, 0
    for q in range(t.players):
        best = max(best, s.points[q])
    for q in range(t.players):
        winners += s.points[q] == best
    for q in range(t.players):
        out[q] = 0.0 if winners == t.players else (1.0 if s.points[q] == best else -1.0)


@rule
def evaluate(s):
    """How many rounds have happened, good or bad."""
    return float(s.turn)
