"""Where Mister X may be, for a detective who searches: all stations equally, or as likely as experience says.

`mass` follows the probabilities of a Mister X who moves at random. `category` sorts the stations by how many
moves the nearest detective needs there and gives each the weight of its category (location categorisation:
Nijssen & Winands 2012); `mass-category` multiplies both.
"""

from __future__ import annotations

from spielbaum.bits import lowest
from spielbaum.games.scotland_yard.bits import NONE, ONE, count
from spielbaum.games.scotland_yard.flight import pursuit
from spielbaum.games.scotland_yard.rules import MRX, UNKNOWN, can_move
from spielbaum.games.scotland_yard.tables import WORDS
from spielbaum.rules import rule, uniform

GUESSES = ("mass", "category", "mass-category")
EQUAL, MASS, CATEGORY, BOTH = range(-1, 3)
EXPERIENCE = (0.0, 0.016, 0.092, 0.051, 0.054, 0.052, 0.078)
"""How often Mister X was at a possible station, by the nearest detective's moves to it: 240 games of safepath
and distance against greedy-bool-1, with detective-1 to move. Beside a detective he hardly ever was."""


@rule
def determinize(t, s, rng):
    guess(t, s, EQUAL, rng)


@rule
def guess(t, s, which, rng):
    """Put Mister X on a station where he may be, in proportion to its weight; he can move where it is his turn."""
    if s.at[MRX] != UNKNOWN:
        return
    total, chosen = 0.0, UNKNOWN
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            s.at[MRX] = 64 * i + lowest(word)
            word &= word - ONE
            weight = likelihood(t, s, which)
            total += weight
            if uniform(rng) * total < weight:
                chosen = s.at[MRX]
    s.at[MRX] = chosen


@rule
def likelihood(t, s, which):
    """The weight of the world with Mister X where he is put."""
    if s.turn == MRX and not can_move(t, s, MRX):
        return 0.0
    weight, station = 1.0, s.at[MRX]
    if which in (MASS, BOTH):
        weight *= s.mass[station]
    if which in (CATEGORY, BOTH):
        weight *= EXPERIENCE[min(pursuit(t, s, station), len(EXPERIENCE) - 1)]
    return weight


@rule
def enumerate_worlds(s, number):
    """Put Mister X on the believed station of this number; how many there are."""
    if s.at[MRX] != UNKNOWN:
        return 1
    left = number
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            if left == 0:
                s.at[MRX] = 64 * i + lowest(word)
            left -= 1
            word &= word - ONE
    return count(s.belief)


@rule
def credit_assignment(s, player):
    """A catch is the doing of the detective who entered; that Mister X can't move, of all of them."""
    return s.turn == player or s.turn == MRX
