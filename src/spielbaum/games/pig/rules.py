"""The rules of Pig, a game of chance and nerve for two (J. Scarne, "Scarne on Dice", 1945).

In a turn a player rolls a die as often as they like. Each roll adds to the turn's total, but a 1
ends the turn and the total is lost; to hold is to bank the total and pass the die. Whoever banks
the target first wins. A turn begins with a roll, so that a game can't stand still.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

ROLL, HOLD = 0, 1
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 2
CHANCE = True
OPTIONS = (Param("target", 100, "points that win the game", low=10, high=200),)

STATE = np.dtype(
    (
        np.record,
        [
            ("score", "i8", PLAYERS),  # what each player has banked
            ("total", "i8"),  # of this turn, not banked yet
            ("to_move", "i8"),
        ],
    )
)


class Tables(NamedTuple):
    """The options."""

    target: int


def tables(options: dict[str, Any]) -> Tables:
    """The options as the rules read them."""
    return Tables(options["target"])


@rule
def player(t, s):
    if s.score[0] >= t.target or s.score[1] >= t.target:
        return TERMINAL
    return s.to_move


@rule
def actions(s, out):
    out[0] = ROLL
    if s.total == 0:
        return 1
    out[1] = HOLD
    return 2


@rule
def play(s, action, rng):
    if action == HOLD:
        s.score[s.to_move] += s.total
        end_turn(s)
        return
    die = 1 + below(rng, 6)
    if die == 1:
        end_turn(s)
    else:
        s.total += die


@rule
def end_turn(s):
    s.total = 0
    s.to_move = 1 - s.to_move


METRICS = ("points",)


@rule
def metrics(s, player, out):
    """What the player has banked."""
    out[0] = s.score[player]


@rule
def returns(t, s, out):
    winner = 0 if s.score[0] >= t.target else 1
    out[winner] = 1.0
    out[1 - winner] = -1.0
