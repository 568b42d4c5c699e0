"""The rules of spe_ed, the game of the InformatiCup 2021, on rows of bits.

Up to six players draw lines over a board. In every round all choose at once whether to turn, to change their speed or
to do nothing, and then all ride on by as many cells as they are fast. Who leaves the board, gets faster than 10 or
slower than 1, or touches a line is out; who is the last one wins. Every sixth move of a player who is at least 3 fast
is a jump: only its first and its last cell are drawn, and only they can be hit.

Cell x of row y is bit x % 64 of the word `t.words * y + x // 64`. Who has drawn a cell does not matter to the rules,
so a state does not know it: `cells.py` paints it from the moves, for people and for the protocol.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.tables import (
    CIRCLE,
    LARGEST,
    OFFICIAL,
    OFFICIAL_LARGEST,
    OFFICIAL_SMALLEST,
    PLAYERS,
    SYMMETRIC,
    WORD,
)
from spielbaum.rules import below, rule

UP, LEFT, DOWN, RIGHT = range(4)
CHANGE_NOTHING, TURN_RIGHT, TURN_LEFT, SPEED_UP, SLOW_DOWN, NO_ANSWER = range(6)
MAX_ACTIONS = ACTION_CODES = 6
ANSWERS = 5  # all actions but giving none
SLOWEST, FASTEST = 1, 10
JUMP_EVERY, JUMP_SPEED = 6, 3
MOST_WORDS = LARGEST * (-(-LARGEST // WORD))
ACROSS, ALONG = (0, -1, 0, 1), (-1, 0, 1, 0)  # what x and y change by in each direction

STATE = np.dtype(
    (
        np.record,
        [
            ("free", "u8", MOST_WORDS),  # cells that nobody has drawn
            ("rounds", "i4"),  # that are over, which is also how often each active player has moved
            ("died", "i4", PLAYERS),  # the round in which a player went out; 0 while active
            ("x", "i2", PLAYERS),
            ("y", "i2", PLAYERS),
            ("from_x", "i2", PLAYERS),  # where the players began
            ("from_y", "i2", PLAYERS),
            ("width", "i2"),
            ("height", "i2"),
            ("direction", "i1", PLAYERS),
            ("speed", "i1", PLAYERS),
            ("from_direction", "i1", PLAYERS),
            ("active", "i1"),  # how many
        ],
    )
)

ONE, SIX = np.uint64(1), np.uint64(6)


@rule
def start(t, s, rng):
    s.width = t.width if t.width > 0 else official_side(rng)
    s.height = t.height if t.height > 0 else official_side(rng)
    clear(t, s)
    if t.start == OFFICIAL:
        start_in_sectors(t, s, rng)
    elif t.start == SYMMETRIC:
        start_in_a_circle(t, s, rng)
    else:
        for p in range(t.players):
            set_down(t, s, p, t.given[p, 0], t.given[p, 1], t.given[p, 2])


@rule
def official_side(rng):
    return OFFICIAL_SMALLEST + below(rng, OFFICIAL_LARGEST - OFFICIAL_SMALLEST + 1)


@rule
def clear(t, s):
    """An empty board."""
    for y in range(s.height):
        for word in range(t.words):
            columns = min(max(s.width - WORD * word, 0), WORD)
            s.free[t.words * y + word] = low_bits(columns)
    s.active = 0


@rule
def low_bits(n):
    return ~np.uint64(0) if n == WORD else (ONE << np.uint64(n)) - ONE


@rule
def start_in_sectors(t, s, rng):
    """As the official server does it: in the first sectors, who in which at random, anywhere within."""
    across, along = s.width // 4, s.height // 2
    taken = 0
    for p in range(t.players):
        sector = below(rng, t.players)
        while taken >> sector & 1:
            sector = below(rng, t.players)
        taken |= 1 << sector
        x = sector % 4 * across + below(rng, across)
        y = sector // 4 * along + below(rng, along)
        set_down(t, s, p, x, y, heading(s, x, y))


@rule
def start_in_a_circle(t, s, rng):
    """All as far from the middle, at equal angles."""
    distance = 0.5 + 0.4 * below(rng, 1000) / 1000
    angle = below(rng, CIRCLE)
    p = 0
    while p < t.players:
        at = (angle + p * CIRCLE // t.players) % CIRCLE
        x = nearest((s.width - 1) * (0.5 + 0.5 * distance * t.circle[at, 0]))
        y = nearest((s.height - 1) * (0.5 + 0.5 * distance * t.circle[at, 1]))
        if is_free(t, s, x, y):
            set_down(t, s, p, x, y, heading(s, x, y))
            p += 1
        else:  # the board is small: once more, further out
            clear(t, s)
            distance, angle, p = 1.0, below(rng, CIRCLE), 0


@rule
def nearest(number):
    return int(number + 0.5)


@rule
def heading(s, x, y):
    """The direction at the start: around the middle of the board."""
    if x > s.width // 2:
        return UP if y > s.height // 2 else LEFT
    return RIGHT if y > s.height // 2 else DOWN


@rule
def set_down(t, s, p, x, y, direction):
    s.x[p], s.y[p], s.direction[p], s.speed[p], s.died[p] = x, y, direction, SLOWEST, 0
    s.from_x[p], s.from_y[p], s.from_direction[p] = x, y, direction
    take(t, s, x, y)
    s.active += 1


@rule
def is_free(t, s, x, y):
    """Whether nobody has drawn a cell of the board."""
    return s.free[t.words * y + (x >> 6)] >> np.uint64(x & 63) & ONE != 0


@rule
def take(t, s, x, y):
    s.free[t.words * y + (x >> 6)] &= ~(ONE << np.uint64(x & 63))


@rule
def inside(s, x, y):
    return 0 <= x < s.width and 0 <= y < s.height


@rule
def movers(t, s, out):
    """Who is still active, until at most one is."""
    if s.active < 2:
        return 0
    n = 0
    for p in range(t.players):
        if s.died[p] == 0:
            out[n] = p
            n += 1
    return n


@rule
def actions(t, out):
    """All five, deadly or not; and no answer, where that may happen."""
    for action in range(t.answers):
        out[action] = action
    return t.answers


@rule
def sample(t, rng):
    return below(rng, t.answers)


@rule
def resolve(t, s, choices):
    """All steer, then all ride, and then those are out who have met something."""
    s.rounds += 1
    for p in range(t.players):
        if s.died[p] == 0:
            steer(s, p, choices[p])
    ride_on(t, s)


@rule
def ride_on(t, s):
    """The second half of a round, when everybody has steered."""
    crashed = 0
    for p in range(t.players):
        if s.died[p] == 0:
            crashed |= ride(t, s, p)
    for p in range(t.players):
        if s.died[p] == 0 and crashed >> p & 1:
            s.died[p] = s.rounds
    count_active(t, s)


@rule
def count_active(t, s):
    s.active = 0
    for p in range(t.players):
        s.active += s.died[p] == 0


@rule
def steer(s, p, action):
    """Turn or change the speed; who gets too fast or too slow or gives no answer is out."""
    if action == TURN_LEFT:
        s.direction[p] = (s.direction[p] + 1) & 3
    elif action == TURN_RIGHT:
        s.direction[p] = (s.direction[p] + 3) & 3
    elif action == SPEED_UP:
        s.speed[p] += 1
    elif action == SLOW_DOWN:
        s.speed[p] -= 1
    answered = CHANGE_NOTHING <= action < ANSWERS
    if not answered or s.speed[p] < SLOWEST or s.speed[p] > FASTEST:
        s.died[p] = s.rounds


@rule
def jumps(s, p):
    """Whether the move that a player makes now is a jump."""
    return s.rounds % JUMP_EVERY == 0 and s.speed[p] >= JUMP_SPEED


@rule
def ride(t, s, p):
    """Draw a player's move; the players who crash by it, as bits. Who leaves the board is out at once."""
    across, along, speed = ACROSS[s.direction[p]], ALONG[s.direction[p]], np.int64(s.speed[p])
    stride = speed - 1 if jumps(s, p) else 1
    x, y, crashed, step = np.int64(s.x[p]), np.int64(s.y[p]), 0, 0
    while step < speed:
        step += 1
        x, y = x + across, y + along
        if not inside(s, x, y):
            s.died[p] = s.rounds
            break
        if stride > 1 and 1 < step < speed:
            continue
        if is_free(t, s, x, y):
            take(t, s, x, y)
        else:
            crashed |= 1 << p | who_came_to(s, p, x, y)
    s.x[p], s.y[p] = x, y
    return crashed


