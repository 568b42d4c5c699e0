"""How `tyr` fills a room: a beam search for the ride that lasts longest, while everybody else stands still.

All positions of a round that are kept are continued by every action that they survive, and the best of what comes of
that is kept for the next round. With A free cells around the head, E pairs of them side by side, D of them with at
most one neighbour, and speed v, a position scores

    A - 0.2 (4A - 2E) - 0.5 D - 1.5 (v - 1)

so that what remains is compact: riding along walls does that by itself. A quarter of the places each is for positions
at speed 2 and for those that can jump, because leaving the room has to be prepared for at a loss of room.
"""

import numpy as np

from spielbaum.bits import ones
from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.area import contains, count, flood
from spielbaum.games.spe_ed.players.plans import CANDIDATE, LONGEST, SHEET, TRAIL, WIDEST
from spielbaum.games.spe_ed.policies import survives
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, JUMP_SPEED, STATE, inside, is_free
from spielbaum.games.spe_ed.steps import copy_position, move_some, options
from spielbaum.rules import random_stream, rule, uniform

ONE, LAST = np.uint64(1), np.uint64(63)
NONE = np.uint64(0)
EDGE, DEAD_END, HURRY, COMPANY = 0.2, 0.5, 1.5, 0.5


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, sheets, trails = np.zeros(2, STATE), np.zeros(1, SHEET), np.zeros(1, TRAIL)
    return [
        (run, (t, states, np.zeros(1, CANDIDATE), sheets, trails, random_stream(0), 0)),
        (lasts, (t, states, sheets, np.zeros(1, np.int64))),
        (area, (t, states, sheets)),
    ]


@kernel
def run(t, states, candidates, sheets, trails, rng, n):
    """Continue so many positions; how many it was, fewer when no ride lasts longer.

    `states` are those of this round, then those of the next, and one to try things on.
    """
    sheet = sheets[0]
    done = 0
    while done < n and not sheet.finished:
        here = WIDEST * (sheet.level % 2)
        if sheet.next < sheet.count:
            expand(t.tables, states[here + sheet.next], states[2 * WIDEST], candidates, sheet, rng)
            sheet.next += 1
            done += 1
        elif sheet.candidates == 0 or sheet.level == LONGEST:
            sheet.finished = 1
        else:
            advance(t.tables, states, candidates, sheet, trails[sheet.level])
    return done


@rule
def expand(t, s, after, candidates, sheet, rng):
    """Score all that can follow a position."""
    me = sheet.me
    n = options(t, s, me, sheet.open)
    for i in range(n):
        copy_position(t, s, after)
        sheet.choices[me] = sheet.open[i]
        move_some(t, after, sheet.choices, 1 << me)
        c = candidates[sheet.candidates]
        c.score = score(t, after, me, sheet) + sheet.noise * uniform(rng)
        c.area, c.parent, c.action, c.speed = sheet.area, sheet.next, sheet.open[i], after.speed[me]
        c.head = (np.int64(after.y[me]) * after.width + after.x[me]) * 4 + after.direction[me]
        sheet.candidates += 1
    sheet.looked += n


@rule
def score(t, s, me, sheet):
    """How much room there is, and how compact it is."""
    size = largest_room(t, s, me, sheet)
    sheet.area = size
    if size == 0:
        return -HURRY * s.speed[me]
    pairs, dead_ends = 0, 0
    words, total = t.words, t.words * np.int64(s.height)
    for i in range(total):
        x = sheet.room[i]
        if x != NONE:
            over = i % words
            right = x >> ONE | (sheet.room[i + 1] << LAST if over < words - 1 else NONE)
            left = x << ONE | (sheet.room[i - 1] >> LAST if over > 0 else NONE)
            up = sheet.room[i - words] if i >= words else NONE
            down = sheet.room[i + words] if i + words < total else NONE
            pairs += ones(x & right) + ones(x & down)
            several = right & left | up & down | (right | left) & (up | down)
            dead_ends += ones(x & ~several)
    room = size - EDGE * (4 * size - 2 * pairs) - DEAD_END * dead_ends
    return room * shared(t, s, me, sheet) - HURRY * (s.speed[me] - 1)


