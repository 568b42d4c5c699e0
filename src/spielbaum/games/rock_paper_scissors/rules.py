"""The rules of rock, paper, scissors: the smallest game in which one has to be unpredictable.

Paper beats rock, rock beats scissors, scissors beat paper, once. A win with rock may count more than the others,
w times as much: then the only equilibrium is to show rock, paper and scissors with the probabilities
1 / (w + 2), w / (w + 2) and 1 / (w + 2). Results are divided by w, so that they stay between -1 and 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
ROCK, PAPER, SCISSORS = range(3)
NOTHING = -1

STATE = np.dtype((np.record, [("shown", "i4", PLAYERS)]))
OPTIONS = (Param("win", 1, "what a win with rock counts; other wins count 1", low=1, high=100),)


class Tables(NamedTuple):
    """What stays the same."""

    win: int


def tables(options: dict[str, Any]) -> Tables:
    return Tables(options["win"])


@rule
def start(s):
    s.shown[0] = s.shown[1] = NOTHING


@rule
def movers(s, out):
    """Both, once."""
    if s.shown[0] != NOTHING:
        return 0
    out[0], out[1] = 0, 1
    return 2


@rule
def actions(out):
    for shape in range(3):
        out[shape] = shape
    return 3


@rule
def resolve(s, choices):
    for player in range(PLAYERS):
        s.shown[player] = choices[player]


def units(t: Tables) -> dict[str, tuple[str, float]]:
    """Points, where wins do not all count the same."""
    return {"returns": ("points", t.win)} if t.win != 1 else {}


@rule
def returns(t, s, out):
    for player in range(PLAYERS):
        if (s.shown[player] - s.shown[1 - player]) % 3 == 1:
            out[player] = 1.0 if s.shown[player] == ROCK else 1.0 / t.win
            out[1 - player] = -out[player]
