"""The rules of the Game of the Amazons (W. Zamkauskas, 1988), on lines of bits.

Only what is taken and where the amazons stand is kept. What is taken, four times over: each row, column and
diagonal is a number whose bits are its squares, so that one look into a table tells how far a queen gets on it.

A square is 16 * row + column. An action names the amazon, and the lane of its step and of its arrow: on which of
the four lines through the square, and to which place of that line.

    action = amazon << 12 | lane of the step << 6 | lane of the arrow        lane = line << 4 | place
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

SIDE, AMAZONS = 10, 4  # of the largest board, and on each side
SMALLEST = 6
PLAYERS = 2
LANE_BITS, PLACE_BITS = 6, 4
LANE, PLACE = (1 << LANE_BITS) - 1, (1 << PLACE_BITS) - 1
ACTION_CODES = AMAZONS << 2 * LANE_BITS
ROW, COLUMN, RISING, FALLING = range(4)
RISING_LINES, FALLING_LINES = 3 * SIDE - 1, 4 * SIDE - 1  # rows and columns come first
LINES = 6 * SIDE - 2
STRIDE = np.array([1, 16, 17, -15])  # from one place of a line to the next
BYTE, NIBBLES, EACH_BYTE, FOUR_BYTES = 0xFF, 0x0F0F0F0F, 0x01010101, 0xFFFFFFFF
MOST_STEPS = 3 * (SIDE - 1) + SIDE - 2  # of a queen in the middle of an empty board
MAX_ACTIONS = AMAZONS * 1065  # an amazon in the middle of an empty board has 1065; anything in the way takes some off
FEW = 10  # steps: with more of them it is faster to draw until it fits than to count

STATE = np.dtype(
    (
        np.record,
        [
            ("lines", "u2", LINES),  # the squares that are taken, or beyond the board
            ("amazons", "u1", (PLAYERS, AMAZONS)),  # their squares
            ("arrows", "i8"),  # shot so far
            ("rays", "i8", AMAZONS),  # how far each amazon of the player to move gets, see `rays_from`
            ("steps", "i8"),  # of the first amazon, the first two, three and all, a byte for each
            ("key", "u8"),  # the sum (exclusive or) of a random number for each amazon and arrow (Zobrist 1970)
        ],
    )
)
OPTIONS = (Param("size", SIDE, "rows and columns of the board", low=SMALLEST, high=SIDE),)


class Tables(NamedTuple):
    """What stays the same."""

    size: int
    start: np.ndarray  # i2[PLAYERS, AMAZONS]: squares
    border: np.ndarray  # u2[LINES]: the empty board
    free: np.ndarray  # u1[1 << SIDE + 4]: free places below a place of a line | those above it << 4
    amazon_keys: np.ndarray  # u8[PLAYERS, AMAZONS, squares]
    arrow_keys: np.ndarray  # u8[squares]


def tables(options: dict[str, Any]) -> Tables:
    """The tables of a board."""
    size = options["size"]
    random, squares = np.random.default_rng(1988), SIDE << PLACE_BITS
    amazon_keys = random.integers(0, 2**64, (PLAYERS, AMAZONS, squares), np.uint64)
    arrow_keys = random.integers(0, 2**64, squares, np.uint64)
    return Tables(size, first_squares(size), empty_board(size), free_places(), amazon_keys, arrow_keys)


def first_squares(size: int) -> np.ndarray:
    """Where the amazons begin: a third of the way along the edges, d1 g1 a4 j4 and opposite on 10 by 10."""
    near, far, last = (size - 1) // 3, size - 1 - (size - 1) // 3, size - 1
    white = [(0, near), (0, far), (near, 0), (near, last)]
    black = [(far, 0), (far, last), (last, near), (last, far)]
    return np.array([[row << PLACE_BITS | column for row, column in side] for side in (white, black)], np.int16)


def empty_board(size: int) -> np.ndarray:
    """All lines with nothing but the border on them."""
    board = np.zeros(1, STATE)
    lines: np.ndarray = board["lines"][0]
    lines[:] = (1 << SIDE) - 1
    for row in range(size):
        for column in range(size):
            toggle(board[0], row << PLACE_BITS | column)
    return lines


def free_places() -> np.ndarray:
    """How far it is to the next taken place on both sides of each place, for all lines that there can be."""
    free = np.zeros(1 << SIDE + PLACE_BITS, np.uint8)
    for line in range(1 << SIDE):
        for place in range(SIDE):
            before, behind = place, place + 1
            while before > 0 and not line >> (before - 1) & 1:
                before -= 1
            while behind < SIDE and not line >> behind & 1:
                behind += 1
            free[line << PLACE_BITS | place] = place - before | (behind - place - 1) << 4
    return free


# --- lines --------------------------------------------------------------------------------------


@rule
def toggle(s, square):
    """Something comes to a square or leaves it."""
    row, column = square >> PLACE_BITS, square & PLACE
    s.lines[row] ^= 1 << column
    s.lines[SIDE + column] ^= 1 << row
    s.lines[RISING_LINES + row - column] ^= 1 << column
    s.lines[FALLING_LINES + row + column] ^= 1 << column


@rule
def rays_from(t, s, square):
    """How far a queen on a square gets: for each line a byte as in `free`."""
    row, column = square >> PLACE_BITS & PLACE, square & PLACE
    level, upright = np.int64(s.lines[row]), np.int64(s.lines[SIDE + column])
    rising, falling = np.int64(s.lines[RISING_LINES + row - column]), np.int64(s.lines[FALLING_LINES + row + column])
    return (
        np.int64(t.free[level << PLACE_BITS | column])
        | np.int64(t.free[upright << PLACE_BITS | row]) << 8
        | np.int64(t.free[rising << PLACE_BITS | column]) << 16
        | np.int64(t.free[falling << PLACE_BITS | column]) << 24
    )


@rule
def sums(counts):
    """Of four counts, a byte for each: the first, the first two, three and all, a byte for each."""
    return counts * EACH_BYTE & FOUR_BYTES


@rule
def total(sums):
    return sums >> 24


@rule
def bin_of(sums, n):
    """Which of four counts holds number `n`, and which it is there."""
    chosen = int(n >= (sums & BYTE)) + int(n >= (sums >> 8 & BYTE)) + int(n >= (sums >> 16 & BYTE))
    return chosen, n - (sums << 8 >> 8 * chosen & BYTE)


@rule
def lengths(rays):
    """The number of squares on the first line, the first two, three and all."""
    return sums((rays & NIBBLES) + (rays >> 4 & NIBBLES))


@rule
def place_on(square, line):
    return square >> PLACE_BITS if line == COLUMN else square & PLACE


@rule
def nth_lane(square, rays, n):
    """The lane to square number `n` of those that the rays reach."""
    line, n = bin_of(lengths(rays), n)
    before = rays >> 8 * line & PLACE
    return line << PLACE_BITS | (place_on(square, line) - before + n + int(n >= before))


@rule
def along(square, lane):
    """The square at the end of a lane."""
    line = lane >> PLACE_BITS & 3
    return square + ((lane & PLACE) - place_on(square, line)) * STRIDE[line]


@rule
def rays_after(t, s, square, rays, lane):
    """How far an arrow gets after the step of the amazon on a square, whose rays are given.

    On the line of the step, these are the same squares with the one that the amazon has left.
    """
    shift, place = 8 * (lane >> PLACE_BITS), lane & PLACE
    free = rays >> shift & BYTE
    before = (free & PLACE) + place - place_on(square, lane >> PLACE_BITS)
    behind = (free & PLACE) + (free >> 4) - before
    return rays_from(t, s, along(square, lane)) & ~(BYTE << shift) | (before | behind << 4) << shift


# --- the game -----------------------------------------------------------------------------------


@rule
def start(t, s):
    for line in range(LINES):
        s.lines[line] = t.border[line]
    for side in range(PLAYERS):
        for amazon in range(AMAZONS):
            square = int(t.start[side, amazon])
            s.amazons[side, amazon] = square
            s.key ^= t.amazon_keys[side, amazon, square]
            toggle(s, square)
    look_around(t, s)


@rule
def look_around(t, s):
    """Note where the amazons of the player to move can go."""
    mover, steps = s.arrows & 1, 0
    for amazon in range(AMAZONS):
        rays = rays_from(t, s, np.int64(s.amazons[mover, amazon]))
        s.rays[amazon] = rays
        steps |= total(lengths(rays)) << 8 * amazon
    s.steps = sums(steps)


@rule
def player(s):
    return TERMINAL if s.steps == 0 else s.arrows & 1


@rule
def actions(t, s, out):
    n = 0
    for step in range(total(s.steps)):
        amazon, square, lane, rays = nth_step(t, s, step)
        target, code = along(square, lane), (amazon << LANE_BITS | lane) << LANE_BITS
        for arrow in range(total(lengths(rays))):
            out[n] = code | nth_lane(target, rays, arrow)
            n += 1
    return n


@rule
def play(t, s, action):
    mover, amazon = s.arrows & 1, action >> 2 * LANE_BITS
    origin = np.int64(s.amazons[mover, amazon])
    target = along(origin, action >> LANE_BITS & LANE)
    arrow = along(target, action & LANE)
    s.amazons[mover, amazon] = target
    toggle(s, origin)
    toggle(s, target)
    toggle(s, arrow)
    s.key ^= t.amazon_keys[mover, amazon, origin] ^ t.amazon_keys[mover, amazon, target] ^ t.arrow_keys[arrow]
    s.arrows += 1
    look_around(t, s)


@rule
def returns(s, out):
    """Who can't move has lost."""
    loser = s.arrows & 1
    out[loser] = -1.0
    out[1 - loser] = 1.0


