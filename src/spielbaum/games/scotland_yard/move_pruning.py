"""Moves that Mister X need not think about: the waste that the thesis saw in its players' games.

`black`: a black ticket hides nothing that matters in the first moves, when everything is possible, nor on a move
after which he shows himself. `black-before`: it hides him for one round only on the move before that, which is what
the thesis proposes to leave out. `double`: nor does a double move end well that begins the game or ends in sight.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.bits import contains
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX, REVEALS, reveal_number
from spielbaum.games.scotland_yard.tables import BLACK, ROOM
from spielbaum.rules import rule

FILTERS = ("black", "double", "black-before")
NO_BLACK, NO_DOUBLE, NO_BLACK_BEFORE = range(3)


@rule
def keep(t, s, which, action):
    """Whether a move is worth a thought; detectives have no tickets to waste."""
    if s.turn != MRX:
        return True
    if which == NO_DOUBLE:
        return action < DOUBLE or not (s.moves + 2 <= REVEALS[0] or reveal_number(s.moves + 2) >= 0)
    if action % DOUBLE // ROOM != BLACK or not is_neighbour_by_land(t, s.at[MRX], action % ROOM):
        return True  # a boat takes none but black tickets
    return not (black_hides_nothing(s) if which == NO_BLACK else reveal_number(s.moves + 2) >= 0)


@rule
def black_hides_nothing(s):
    return s.moves < REVEALS[0] or reveal_number(s.moves + 1) >= 0


@rule
def is_neighbour_by_land(t, here, station):
    return contains(t.over_land[here], station)
