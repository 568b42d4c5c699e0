"""The worth of an Amazons position: whose squares are they?

A square belongs to the side that reaches it in fewer moves, once counted in moves of a queen and once in those
of a king; a square that both reach as soon is worth something to who is to move (J. Lieberum, "An Evaluation
Function for the Game of Amazons", 2005).

The board is one number of 110 bits, rows of eleven with the last always taken so that nothing runs over the
edge, in two halves of five rows.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.amazons.rules import AMAZONS, PLACE, PLACE_BITS, SIDE
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (
    Param("queen", 0.04, "a square that a queen reaches in fewer moves than the enemy's", tune=(0.0, 0.1)),
    Param("king", 0.02, "a square that a king reaches in fewer moves than the enemy's", tune=(0.0, 0.1)),
    Param("tempo", 0.01, "a square that both sides reach in as many moves, for the side to move", tune=(0.0, 0.1)),
)
QUEEN, KING, TEMPO = range(3)

HALF_ROWS = SIDE // 2
ROW_BITS = SIDE + 1
HALF_BITS = np.uint64(HALF_ROWS * ROW_BITS)
NOTHING, ONE, FULL_ROW = np.uint64(0), np.uint64(1), np.uint64((1 << SIDE) - 1)
RIGHT, UP, UP_LEFT, UP_RIGHT = np.uint64(1), np.uint64(ROW_BITS), np.uint64(ROW_BITS - 1), np.uint64(ROW_BITS + 1)


@rule
def evaluate(s, weights, player):
    lead, shared = territory(s, player, True)
    nearer, _ = territory(s, player, False)
    to_move = 1 if player == s.arrows & 1 else -1
    value = weights[QUEEN] * lead + weights[KING] * nearer + weights[TEMPO] * shared * to_move
    return value / (1.0 + abs(value))


@rule
def territory(s, player, slides):
    """How many squares more belong to a player than to the other, and how many to both."""
    free = free_squares(s)
    own, other = stand(s, player), stand(s, 1 - player)
    left, lead, shared = free, 0, 0
    while True:
        own, other = meet(reached(own, free, slides), left), meet(reached(other, free, slides), left)
        both = meet(own, other)
        lead += size(own) - size(other)
        shared += size(both)
        if own[0] | own[1] | other[0] | other[1] == NOTHING:
            return lead, shared
        left = left[0] & ~(own[0] | other[0]), left[1] & ~(own[1] | other[1])


@rule
def free_squares(s):
    lower = upper = NOTHING
    for row in range(HALF_ROWS):
        shift = np.uint64(ROW_BITS * row)
        lower |= (np.uint64(s.lines[row]) ^ FULL_ROW) << shift
        upper |= (np.uint64(s.lines[HALF_ROWS + row]) ^ FULL_ROW) << shift
    return lower, upper


@rule
def stand(s, player):
    """The squares of the amazons."""
    lower = upper = NOTHING
    for amazon in range(AMAZONS):
        square = np.int64(s.amazons[player, amazon])
        bit = ROW_BITS * (square >> PLACE_BITS) + (square & PLACE)
        if bit < ROW_BITS * HALF_ROWS:
            lower |= ONE << np.uint64(bit)
        else:
            upper |= ONE << np.uint64(bit - ROW_BITS * HALF_ROWS)
    return lower, upper


@rule
def meet(these, those):
    return these[0] & those[0], these[1] & those[1]


@rule
def size(squares):
    """The number of squares in a set; the compiler makes two instructions of it."""
    n = 0
    for half in squares:
        while half != NOTHING:
            half &= half - ONE  # strike off the lowest
            n += 1
    return n


@rule
def reached(squares, free, slides):
    """Where one move of queens or kings leads."""
    across, upright = reached_along(squares, free, RIGHT, slides), reached_along(squares, free, UP, slides)
    rising, falling = reached_along(squares, free, UP_RIGHT, slides), reached_along(squares, free, UP_LEFT, slides)
    return across[0] | upright[0] | rising[0] | falling[0], across[1] | upright[1] | rising[1] | falling[1]


@rule
def reached_along(squares, free, step, slides):
    """Where it leads on the lines in one direction, to and fro."""
    lower = upper = NOTHING
    carry = HALF_BITS - step
    a, b = squares
    while a | b != NOTHING:
        a, b = (a << step) & free[0], (b << step | a >> carry) & free[1]
        lower, upper = lower | a, upper | b
        if not slides:
            break
    a, b = squares
    while a | b != NOTHING:
        a, b = (a >> step | b << carry) & free[0], (b >> step) & free[1]
        lower, upper = lower | a, upper | b
        if not slides:
            break
    return lower, upper
