"""What the detectives can conclude from all that is public.

`belief` is the set of Mister X's possible stations. `mass` tells how likely each of them would be if he moved
at random: what was on a station flows in equal parts along all edges that fit his ticket. It is kept without
the common factor by which it would have to be divided to add up to 1.
"""

from __future__ import annotations

from spielbaum.bits import lowest
from spielbaum.games.scotland_yard.bits import NONE, ONE, contains, insert, remove
from spielbaum.games.scotland_yard.tables import ROOM, WORDS
from spielbaum.rules import rule


@rule
def spread(t, s, ticket, parts):
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
    flow(t, s, ticket, parts)


@rule
def flow(t, s, ticket, parts):
    """What was on a station goes in equal parts to its neighbours; what comes to a detective is lost."""
    for station in range(ROOM):
        parts[station] = s.mass[station] * t.share[ticket, station]
        s.mass[station] = 0.0
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            station = 64 * i + lowest(word)
            word &= word - ONE
            for k in range(t.fours[ticket]):
                s.mass[station] += sum_of_four(parts, t.near[ticket, station, k])


@rule
def sum_of_four(parts, near):
    """In pairs, which a processor adds side by side."""
    return (parts[near[0]] + parts[near[1]]) + (parts[near[2]] + parts[near[3]])


@rule
def reveal(s, station):
    """Mister X shows himself."""
    for i in range(WORDS):
        word = s.belief[i]
        while word != NONE:
            s.mass[64 * i + lowest(word)] = 0.0
            word &= word - ONE
        s.belief[i] = NONE
    insert(s.belief, station)
    s.mass[station] = 1.0


@rule
def found_empty(s, station):
    """A detective has entered a station, and Mister X was not there."""
    if contains(s.belief, station):
        remove(s.belief, station)
        s.mass[station] = 0.0
