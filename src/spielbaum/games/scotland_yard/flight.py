"""Mister X without planning: as far from the detectives as he can, or along a path on which they can't stop him.

The detectives' distance o(v) to a station is the least number of moves that one of them needs with the
tickets it has. A station that Mister X reaches in k moves is safe when o(v) > k. `safest` goes to the safe
station farthest along a path of safe ones, found breadth first with sets of stations as bits; how the
thesis' player is to be read was found by comparing its tables with many variants.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.bits import NONE, ONE, contains, insert, lowest, lowest_bit
from spielbaum.games.scotland_yard.moves import any_of, plain_moves
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX, SETS
from spielbaum.games.scotland_yard.tables import BLACK, FAR, ROOM, TAXI, WORDS
from spielbaum.rules import rule

NOTHING = -1
CLOSED, FIRST, FRONT, NEAR, REACHED = range(5)  # sets of stations on the sheet
ENOUGH = 3  # moves of a safe path with which no double card is needed


@rule
def farthest(t, s, rng):
    """The plain move with the largest o(v), then most edges, then by chance."""
    edges, best, chosen = plain_moves(t, s), NOTHING, NONE
    while edges != NONE:
        station = destination(t, s, edges)
        value = ROOM * pursuit(t, s, station) + int(t.degree[station])
        if value > best:
            best, chosen = value, NONE
        if value == best:
            chosen |= lowest_bit(edges)
        edges &= edges - ONE
    return any_of(t, s, chosen, rng)


@rule
def destination(t, s, edges):
    """Where the first of some edges leads Mister X."""
    return int(t.to[t.first[s.at[MRX], TAXI] + lowest(edges)])


@rule
def pursuit(t, s, station):
    """o(v): how many moves the nearest detective needs to a station."""
    nearest = FAR
    for q in range(1, t.players):
        nearest = min(nearest, int(t.distance[s.row[q], station]))
    return nearest


@rule
def safest(t, s, rng):
    """Along the longest safe path; with a double card where that is short; otherwise far away."""
    length = explore(t, s, 0)
    chosen = NOTHING
    if length < ENOUGH and s.doubles > 0 and s.second == 0:
        doubled = explore(t, s, 1)
        if doubled > 1:
            chosen = DOUBLE + first_move(t, s, doubled, rng)
        else:
            length = explore(t, s, 0)
    if chosen == NOTHING and length > 0:
        chosen = first_move(t, s, length, rng)
    tear_off(s)
    return chosen if chosen != NOTHING else farthest(t, s, rng)


@rule
def explore(t, s, head_start):
    """Find all stations on safe paths, breadth first; the length of the longest one.

    With a head start of one move, that of a double card, the first station need only be free and the start
    may be entered again.
    """
    tear_off(s)
    first_steps(t, s, head_start)
    for i in range(WORDS):
        s.sheet[FRONT, i] = s.sheet[REACHED, i] = s.sheet[FIRST, i]
    if is_empty(s, FIRST):
        return 0
    length = 1
    while advance(t, s, length + 1 - head_start):
        length += 1
    return length


@rule
def first_steps(t, s, head_start):
    """Plain moves to safe stations."""
    if head_start == 0:
        insert(s.sheet[CLOSED], s.at[MRX])
    edges = plain_moves(t, s)
    while edges != NONE:
        station = destination(t, s, edges)
        insert(s.sheet[CLOSED], station)
        if head_start > 0 or pursuit(t, s, station) > 1:
            insert(s.sheet[FIRST], station)
        edges &= edges - ONE


@rule
def advance(t, s, depth):
    """One step on, to stations that are safe at this depth; False where there are none."""
    next_to(t, s, FRONT)
    found = False
    for i in range(WORDS):
        new = s.sheet[NEAR, i] & ~s.sheet[CLOSED, i]
        s.sheet[CLOSED, i] |= new
        word = new
        while word != NONE:
            if pursuit(t, s, 64 * i + lowest(word)) <= depth:
                new &= ~lowest_bit(word)
            word &= word - ONE
        s.sheet[NEAR, i] = new
        found = found or new != NONE
    if found:
        for i in range(WORDS):
            s.sheet[FRONT, i] = s.sheet[NEAR, i]
            s.sheet[REACHED, i] |= s.sheet[NEAR, i]
    return found


@rule
def next_to(t, s, which):
    """All neighbours of a set of stations, into NEAR; by boat only with a black ticket."""
    a, b, c, d = NONE, NONE, NONE, NONE
    boats = s.tickets[MRX, BLACK] > 0
    for i in range(WORDS):
        word = s.sheet[which, i]
        while word != NONE:
            station = 64 * i + lowest(word)
            word &= word - ONE
            if boats:
                a |= t.reach[BLACK, station, 0]
                b |= t.reach[BLACK, station, 1]
                c |= t.reach[BLACK, station, 2]
                d |= t.reach[BLACK, station, 3]
            else:
                a |= t.over_land[station, 0]
                b |= t.over_land[station, 1]
                c |= t.over_land[station, 2]
                d |= t.over_land[station, 3]
    s.sheet[NEAR, 0] = a
    s.sheet[NEAR, 1] = b
    s.sheet[NEAR, 2] = c
    s.sheet[NEAR, 3] = d


@rule
def first_move(t, s, length, rng):
    """A first move towards the best connected of the farthest stations, itself as well connected as can be.

    Back from there, as many steps as there, over stations that were reached: that is where shortest paths run.
    """
    keep_best_connected(t, s)
    for _ in range(length - 1):
        next_to(t, s, FRONT)
        for i in range(WORDS):
            s.sheet[REACHED, i] &= ~s.sheet[FRONT, i]
            s.sheet[FRONT, i] = s.sheet[NEAR, i] & s.sheet[REACHED, i]
    for i in range(WORDS):
        s.sheet[FRONT, i] &= s.sheet[FIRST, i]
    keep_best_connected(t, s)
    edges, chosen = plain_moves(t, s), NONE
    while edges != NONE:
        if contains(s.sheet[FRONT], destination(t, s, edges)):
            chosen |= lowest_bit(edges)
        edges &= edges - ONE
    return any_of(t, s, chosen, rng)


@rule
def keep_best_connected(t, s):
    """Leave only stations with the most edges in FRONT."""
    best = 0
    for i in range(WORDS):
        word, kept = s.sheet[FRONT, i], NONE
        while word != NONE:
            degree = int(t.degree[64 * i + lowest(word)])
            if degree > best:
                best, kept = degree, NONE
                for before in range(i):
                    s.sheet[FRONT, before] = NONE
            if degree == best:
                kept |= lowest_bit(word)
            word &= word - ONE
        s.sheet[FRONT, i] = kept


@rule
def is_empty(s, which):
    for i in range(WORDS):
        if s.sheet[which, i] != NONE:
            return False
    return True


@rule
def tear_off(s):
    """An empty sheet."""
    for which in range(SETS):
        for i in range(WORDS):
            s.sheet[which, i] = NONE