@rule
def who_came_to(s, p, x, y):
    """The players before this one who have drawn a cell in this round, as bits; they crash as well."""
    found = 0
    for q in range(p):
        if s.died[q] == 0:
            across, along = ACROSS[s.direction[q]], ALONG[s.direction[q]]
            back = (s.x[q] - x) * across + (s.y[q] - y) * along
            beside = (s.x[q] - x) * along + (s.y[q] - y) * across
            hole = jumps(s, q) and 0 < back < s.speed[q] - 1
            if beside == 0 and 0 <= back < s.speed[q] and not hole:
                found |= 1 << q
    return found


@rule
def returns(t, s, out):
    """By the place, from 1 for the first to -1 for the last; who went out in the same round share their places."""
    for p in range(t.players):
        for q in range(t.players):
            out[p] += (lasted(s, p) > lasted(s, q)) - 1.0 * (lasted(s, p) < lasted(s, q))
        out[p] /= t.players - 1


@rule
def lasted(s, p):
    """The round in which a player went out; later than all for who has not."""
    return np.int64(s.died[p]) if s.died[p] > 0 else s.rounds + 1


@rule
def playout(t, s, rng, limit):
    """Random answers until at most one player is active or at least so many were given."""
    given = 0
    while s.active > 1 and given < limit:
        s.rounds += 1
        for p in range(t.players):
            if s.died[p] == 0:
                steer(s, p, below(rng, t.answers))
                given += 1
        ride_on(t, s)
    return given
