"""Take one or two of seven sticks, the last one wins; with agents that raise, cheat, hang and die.

The policy `slips` takes none at all about once in a thousand decisions.
"""

from __future__ import annotations

import os
import re
import time

import numpy as np

from spielbaum import TERMINAL, Param, below, rule
from spielbaum.agents import AgentType, StatelessAgent

STICKS = 7
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 3
STATE = np.dtype((np.record, [("taken", "i8"), ("turn", "i8")]))
POLICIES = ("slips",)


@rule
def player(s):
    return TERMINAL if s.taken >= STICKS else s.turn


@rule
def actions(out):
    out[0], out[1] = 1, 2
    return 2


@rule
def play(s, action):
    s.taken += action
    s.turn = 1 - s.turn


@rule
def returns(s, out):
    out[1 - s.turn] = 1.0
    out[s.turn] = -1.0


@rule
def policy(rng):
    return 0 if below(rng, 1000) == 0 else 1 + below(rng, 2)


class Unruly(StatelessAgent):
    """Takes one stick; from its second decision on, in games with an odd seed, it does what its parameter says."""

    def __init__(self, game, values, seed):
        self.how, self.odd, self.asked = values["how"], seed % 2, 0
        if self.how == "build":
            raise ValueError("not today")

    def act(self, state, clock=None, *, watch=None):
        self.asked += 1
        return MISDEEDS[self.how]() if self.odd and self.asked == 2 else 1


def fail():
    raise ValueError("no\nidea")


def sleep():
    while True:
        time.sleep(1)


def deaf():
    """Holds the interpreter's lock, so that no thread of its process hears anything."""
    re.match(r"(a|a?)+$", "a" * 60 + "b")


MISDEEDS = {
    "raise": fail,
    "exit": lambda: exit(3),
    "die": lambda: os._exit(7),
    "illegal": lambda: 0,
    "nothing": lambda: None,
    "fraction": lambda: 1.0,
    "sleep": sleep,
    "deaf": deaf,
    "build": fail,
}

AGENT_TYPES = (AgentType("unruly", "misbehaves", lambda game: (Param("how", "raise", "what it does"),), Unruly),)
