"""The rules of Liar's Dice, one hand of it, as OpenSpiel plays it: everybody rolls in secret, and in turn they bid how
many dice of a face lie on the whole table, each bid higher than the last, until somebody calls the last bidder a liar.

A bid of more dice is higher, and of as many dice one of a higher face; the highest face counts as every other one. If
there are as many dice as were bid, the bidder wins and who doubted loses, otherwise it is the other way round.

The bid of q dice of face f is the number (q - 1)·faces + f - 1, which is also its code. Bids only rise and players
take turns, so a set of bids tells who made which.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

PLAYERS, MOST_DICE, MOST_FACES = 4, 5, 6
MOST_BIDS = PLAYERS * MOST_DICE * MOST_FACES
LIAR = MOST_BIDS
ACTION_CODES = MAX_ACTIONS = MOST_BIDS + 1
UNKNOWN, NOTHING = -1, -1
BLUFF = 0.3  # how often a face is bid that one does not have, measured by one that one has

STATE = np.dtype(
    (
        np.record,
        [
            ("dice", "i1", (PLAYERS, MOST_FACES)),  # how many of each face a player has, UNKNOWN to the others
            ("made", "i1", MOST_BIDS),  # whether a bid was made
            ("last", "i2"),  # the last bid, NOTHING before the first
            ("turn", "i1"),
            ("called", "i1"),  # whether the last bidder was called a liar
        ],
    )
)
OPTIONS = (
    Param("players", 2, "number of players", low=2, high=PLAYERS),
    Param("dice", 1, "number of dice of each player", low=1, high=MOST_DICE),
    Param("faces", 6, "number of faces of a die", low=2, high=MOST_FACES),
)


class Tables(NamedTuple):
    """What stays the same."""

    players: int
    dice: int
    faces: int


def tables(options: dict[str, Any]) -> Tables:
    return Tables(options["players"], options["dice"], options["faces"])


@rule
def start(t, s, rng):
    s.last = NOTHING
    for q in range(t.players):
        roll(t, s, q, rng)


@rule
def roll(t, s, player, rng):
    for face in range(t.faces):
        s.dice[player, face] = 0
    for _ in range(t.dice):
        s.dice[player, below(rng, t.faces)] += 1


@rule
def player(s):
    return TERMINAL if s.called else int(s.turn)


@rule
def actions(t, s, out):
    """Every higher bid, and to doubt the last one."""
    n = 0
    for bid in range(s.last + 1, t.players * t.dice * t.faces):
        out[n] = bid
        n += 1
    if s.last != NOTHING:
        out[n] = LIAR
        n += 1
    return n


@rule
def play(t, s, action):
    if action == LIAR:
        s.called = 1
    else:
        s.last = action
        s.made[action] = 1
        s.turn = (int(s.turn) + 1) % t.players


@rule
def matching(t, s, player, face):
    """How many of a player's dice count as a face."""
    wild = t.faces - 1
    return int(s.dice[player, face]) + (int(s.dice[player, wild]) if face != wild else 0)


@rule
def is_true(t, s):
    """Whether there are as many dice as the last bid said."""
    found = 0
    for q in range(t.players):
        found += matching(t, s, q, s.last % t.faces)
    return found > s.last // t.faces


@rule
def returns(t, s, out):
    """One wins and one loses: the last bidder and who doubted."""
    doubter = int(s.turn)
    bidder = (doubter - 1) % t.players
    out[bidder] = 1.0 if is_true(t, s) else -1.0
    out[doubter] = -out[bidder]


def units(t: Tables) -> dict[str, tuple[str, float]]:
    """Points, where most neither win nor lose."""
    return {"returns": ("points", 1.0)} if t.players > 2 else {}


@rule
def hide(t, s, player):
    """The dice of others, until all are shown."""
    if s.called:
        return
    for q in range(t.players):
        if q != player:
            for face in range(t.faces):
                s.dice[q, face] = UNKNOWN


@rule
def likelihood(t, s, player):
    """How likely the others' bids are with these dice: a face that one does not have is bid less often."""
    found, number = 1.0, 0
    for bid in range(s.last + 1):
        if s.made[bid]:
            bidder = number % t.players
            if bidder != player and s.dice[bidder, bid % t.faces] == 0:
                found *= BLUFF
            number += 1
    return found


@rule
def determinize(t, s, rng):
    for q in range(t.players):
        if s.dice[q, 0] == UNKNOWN:
            roll(t, s, q, rng)