@rule
def largest_room(t, s, me, sheet):
    """The largest component beside the head, into `sheet.room`; its size."""
    best = 0
    for side in range(4):
        x, y = s.x[me] + ACROSS[side], s.y[me] + ALONG[side]
        if inside(s, x, y) and is_free(t, s, x, y) and not (best > 0 and contains(t, sheet.room, x, y)):
            flood(t.words, np.int64(s.height), s.free, np.int64(x), np.int64(y), sheet.found)
            size = count(t.words * s.height, sheet.found)
            if size > best:
                best = size
                for i in range(t.words * s.height):
                    sheet.room[i] = sheet.found[i]
    return best


@rule
def shared(t, s, me, sheet):
    """What a room is worth where others can come to."""
    worth = 1.0
    for q in range(t.players):
        if q != me and s.died[q] == 0:
            meets = False
            for side in range(4):
                x, y = s.x[q] + ACROSS[side], s.y[q] + ALONG[side]
                meets |= inside(s, x, y) and contains(t, sheet.room, x, y)
            worth *= COMPANY if meets else 1.0
    return worth


@rule
def advance(t, states, candidates, sheet, trail):
    """Keep the best candidates for the next round, some of every speed."""
    n = sheet.candidates
    sort(candidates, n)
    kept = fill_beam(t, states, candidates, sheet, trail, n, 0, True)
    kept = fill_beam(t, states, candidates, sheet, trail, n, kept, False)
    sheet.level += 1
    sheet.count, sheet.next, sheet.candidates = kept, 0, 0


@rule
def fill_beam(t, states, candidates, sheet, trail, n, kept, by_speed):
    """Rebuild candidates that are not kept yet, the best first, as long as there are places."""
    here, there = WIDEST * (sheet.level % 2), WIDEST * ((sheet.level + 1) % 2)
    slow, quick, jumping = (sheet.wide + 1) // 2, (sheet.wide + 3) // 4, (sheet.wide + 3) // 4
    for i in range(n):
        c = candidates[i]
        if kept == sheet.wide:
            break
        if c.parent < 0 or (i > 0 and candidates[i - 1].score == c.score and candidates[i - 1].head == c.head):
            continue
        if by_speed:
            places = slow if c.speed == 1 else quick if c.speed < JUMP_SPEED else jumping
            slow -= c.speed == 1
            quick -= c.speed == 2
            jumping -= c.speed >= JUMP_SPEED
            if places <= 0:
                continue
        copy_position(t, states[here + c.parent], states[there + kept])
        sheet.choices[sheet.me] = c.action
        move_some(t, states[there + kept], sheet.choices, 1 << sheet.me)
        trail.parent[kept], trail.action[kept], trail.area[kept] = c.parent, c.action, c.area
        c.parent = -1
        kept += 1
    return kept


@rule
def sort(candidates, n):
    """The best first; of equals the same heads side by side (Shell 1959)."""
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            j = i
            while j >= gap and before(candidates[j], candidates[j - gap]):
                exchange(candidates[j], candidates[j - gap])
                j -= gap
        gap //= 2


@rule
def before(one, other):
    return one.score > other.score or (one.score == other.score and one.head < other.head)


@rule
def exchange(one, other):
    one.score, other.score = other.score, one.score
    one.area, other.area = other.area, one.area
    one.parent, other.parent = other.parent, one.parent
    one.head, other.head = other.head, one.head
    one.action, other.action = other.action, one.action
    one.speed, other.speed = other.speed, one.speed


@kernel
def lasts(t, states, sheets, plan):
    """For how many rounds a plan survives if the others stand still; the position after it is left in the second."""
    sheet, s = sheets[0], states[1]
    copy_position(t.tables, states[0], s)
    for i in range(len(plan)):
        if not survives(t.tables, s, sheet.me, plan[i]):
            return i
        sheet.choices[sheet.me] = plan[i]
        move_some(t.tables, s, sheet.choices, 1 << sheet.me)
    return len(plan)


@kernel
def area(t, states, sheets):
    """The room around the own head."""
    return largest_room(t.tables, states[0], sheets[0].me, sheets[0])
