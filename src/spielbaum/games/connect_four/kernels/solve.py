"""Connect Four solved: alpha-beta with a null window on bitboards, after Pascal Pons ("Solving Connect 4: how to build
a perfect AI", 2015 to 2019).

A score is how soon the game is won: 1 + the discs that the winner has left, less than 0 for a loss, 0 for a draw. Moves
that lose at once are not looked at; columns are tried by the threats that they make, the centre first; a table keeps a
bound of each position, without its collisions being resolved.

`own` are the discs of who is to move, `discs` all of them, `count` how many.
"""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.connect_four.evaluate import size
from spielbaum.games.connect_four.rules import BOTTOM, COLUMN, DOWN_RIGHT, HEIGHT, ONE, RIGHT, UP, UP_RIGHT, WIDTH
from spielbaum.games.connect_four.threats import BOARD, fourths_along
from spielbaum.rules import inlined, rule

SQUARES = WIDTH * HEIGHT
LOWEST = -(SQUARES // 2) - 1
BEYOND = 2 * SQUARES  # upper bounds are kept as they are, lower ones with this added
UNKNOWN = 8 * SQUARES
FIRST_COLUMN = np.uint64((1 << HEIGHT) - 1)
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
NONE = np.uint64(0)


@kernel
def score(t, states, frames, table):
    """The score of a position that is not over, by halving the interval in which it lies."""
    own, discs, count = seen(states[0])
    if winning(own, discs) & reach(discs):
        return (SQUARES + 1 - count) // 2
    low, high = -((SQUARES - count) // 2), (SQUARES + 1 - count) // 2
    while low < high:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        found = search(own, discs, count, middle, middle + 1, frames, table)
        if found <= middle:
            high = found
        else:
            low = found
    return low


@kernel
def reaches(t, states, wanted, frames, table):
    """Whether the score of a position that is not over is at least so large."""
    own, discs, count = seen(states[0])
    if winning(own, discs) & reach(discs):
        return (SQUARES + 1 - count) // 2 >= wanted
    return search(own, discs, count, wanted - 1, wanted, frames, table) >= wanted


@inlined
def seen(s):
    """The discs of who is to move, all of them, and how many."""
    return s.discs[s.count & 1], s.discs[0] | s.discs[1], np.int64(s.count)


@rule
def search(own, discs, count, alpha, beta, frames, table):
    """A bound of the score that decides on which side of the window it lies; who moves can't win at once."""
    depth = count
    found = enter(own, discs, depth, alpha, beta, frames[depth], table)
    while True:
        f = frames[depth]
        if found == UNKNOWN and f.next < f.moves:
            own, discs, move = f.own ^ f.discs, f.discs, f.move[f.next]
            f.next += 1
            depth += 1
            found = enter(own, discs | move, depth, -f.beta, -f.alpha, frames[depth], table)
            continue
        if found == UNKNOWN:
            found = f.alpha
            keep(table, f.own + f.discs, found)
        if depth == count:
            return found
        depth, found = depth - 1, -found
        f = frames[depth]
        if found >= f.beta:
            keep(table, f.own + f.discs, found + BEYOND)
        else:
            f.alpha = max(f.alpha, found)
            found = UNKNOWN


@rule
def enter(own, discs, count, alpha, beta, frame, table):
    """The value of a position where it is known, otherwise a frame for it."""
    good = not_losing(own, discs)
    if good == NONE:
        return -((SQUARES - count) // 2)
    if count >= SQUARES - 2:
        return 0
    alpha = max(alpha, -((SQUARES - 2 - count) // 2))
    beta = min(beta, (SQUARES - 1 - count) // 2)
    if alpha >= beta:
        return alpha
    entry = table[slot(table, own + discs)]
    if entry.key == own + discs:
        if entry.bound >= LOWEST + BEYOND:
            alpha = max(alpha, entry.bound - BEYOND)
        else:
            beta = min(beta, np.int64(entry.bound))
        if alpha >= beta:
            return alpha
    frame.own, frame.discs, frame.alpha, frame.beta = own, discs, alpha, beta
    frame.moves, frame.next = arrange(own, discs, good, frame.move, frame.worth), 0
    return UNKNOWN


@inlined
def slot(table, key):
    return np.int64(key % np.uint64(len(table)))


@inlined
def keep(table, key, bound):
    entry = table[slot(table, key)]
    entry.key, entry.bound = key, bound


@rule
def arrange(own, discs, good, moves, worths):
    """The good moves, those that make most threats first; how many there are."""
    n = 0
    for column in CENTRE_FIRST:
        move = good & (FIRST_COLUMN << np.uint64(COLUMN * column))
        if move == NONE:
            continue
        worth, i = size(winning(own | move, discs)), n
        while i > 0 and worths[i - 1] < worth:
            moves[i], worths[i] = moves[i - 1], worths[i - 1]
            i -= 1
        moves[i], worths[i] = move, worth
        n += 1
    return n


@rule
def not_losing(own, discs):
    """The moves after which the opponent can't win at once."""
    within, losses = reach(discs), winning(own ^ discs, discs)
    forced = within & losses
    if forced != NONE:
        if forced & (forced - ONE) != NONE:
            return NONE
        within = forced
    return within & ~(losses >> UP)


@inlined
def reach(discs):
    """The squares on which the next discs come to rest."""
    return (discs + BOTTOM) & BOARD


@inlined
def winning(own, discs):
    """The empty squares that would complete four in a row."""
    fourths = (
        fourths_along(own, UP)
        | fourths_along(own, RIGHT)
        | fourths_along(own, DOWN_RIGHT)
        | fourths_along(own, UP_RIGHT)
    )
    return fourths & BOARD & ~discs
