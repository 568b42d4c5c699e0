"""Take one or two of seven sticks, the last one wins; with agents that do not answer until somebody sets `RELEASE`."""

from __future__ import annotations

import threading

import numba
import numpy as np

from spielbaum import TERMINAL, Param, rule
from spielbaum.agents import AgentType, StatelessAgent

STICKS = 7
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 3
STATE = np.dtype((np.record, [("taken", "i8"), ("turn", "i8")]))
RELEASE = threading.Event()
ASKED = []


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


@numba.njit(nogil=True)
def spin(rounds):
    """Machine code that hears nothing."""
    number = np.uint64(88172645463325252)
    for _ in range(rounds):
        number ^= number << np.uint64(13)
        number ^= number >> np.uint64(7)
        number ^= number << np.uint64(17)
    return number


class Endless(StatelessAgent):
    """Takes one stick, after it has done what its parameter says and looked at nothing meanwhile."""

    def __init__(self, game, values, seed):
        self.how, self.ponders = values["how"], values["how"] == "brood"
        self.enough = threading.Event()

    def act(self, state, clock=None, *, watch=None):
        if self.how == "loop":
            while not RELEASE.is_set():
                pass
        elif self.how == "wait":
            RELEASE.wait()
        elif self.how == "spin":
            while not RELEASE.is_set():
                spin(100_000_000)
        elif self.how == "exit" or (self.how == "once" and not ASKED):
            ASKED.append(state)
            exit(3)
        elif self.how == "heed":
            self.enough.wait()
        return 1

    def ponder(self, state, *, watch=None):
        RELEASE.wait()

    def stop(self):
        self.enough.set()


AGENT_TYPES = (AgentType("endless", "does not end", lambda game: (Param("how", "loop", "what it does"),), Endless),)
