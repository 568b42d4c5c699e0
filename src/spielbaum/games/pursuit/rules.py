"""The rules of Pursuit: a fugitive whom nobody sees against two hunters, in a small town.

Each round the fugitive moves (or waits), then the two hunters do. Every few rounds the fugitive is
seen. What the hunters can conclude from all that is public: `possible` holds every place where the
fugitive may be. He is caught when a hunter enters his place, and escapes after the last round.

Places are bits of `possible` and numbers everywhere else. A hunter who looks ahead plays on from what
is known, with the fugitive's place UNKNOWN: there it can go wherever it may be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.pursuit.town import PLACES, distances
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

FUGITIVE, HUNTER_1, HUNTER_2 = range(3)
PLAYERS, MAX_ACTIONS, ACTION_CODES = 3, PLACES, PLACES
TEAMS = (0, 1, 1)
UNKNOWN = -1
HEAD_START = 2  # roads between the fugitive and each hunter at the beginning, at least

STATE = np.dtype(
    (
        np.record,
        [
            ("fugitive", "i8"),  # the fugitive's place, UNKNOWN to the hunters
            ("hunters", "i8", 2),
            ("possible", "i8"),  # the places where the fugitive may be, as bits
            ("turn", "i8"),  # whose decision it is
            ("elapsed", "i8"),  # rounds that are over
            ("caught", "i8"),
        ],
    )
)
OPTIONS = (
    Param("rounds", 8, "rounds that the fugitive must survive to escape", low=1, high=50),
    Param("reveal", 3, "the fugitive is seen once in so many rounds", low=1, high=50),
)


class Tables(NamedTuple):
    """The town and the options."""

    reach: np.ndarray  # i8[PLACES]: a place and its neighbours, as bits
    distance: np.ndarray  # i8[PLACES, PLACES]: roads between two places
    rounds: int
    reveal: int


def tables(options: dict[str, Any]) -> Tables:
    """The distances of the town, and the options as the rules read them."""
    distance = distances()
    reach = ((distance <= 1) << np.arange(PLACES)).sum(axis=1)
    return Tables(reach, distance, options["rounds"], options["reveal"])


@rule
def start(t, s, rng):
    """Hunters on two random places, the fugitive somewhere with a head start."""
    s.hunters[0] = below(rng, PLACES)
    s.hunters[1] = (s.hunters[0] + 1 + below(rng, PLACES - 1)) % PLACES
    for place in range(PLACES):
        if min(t.distance[place, s.hunters[0]], t.distance[place, s.hunters[1]]) >= HEAD_START:
            s.possible |= 1 << place
    s.fugitive = random_place(s.possible, rng)


@rule
def random_place(places, rng):
    """One of the places that are set as bits, all equally likely."""
    chosen, found = UNKNOWN, 0
    for place in range(PLACES):
        if places >> place & 1:
            found += 1
            if below(rng, found) == 0:
                chosen = place
    return chosen


@rule
def player(t, s):
    if s.caught or s.elapsed == t.rounds:
        return TERMINAL
    return s.turn


@rule
def actions(t, s, out):
    places = within_reach(t, s)
    n = 0
    for place in range(PLACES):
        if places >> place & 1:
            out[n] = place
            n += 1
    return n


@rule
def within_reach(t, s):
    """Wait, or go to a neighbouring place where no hunter stands; as bits."""
    here = s.fugitive if s.turn == FUGITIVE else s.hunters[s.turn - 1]
    if here == UNKNOWN:
        return possible_next(t, s)
    return (t.reach[here] & ~hunted(s)) | 1 << here


@rule
def hunted(s):
    """The places of the hunters, as bits."""
    return 1 << s.hunters[0] | 1 << s.hunters[1]


@rule
def possible_next(t, s):
    """Where the fugitive may be after a move: all that was possible, one road on, and no hunter there."""
    places = 0
    for place in range(PLACES):
        if s.possible >> place & 1:
            places |= t.reach[place]
    return places & ~hunted(s)


@rule
def play(t, s, action):
    if s.turn == FUGITIVE:
        s.possible = possible_next(t, s)
        s.fugitive = action
        if (s.elapsed + 1) % t.reveal == 0:
            s.possible = 1 << action
    else:
        search_place(s, action)
    s.turn = (s.turn + 1) % PLAYERS
    if s.turn == FUGITIVE:
        s.elapsed += 1


@rule
def search_place(s, place):
    """A hunter finds the fugitive where he is (or must be, there being no other place), or else finds nobody."""
    s.hunters[s.turn - 1] = place
    if place == s.fugitive or s.possible == 1 << place:
        s.caught = 1
        s.possible = 1 << place
    else:
        s.possible &= ~(1 << place)


@rule
def returns(s, out):
    out[FUGITIVE] = -1.0 if s.caught else 1.0
    out[HUNTER_1] = -out[FUGITIVE]
    out[HUNTER_2] = -out[FUGITIVE]


@rule
def hide(s, player):
    if player != FUGITIVE:
        s.fugitive = UNKNOWN


@rule
def determinize(s, rng):
    if s.fugitive == UNKNOWN:
        s.fugitive = random_place(s.possible, rng)