@rule
def key(s):
    return s.key


def recompute_key(t: Tables, s: Any) -> np.uint64:
    """The key computed anew from what stands on the board; whose turn it is follows from the number of arrows."""
    amazons = [(side, amazon, int(s.amazons[side, amazon])) for side in range(PLAYERS) for amazon in range(AMAZONS)]
    standing = {square for _, _, square in amazons}
    board = [row << PLACE_BITS | column for row in range(t.size) for column in range(t.size)]
    taken = [square for square in board if int(s.lines[square >> PLACE_BITS]) >> (square & PLACE) & 1]
    found = np.uint64(0)
    for side, amazon, square in amazons:
        found ^= t.amazon_keys[side, amazon, square]
    for square in taken:
        if square not in standing:
            found ^= t.arrow_keys[square]
    return found


# --- random moves -------------------------------------------------------------------------------


@rule
def sample(t, s, rng):
    """Each pair of a step and an arrow is as likely as any other."""
    return counted(t, s, rng) if total(s.steps) <= FEW else drawn(t, s, rng)


@rule
def drawn(t, s, rng):
    """Draw a step, and an arrow as if there were as many as there can be, until that arrow exists."""
    while True:
        amazon, square, lane, rays = nth_step(t, s, below(rng, total(s.steps)))
        arrow = below(rng, MOST_STEPS)
        if arrow < total(lengths(rays)):
            return (amazon << LANE_BITS | lane) << LANE_BITS | nth_lane(along(square, lane), rays, arrow)


@rule
def counted(t, s, rng):
    """Count the arrows after all steps, and draw one."""
    arrows = 0
    for step in range(total(s.steps)):
        arrows += total(lengths(nth_step(t, s, step)[3]))
    left, step = below(rng, arrows), 0
    while True:
        amazon, square, lane, rays = nth_step(t, s, step)
        if left < total(lengths(rays)):
            return (amazon << LANE_BITS | lane) << LANE_BITS | nth_lane(along(square, lane), rays, left)
        left -= total(lengths(rays))
        step += 1


@rule
def nth_step(t, s, n):
    """Step number `n`: which amazon, from where, on which lane, and how far its arrows get then."""
    amazon, n = bin_of(s.steps, n)
    square = np.int64(s.amazons[s.arrows & 1, amazon])
    lane = nth_lane(square, s.rays[amazon], n)
    return amazon, square, lane, rays_after(t, s, square, s.rays[amazon], lane)
