"""Everybody draws in turn for some rounds, surely 1 point or by chance 0 to 3; most points win. Two to six seats.

The option `players` sets how many take part. No seat is better than another, and chance is better than certainty.
`sleeper` is an agent that takes its time.
"""

import time
from typing import NamedTuple

import numpy as np

from spielbaum import TERMINAL, Param, below, rule
from spielbaum.agents import AgentType

PLAYERS, MAX_ACTIONS, ACTION_CODES = 6, 2, 2
SURE, RISKY = 0, 1
CHANCE = True
STATE = np.dtype((np.record, [("turn", "i8"), ("points", "i8", PLAYERS)]))
POLICIES = ("timid", "bold")
METRICS = ("points",)
OPTIONS = (
    Param("players", 4, "how many take part", low=2, high=PLAYERS),
    Param("rounds", 4, "how often each of them draws", low=1),
)


class Tables(NamedTuple):
    players: int
    rounds: int


def tables(options):
    return Tables(options["players"], options["rounds"])


def seats(options):
    return [f"p{number}" for number in range(options["players"])]


@rule
def player(t, s):
    return TERMINAL if s.turn == t.players * t.rounds else s.turn % t.players


@rule
def actions(out):
    out[0] = SURE
    out[1] = RISKY
    return 2


@rule
def play(t, s, action, rng):
    s.points[s.turn % t.players] += 1 if action == SURE else below(rng, 4)
    s.turn += 1


@rule
def returns(t, s, out):
    best = 0
    for q in range(t.players):
        best = max(best, s.points[q])
    for q in range(len(out)):
        out[q] = 1.0 if q < t.players and s.points[q] == best else -1.0


@rule
def policy(which):
    return which


@rule
def metrics(s, player, out):
    out[0] = s.points[player]


class Sleeper:
    """Sleeps as long as it is told to, whatever the clock says, and goes for certainty."""

    ponders = False

    def __init__(self, game, values, seed):
        self.seconds = values["seconds"]
        self.clocks = []

    def act(self, state, clock=None, *, watch=None):
        self.clocks.append(clock)
        time.sleep(self.seconds)
        return SURE

    def report(self, tree_nodes=0):
        return None


AGENT_TYPES = (AgentType("sleeper", "sleeps", lambda game: (Param("seconds", 0.0, "how long", low=0.0),), Sleeper),)
