"""Mister X without planning: as far from the detectives as he can, or along a path on which they can't stop him.

The detectives' distance o(v) to a station is the least number of moves that one of them needs with the
tickets it has. A station that Mister X reaches in k moves is safe when o(v) > k. `safest` goes to the safe
station farthest along a path of safe ones, found breadth first with sets of stations as bits; how the
thesis' player is to be read was found by comparing its tables with many variants.
"""

from __future__ import annotations

from spielbaum.bits import lowest
from spielbaum.games.scotland_yard.bits import NONE, ONE, contains, insert, lowest_bit
from spielbaum.games.scotland_yard.moves import plain_moves
from spielbaum.games.scotland_yard.rules import MRX, SETS
from spielbaum.games.scotland_yard.tables import BLACK, FAR, ROOM, TAXI, WORDS
from spielbaum.rules import rule

NOTHING = -1
CLOSED, FIRST, FRONT, NEAR, REACHED = range(SETS)  # on the sheet
ENOUGH = 3  # moves of a safe path with which no double card is needed


@rule
def farthest(t, s):
    """The plain moves with the largest o(v), then most edges, as bits."""
    edges, best, chosen = plain_moves(t, s), NOTHING, NONE
    while edges != NONE:
        station = destination(t, s, edges)
        value = ROOM * pursuit(t, s, station) + int(t.degree[station])
        if value > best:
            best, chosen = value, NONE
        if value == best:
            chosen |= lowest_bit(edges)
        edges &= edges - ONE
    return chosen


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
def safest(t, s, sheet):
    """Along the longest safe path, with a double card where that is short: first moves as bits, and whether to double.

    Without any safe path there are none. Written with one call of each function: they are large.
    """
    for look in range(3):  # without a double card, with one, and without after all
        head_start = look & 1
        length = explore(t, s, sheet, head_start)
        if look == 0 and (length >= ENOUGH or s.doubles == 0 or s.second != 0):
            break
        if look == 1 and length > 1:
            break
    return (first_moves(t, s, sheet, length) if length > 0 else NONE), head_start


@rule
def explore(t, s, sheet, head_start):
    """Find all stations on safe paths, breadth first; the length of the longest one.

    With a head start of one move, that of a double card, the first station need only be free and the start
    may be entered again.
    """
    tear_off(sheet)
    first_steps(t, s, sheet, head_start)
    for i in range(WORDS):
        sheet[FRONT, i] = sheet[REACHED, i] = sheet[FIRST, i]
    if is_empty(sheet, FIRST):
        return 0
    length = 1
    while advance(t, s, sheet, length + 1 - head_start):
        length += 1
    return length


@rule
def first_steps(t, s, sheet, head_start):
    """Plain moves to safe stations."""
    if head_start == 0:
        insert(sheet[CLOSED], s.at[MRX])
    edges = plain_moves(t, s)
    while edges != NONE:
        station = destination(t, s, edges)
        insert(sheet[CLOSED], station)
        if head_start > 0 or pursuit(t, s, station) > 1:
            insert(sheet[FIRST], station)
        edges &= edges - ONE


@rule
def advance(t, s, sheet, depth):
    """One step on, to stations that are safe at this depth; False where there are none."""
    next_to(t, s, sheet, FRONT)
    found = False
    for i in range(WORDS):
        new = sheet[NEAR, i] & ~sheet[CLOSED, i]
        sheet[CLOSED, i] |= new
        word = new
        while word != NONE:
            if pursuit(t, s, 64 * i + lowest(word)) <= depth:
                new &= ~lowest_bit(word)
            word &= word - ONE
        sheet[NEAR, i] = new
        found = found or new != NONE
    if found:
        for i in range(WORDS):
            sheet[FRONT, i] = sheet[NEAR, i]
            sheet[REACHED, i] |= sheet[NEAR, i]
    return found


@rule
def next_to(t, s, sheet, which):
    """All neighbours of a set of stations, into NEAR; by boat only with a black ticket."""
    a, b, c, d = NONE, NONE, NONE, NONE
    boats = s.tickets[MRX, BLACK] > 0
    for i in range(WORDS):
        word = sheet[which, i]
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
    sheet[NEAR, 0] = a
    sheet[NEAR, 1] = b
    sheet[NEAR, 2] = c
    sheet[NEAR, 3] = d


@rule
def first_moves(t, s, sheet, length):
    """First moves towards the best connected of the farthest stations, themselves as well connected as can be.

    Back from there, as many steps as there, over stations that were reached: that is where shortest paths run.
    """
    keep_best_connected(t, sheet)
    for _ in range(length - 1):
        next_to(t, s, sheet, FRONT)
        for i in range(WORDS):
            sheet[REACHED, i] &= ~sheet[FRONT, i]
            sheet[FRONT, i] = sheet[NEAR, i] & sheet[REACHED, i]
    for i in range(WORDS):
        sheet[FRONT, i] &= sheet[FIRST, i]
    keep_best_connected(t, sheet)
    edges, chosen = plain_moves(t, s), NONE
    while edges != NONE:
        if contains(sheet[FRONT], destination(t, s, edges)):
            chosen |= lowest_bit(edges)
        edges &= edges - ONE
    return chosen


@rule
def keep_best_connected(t, sheet):
    """Leave only stations with the most edges in FRONT."""
    best = 0
    for i in range(WORDS):
        word, kept = sheet[FRONT, i], NONE
        while word != NONE:
            degree = int(t.degree[64 * i + lowest(word)])
            if degree > best:
                best, kept = degree, NONE
                for before in range(i):
                    sheet[FRONT, before] = NONE
            if degree == best:
                kept |= lowest_bit(word)
            word &= word - ONE
        sheet[FRONT, i] = kept


@rule
def is_empty(sheet, which):
    for i in range(WORDS):
        if sheet[which, i] != NONE:
            return False
    return True


@rule
def tear_off(sheet):
    """An empty sheet."""
    for which in range(SETS):
        for i in range(WORDS):
            sheet[which, i] = NONE
