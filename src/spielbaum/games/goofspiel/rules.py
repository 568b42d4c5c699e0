"""The rules of Goofspiel, the Game of Pure Strategy (Merrill Flood, about 1930; Ross 1971).

Both players hold the cards 1 … n, and the cards 1 … n are the prizes, turned up one after the other. For each prize
both choose a card at once: the higher one wins as many points as the prize shows, equal cards win nothing, and all
three are gone. Who has more points in the end wins.

A hand is a set of bits; bit k is the card k + 1, which is also the code of playing it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 13, 13
CHANCE = True  # unless the prizes come in a known order
ORDERS = ASCENDING, DESCENDING, RANDOM = "ascending", "descending", "random"
NOTHING = -1

STATE = np.dtype(
    (
        np.record,
        [
            ("hand", "i4", PLAYERS),
            ("prizes", "i4"),  # those that have not been turned up
            ("prize", "i4"),  # the one that is played for, NOTHING at the end
            ("points", "i4", PLAYERS),
            ("last", "i4", PLAYERS),  # what was played in the last round, NOTHING before the first
        ],
    )
)
OPTIONS = (
    Param("cards", 6, "number of cards in each hand, and of prizes", low=3, high=MAX_ACTIONS),
    Param("prizes", RANDOM, "order in which the prizes are turned up", choices=ORDERS),
)


class Tables(NamedTuple):
    """What stays the same."""

    cards: int
    order: int  # index into ORDERS


def tables(options: dict[str, Any]) -> Tables:
    return Tables(options["cards"], ORDERS.index(options["prizes"]))


@rule
def start(t, s, rng):
    for player in range(PLAYERS):
        s.hand[player] = (1 << t.cards) - 1
        s.last[player] = NOTHING
    s.prizes = (1 << t.cards) - 1
    turn_up(t, s, rng)


@rule
def turn_up(t, s, rng):
    """The next prize."""
    left = count(s.prizes)
    if left == 0:
        s.prize = NOTHING
        return
    number = 0
    if t.order == 1:
        number = left - 1
    elif t.order == 2:
        number = below(rng, left)
    s.prize = nth(s.prizes, number)
    s.prizes &= ~(1 << s.prize)


@rule
def count(cards):
    n = 0
    for card in range(MAX_ACTIONS):
        n += cards >> card & 1
    return n


@rule
def nth(cards, number):
    """The card of a set that has so many smaller ones in it."""
    for card in range(MAX_ACTIONS):
        if cards >> card & 1:
            if number == 0:
                return card
            number -= 1
    return NOTHING


@rule
def movers(s, out):
    """Both, as long as there is a prize."""
    if s.prize == NOTHING:
        return 0
    out[0], out[1] = 0, 1
    return 2


@rule
def actions(s, player, out):
    """The cards in the hand."""
    n = 0
    for card in range(MAX_ACTIONS):
        if s.hand[player] >> card & 1:
            out[n] = card
            n += 1
    return n


@rule
def resolve(t, s, choices, rng):
    """The higher card wins the prize, and the next one is turned up."""
    for player in range(PLAYERS):
        s.hand[player] &= ~(1 << choices[player])
        s.last[player] = choices[player]
        if choices[player] > choices[1 - player]:
            s.points[player] += s.prize + 1
    turn_up(t, s, rng)


@rule
def returns(s, out):
    lead = s.points[0] - s.points[1]
    out[0], out[1] = np.sign(lead), np.sign(-lead)


METRICS = ("points",)


@rule
def metrics(s, player, out):
    out[0] = s.points[player]


WEIGHTS = (Param("lead", 1.0, "lead in points, divided by all points"),)


def units(t: Tables, weights: np.ndarray) -> dict[str, tuple[str, float]]:
    """The lead in points."""
    return {"evaluate": ("points", t.cards * (t.cards + 1) / 2 / weights[0])}


@rule
def evaluate(t, s, weights, player):
    lead = s.points[player] - s.points[1 - player]
    return weights[0] * lead / (t.cards * (t.cards + 1) / 2)


POLICIES = ("matching",)


@rule
def policy(s, player):
    """`matching`: play the card that is nearest to the prize, the best answer to random play (Ross 1971)."""
    chosen = NOTHING
    for card in range(MAX_ACTIONS):
        if s.hand[player] >> card & 1 and (chosen == NOTHING or abs(card - s.prize) < abs(chosen - s.prize)):
            chosen = card
    return chosen
