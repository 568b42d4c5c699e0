"""Plain moves: each edge with its own ticket, black ones for boats only, no double cards.

They are what the players of the thesis choose from. Where Mister X has nothing but black tickets left, he
takes these.
"""

from __future__ import annotations

from spielbaum.bits import lowest, ones
from spielbaum.games.scotland_yard.bits import NONE, ONE, contains
from spielbaum.games.scotland_yard.rules import hidden_edges, move, plain_edges
from spielbaum.games.scotland_yard.tables import BLACK, TAXI
from spielbaum.rules import below, rule

DRAWS = 4  # before a look at all edges


@rule
def random_move(t, s, rng):
    """A plain move, all equally likely; most edges are one, so that the first that is drawn often will do."""
    first = t.first[s.at[s.turn], TAXI]
    edges = t.first[s.at[s.turn], 4] - first
    for _ in range(DRAWS):
        edge = first + below(rng, edges)
        ticket, station = int(t.kind[edge]), int(t.to[edge])
        if s.tickets[s.turn, ticket] > 0 and not contains(s.occupied, station):
            return move(ticket, station)
    return any_of(t, s, plain_moves(t, s), rng)


@rule
def plain_moves(t, s):
    """The edges of the plain moves of whoever's turn it is, as bits."""
    edges = plain_edges(t, s, s.turn)
    return edges if edges != NONE else hidden_edges(t, s, s.turn)


@rule
def any_of(t, s, edges, rng):
    """One of some plain moves, by chance."""
    for _ in range(below(rng, ones(edges))):
        edges &= edges - ONE
    edge = t.first[s.at[s.turn], TAXI] + lowest(edges)
    ticket = int(t.kind[edge])
    return move(ticket if s.tickets[s.turn, ticket] > 0 else BLACK, int(t.to[edge]))
