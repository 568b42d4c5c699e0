"""Plain moves: each edge with its own ticket, black ones for boats only, no double cards.

They are what the players of the thesis choose from. Where Mister X has nothing but black tickets left, he
takes these.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.bits import contains
from spielbaum.games.scotland_yard.rules import may_take, move
from spielbaum.games.scotland_yard.tables import BLACK, TAXI
from spielbaum.rules import below, rule


@rule
def random_move(t, s, rng):
    """A plain move, all equally likely."""
    here, anyhow = s.at[s.turn], False
    n = 0
    for edge in range(t.first[here, TAXI], t.first[here, 4]):
        if may_take(t, s, s.turn, edge):
            n += 1
    if n == 0:
        anyhow, n = True, free_neighbours(t, s)
    left = below(rng, n)
    for edge in range(t.first[here, TAXI], t.first[here, 4]):
        if is_plain(t, s, edge, anyhow):
            if left == 0:
                return move(ticket_for(t, edge, anyhow), int(t.to[edge]))
            left -= 1
    return -1


@rule
def only_black(t, s):
    """Whether Mister X has no plain move."""
    here = s.at[s.turn]
    for edge in range(t.first[here, TAXI], t.first[here, 4]):
        if may_take(t, s, s.turn, edge):
            return False
    return True


@rule
def free_neighbours(t, s):
    """How many neighbours are free of detectives."""
    here, n = s.at[s.turn], 0
    for edge in range(t.first[here, TAXI], t.first[here, 4]):
        if is_plain(t, s, edge, True):
            n += 1
    return n


@rule
def is_plain(t, s, edge, anyhow):
    """Whether an edge is a plain move; `anyhow` for a black ticket on each free neighbour."""
    if anyhow:
        return not t.again[edge] and not contains(s.occupied, t.to[edge])
    return may_take(t, s, s.turn, edge)


@rule
def ticket_for(t, edge, anyhow):
    return BLACK if anyhow else int(t.kind[edge])
