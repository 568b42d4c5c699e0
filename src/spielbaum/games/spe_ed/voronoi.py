"""Who reaches a cell first: the territories of all players, as floods of whole words that grow round by round.

All floods grow at once. In a round each spreads by as many cells as its player is fast, over cells that nobody had
before the round; a cell that one flood comes to is that player's, and one that several come to in the same round is
nobody's. A round in which a player jumps also lets its flood pass over drawn cells straight on: the last cell of the
jump must be open, the first one open or the player's, and what lies between does not matter. (Voronoi heuristics are
the usual judgement of Tron programs: A. Sloane, "Google AI Challenge post-mortem", 2010.)

A set of cells is a row of words for each row of the board, with an empty row above and below and at least one empty
bit at the end of each, so that a step to a side is a shift of everything and no step leads around the edge:

    grown = (x << 1 | x >> 1 | above | below) & open

All loops run over contiguous words, four of which one instruction takes at once.
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import ones
from spielbaum.games.spe_ed.rules import FASTEST, JUMP_EVERY, JUMP_SPEED
from spielbaum.games.spe_ed.tables import LARGEST, PLAYERS, WORD
from spielbaum.rules import rule

ROOM = (LARGEST + 2) * (LARGEST // WORD + 1) + 1  # words of a set of cells
ONE, LAST = np.uint64(1), np.uint64(63)
NONE = np.uint64(0)

VORONOI = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (PLAYERS, ROOM)),  # what each player reaches first, and its head
            ("new", "u8", (PLAYERS, ROOM)),  # what each flood comes to in this round
            ("free", "u8", ROOM),  # cells that nobody has drawn
            ("open", "u8", ROOM),  # those that no flood has come to before this round
            ("step", "u8", ROOM),
            ("spare", "u8", ROOM),
            ("cells", "i4", PLAYERS),  # the size of each territory
            ("border", "i4", PLAYERS),  # cells beside a territory that are another's or nobody's
            ("rounds", "i4", PLAYERS),  # after which a flood grew no more
            ("pace", "i4", PLAYERS),  # cells in a round; 0 for who is out
            ("leap", "i4", PLAYERS),  # how far a jump leads; 0 for who does not jump
            ("lead", "i4", PLAYERS),  # rounds that a flood is ahead of the others
            ("growing", "i4", PLAYERS),  # whether a flood grew in the last round
        ],
    )
)


@rule
def territories(t, s, room, pace):
    """The territory of each player at its present speed, at most a pace; sizes in `room.cells`, cells in `room.own`."""
    for p in range(t.players):
        room.pace[p] = min(np.int64(s.speed[p]), pace) if s.died[p] == 0 else 0
        room.leap[p] = s.speed[p] if s.died[p] == 0 and s.speed[p] >= JUMP_SPEED else 0
        room.lead[p] = 0
    divide(t, s, room)


@rule
def divide(t, s, room):
    """The same at the paces, with the jumps and the leads that stand in the room."""
    start_floods(t, s, room)
    number = s.rounds - longest_lead(t, room)
    growing = True
    while growing:
        number += 1
        growing = grow(t, s, room, number) or number <= s.rounds
        if not growing and number % JUMP_EVERY != 0 and somebody_jumps(t, room):
            number += JUMP_EVERY - 1 - number % JUMP_EVERY  # nothing happens until the next jump
            growing = True
    measure(t, s, room)


@rule
def longest_lead(t, room):
    longest = 0
    for p in range(t.players):
        longest = max(longest, int(room.lead[p]) if room.pace[p] > 0 else 0)
    return longest


@rule
def stride(s):
    """Words of a row: where it is more than one, there are as many empty bits at the end as the longest jump needs."""
    return np.uint64(1 if s.width < WORD else (s.width + FASTEST - 1) // WORD + 1)


@rule
def start_floods(t, s, room):
    """Floods that consist of their heads, on an open board."""
    w = np.int64(stride(s))
    for i in range(w * (s.height + 2)):
        room.free[i] = NONE
    for y in range(s.height):
        for j in range(min(w, t.words)):
            room.free[w * (y + 1) + j] = s.free[t.words * y + j]
    for i in range(w * (s.height + 2)):
        room.open[i] = room.free[i]
    for p in range(t.players):
        for i in range(w * (s.height + 2)):
            room.own[p, i] = room.new[p, i] = NONE
        room.rounds[p] = 0
        room.growing[p] = room.pace[p] > 0
        if room.pace[p] > 0:
            room.own[p, w * (s.y[p] + 1) + (s.x[p] >> 6)] = ONE << np.uint64(s.x[p] & 63)


@rule
def somebody_jumps(t, room):
    found = False
    for p in range(t.players):
        found |= room.leap[p] > 0
    return found


@rule
def grow(t, s, room, number):
    """One round; whether a flood has grown."""
    w = stride(s)
    first, last = w, w * np.uint64(s.height + 1)
    grown = False
    for p in range(t.players):
        jumps = number % JUMP_EVERY == 0 and room.leap[p] > 0
        if number > s.rounds - room.lead[p] and (room.growing[p] or jumps):
            found = spread(room.own[p], room.new[p], room.open, w, first, last)
            for _ in range(1, room.pace[p]):
                if found:
                    spread(room.new[p], room.step, room.open, w, first, last)
                    join(room.new[p], room.step, first, last)
            if jumps:
                found |= jump(room, p, w, first, last)
            room.rounds[p] = number - s.rounds if found else room.rounds[p]
            room.growing[p] = found
            grown |= found
    if grown:
        claim_cells(t, room, first, last)
    return grown


@rule
def spread(source, target, within, w, first, last):
    """The cells of a set that are beside another one; whether there are any."""
    found = NONE
    for i in range(first, last):
        x = source[i]
        beside = x << ONE | x >> ONE | source[i - ONE] >> LAST | source[i + ONE] << LAST | source[i - w] | source[i + w]
        target[i] = beside & within[i]
        found |= target[i]
    return found != NONE


@rule
def join(target, source, first, last):
    for i in range(first, last):
        target[i] |= source[i]


@rule
def jump(room, p, w, first, last):
    """Let a flood pass over drawn cells in all four directions; whether it lands anywhere."""
    own, new, further = room.own[p], room.new[p], np.uint64(room.leap[p] - 1)
    for i in range(first, last):
        room.step[i] = room.free[i] & (room.open[i] | own[i])
    landed = jump_along(own, new, room.step, room.open, w, further * w, first, last)
    for i in range(first, last):
        room.spare[i] = (own[i] << ONE | own[i - ONE] >> LAST) & room.step[i]
    landed |= jump_right(room.spare, new, room.open, w, further, first, last)
    for i in range(first, last):
        room.spare[i] = (own[i] >> ONE | own[i + ONE] << LAST) & room.step[i]
    return landed | jump_left(room.spare, new, room.open, w, further, first, last)


@rule
def jump_along(own, new, begins, within, w, further, first, last):
    """Up and down: from a row, over the first cell in the next one, to one further on."""
    landed = NONE
    for i in range(first + further, last):
        down = own[i - further - w] & begins[i - further] & within[i]
        new[i] |= down
        landed |= down
    for i in range(first, last - further):
        up = own[i + further + w] & begins[i + further] & within[i]
        new[i] |= up
        landed |= up
    return landed != NONE


@rule
def jump_right(begins, new, within, w, further, first, last):
    landed, carried, rest = NONE, NONE if w == ONE else ~NONE, ONE + LAST - further
    for i in range(first, last):
        right = (begins[i] << further | begins[i - ONE] >> rest & carried) & within[i]
        new[i] |= right
        landed |= right
    return landed != NONE


@rule
def jump_left(begins, new, within, w, further, first, last):
    landed, carried, rest = NONE, NONE if w == ONE else ~NONE, ONE + LAST - further
    for i in range(first, last):
        left = (begins[i] >> further | begins[i + ONE] << rest & carried) & within[i]
        new[i] |= left
        landed |= left
    return landed != NONE


@rule
def claim_cells(t, room, first, last):
    """What one flood has come to is its player's, what several have is nobody's; all of it is closed."""
    for i in range(first, last):
        room.step[i] = room.spare[i] = NONE
    for p in range(t.players):
        if room.growing[p]:
            meet(room.new[p], room.step, room.spare, first, last)
    for i in range(first, last):
        room.open[i] &= ~room.step[i]
    for p in range(t.players):
        if room.growing[p]:
            take_over(room.own[p], room.new[p], room.spare, first, last)


@rule
def meet(new, once, twice, first, last):
    for i in range(first, last):
        twice[i] |= once[i] & new[i]
        once[i] |= new[i]


@rule
def take_over(own, new, twice, first, last):
    for i in range(first, last):
        own[i] |= new[i] & ~twice[i]


@rule
def measure(t, s, room):
    """How large each territory is and how long its border."""
    w = stride(s)
    first, last = w, w * np.uint64(s.height + 1)
    for p in range(t.players):
        room.cells[p] = room.border[p] = 0
        if room.pace[p] > 0:
            spread(room.own[p], room.step, room.free, w, first, last)
            for i in range(first, last):
                room.step[i] &= ~room.own[p, i]
                room.spare[i] = room.own[p, i] & room.free[i]
            room.cells[p] = count(room.spare, first, last)
            room.border[p] = count(room.step, first, last)


@rule
def count(cells, first, last):
    """How many cells a set has."""
    total = 0
    for i in range(first, last):
        total += ones(cells[i])
    return total
