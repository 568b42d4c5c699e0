"""What the detectives can conclude from all that is public.

`belief` is the set of Mister X's possible stations. `mass` tells how likely each of them would be if he moved
at random: what was on a station flows in equal parts along all edges that fit his ticket. It is kept without
the common factor by which it would have to be divided to add up to 1.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.bits import NONE, ONE, contains, insert, lowest, remove
from spielbaum.games.scotland_yard.tables import ROOM, WORDS
from spielbaum.rules import rule


@rule
def spread(t, s, ticket):
    """Mister X has used a ticket: he is next to where he may have been, and not where a detective stands."""
    a, b, c, d = NONE, NONE, NONE, NONE
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            station = 64 * i + lowest(word)
            word &= word - ONE
            a |= t.reach[ticket, station, 0]
            b |= t.reach[ticket, station, 1]
            c |= t.reach[ticket, station, 2]
            d |= t.reach[ticket, station, 3]
    s.belief[0] = a & ~s.occupied[0]
    s.belief[1] = b & ~s.occupied[1]
    s.belief[2] = c & ~s.occupied[2]
    s.belief[3] = d & ~s.occupied[3]
    flow(t, s, ticket)


@rule
def flow(t, s, ticket):
    """What was on a station goes in equal parts to its neighbours; what comes to a detective is lost."""
    now = s.moves & 1
    before = 1 - now
    for station in range(ROOM):
        s.mass[before, station] *= t.share[ticket, station]
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            station = 64 * i + lowest(word)
            word &= word - ONE
            s.mass[now, station] = 0.0
            for k in range(t.fours[ticket]):
                s.mass[now, station] += sum_of_four(s.mass[before], t.near[ticket, station, k])
    for station in range(ROOM):
        s.mass[before, station] = 0.0


@rule
def sum_of_four(mass, near):
    """In pairs, which a processor adds side by side."""
    return (mass[near[0]] + mass[near[1]]) + (mass[near[2]] + mass[near[3]])


@rule
def reveal(s, station):
    """Mister X shows himself; `mass` is that of before or after his move, wherever it is."""
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            s.mass[0, 64 * i + lowest(word)] = 0.0
            s.mass[1, 64 * i + lowest(word)] = 0.0
            word &= word - ONE
        s.belief[i] = NONE
    insert(s.belief, station)
    s.mass[s.moves & 1, station] = 1.0


@rule
def found_empty(s, station):
    """A detective has entered a station, and Mister X was not there."""
    if contains(s.belief, station):
        remove(s.belief, station)
        s.mass[s.moves & 1, station] = 0.0
