"""The rules of Latrunculi: slide like a rook, take an enemy by enclosing it between two pieces, move again.

The reconstruction is the one of the Landesmuseum Birkenfeld, with the switches of others (see variants.py).
Games that do not end by themselves stall: a position stands for the third time since the last capture, or
too many plies go by without one.

The key for transposition tables holds the pieces, the side to move and the extra move, and of the past what
decides the future: which positions have stood so often that once more stalls the game, and how many quiet
plies there were once the limit is near. It leaves out positions that have stood less often. A line in which
one of those comes up again and then again may be valued as if it had not been there before; to tell them apart
would make every order of the same moves another position.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.latrunculi.board import (
    CELLS,
    COLOUR,
    DIRECTIONS,
    DRAWN,
    DUX,
    EDGE,
    EMPTY,
    GOING_ON,
    LANE_BITS,
    LINES,
    NUMBER,
    ON_COUNT,
    PASS,
    PLAYERS,
    SHELLS,
    UP,
    VERTICAL,
    WON,
)
from spielbaum.games.latrunculi.capturing import has_enemies_beside, taken, target_of
from spielbaum.games.latrunculi.tables import ANY_PIECE, DRAW, NEVER, RANDOM_SIDE, SAME_PIECE
from spielbaum.rules import TERMINAL, below, mix, rule

SOONEST_RETURN = 4  # plies: both sides go away and come back

# --- setting up ---------------------------------------------------------------------------------


@rule
def start(t, s, rng):
    clear_board(t, s)
    s.to_move = below(rng, PLAYERS) if t.first == RANDOM_SIDE else t.first
    if s.to_move != SHELLS:
        s.key ^= t.side_key
    for side in range(PLAYERS):
        if t.placement:
            s.hand[side] = t.setup.shape[1]
        else:
            for i in range(t.setup.shape[1]):
                put(t, s, side, t.setup[side, i])
    if t.placement:
        s.key ^= t.placing_key
    begin_notes(t, s)


@rule
def clear_board(t, s):
    for cell in range(CELLS):
        s.board[cell] = EDGE
    for cell in t.cells:
        s.board[cell] = EMPTY
    for line in range(LINES):
        s.ranks[line] = t.border[0, line]
        s.files[line] = t.border[1, line]


@rule
def put(t, s, side, cell):
    """A new piece of a side; where there is a dux, it is the first."""
    number = s.count[side]
    s.count[side] += 1
    s.board[cell] = COLOUR[side] | number
    s.pieces[side, number] = cell
    toggle(t, s, side, cell, number)


@rule
def toggle(t, s, side, cell, number):
    """A piece appears on a cell or leaves it, as far as the key and the lines are concerned."""
    kind = 1 if t.dux and number == DUX else 0
    s.key ^= t.square_keys[kind, side, cell]
    s.ranks[cell >> 4] ^= 1 << (cell & 15)
    s.files[cell & 15] ^= 1 << (cell >> 4)


# --- moves --------------------------------------------------------------------------------------


@rule
def player(s):
    return TERMINAL if s.result != GOING_ON else s.to_move


@rule
def actions(t, s, out):
    n = 0
    if s.hand[s.to_move] > 0:
        for cell in t.cells:
            if s.board[cell] == EMPTY:
                out[n] = cell << LANE_BITS
                n += 1
        return n
    if s.extra != 0:
        if t.optional:
            out[0] = PASS
            n = 1
        if t.extra == SAME_PIECE:
            return slides(s, s.extra, out, n)
    for number in range(s.count[s.to_move]):
        n = slides(s, int(s.pieces[s.to_move, number]), out, n)
    return n


@rule
def slides(s, cell, out, n):
    """Append the moves of the piece on a cell."""
    origin = cell << LANE_BITS
    target = cell + 1
    while s.board[target] == EMPTY:
        out[n] = origin | (target & 15)
        n += 1
        target += 1
    target = cell - 1
    while s.board[target] == EMPTY:
        out[n] = origin | (target & 15)
        n += 1
        target -= 1
    target = cell + UP
    while s.board[target] == EMPTY:
        out[n] = origin | VERTICAL | (target >> 4)
        n += 1
        target += UP
    target = cell - UP
    while s.board[target] == EMPTY:
        out[n] = origin | VERTICAL | (target >> 4)
        n += 1
        target -= UP
    return n


@rule
def sample(t, s, rng):
    """Draw a piece and a square in line with it until the way is free: each move is as likely as another."""
    side = s.to_move
    if s.hand[side] > 0:
        while True:
            cell = t.cells[below(rng, len(t.cells))]
            if s.board[cell] == EMPTY:
                return cell << LANE_BITS
    only_one = s.extra != 0 and t.extra == SAME_PIECE
    lanes = t.width + t.height
    ways = lanes if only_one else s.count[side] * lanes
    may_pass = s.extra != 0 and t.optional
    while True:
        way = below(rng, ways + 1 if may_pass else ways)
        if way == ways:
            return PASS
        cell = s.extra if only_one else int(s.pieces[side, way // lanes])
        lane = way % lanes + 1
        if lane <= t.width:
            if is_free(int(s.ranks[cell >> 4]), cell & 15, lane):
                return cell << LANE_BITS | lane
        elif is_free(int(s.files[cell & 15]), cell >> 4, lane - t.width):
            return cell << LANE_BITS | VERTICAL | (lane - t.width)


@rule
def is_free(line, here, there):
    """Whether a piece can go along a line from here to there."""
    way = (2 << there) - (2 << here) if here < there else (1 << here) - (1 << there)
    return way != 0 and line & way == 0


# --- playing ------------------------------------------------------------------------------------


@rule
def play(t, s, action):
    mover, foe = s.to_move, 1 - s.to_move
    if s.hand[mover] > 0:
        put(t, s, mover, action >> LANE_BITS)
        s.hand[mover] -= 1
        hand_over(t, s)
        if s.hand[foe] == 0:
            s.key ^= t.placing_key
            begin_notes(t, s)
            if is_beaten(t, s, foe):
                win(s, mover)
        return
    captures = 0
    cell = target_of(action)
    if action != PASS:
        move_piece(t, s, mover, action >> LANE_BITS, cell)
        captures = take_around(t, s, mover, cell)
    if is_beaten(t, s, foe):
        win(s, mover)
        return
    s.key ^= t.extra_keys[s.extra]
    s.extra = moves_again(t, s, mover, cell) if captures > 0 else 0
    s.key ^= t.extra_keys[s.extra]
    if s.extra == 0:
        hand_over(t, s)
    if captures > 0:
        s.quiet = 0
        begin_notes(t, s)
    else:
        s.quiet += 1
        if t.stall != NEVER and is_stalled(t, s):
            stall(t, s)


@rule
def hand_over(t, s):
    s.to_move = 1 - s.to_move
    s.key ^= t.side_key


@rule
def move_piece(t, s, mover, origin, cell):
    piece = s.board[origin]
    number = int(piece) & NUMBER
    s.board[origin] = EMPTY
    s.board[cell] = piece
    s.pieces[mover, number] = cell
    toggle(t, s, mover, origin, number)
    toggle(t, s, mover, cell, number)


@rule
def take_around(t, s, mover, cell):
    """Remove what the piece that has come to a cell takes; how many that were."""
    captures = 0
    if not has_enemies_beside(s, cell, mover):
        return captures
    for direction in DIRECTIONS:
        if taken(t, s, cell, direction, mover):
            remove(t, s, 1 - mover, cell + direction)
            captures += 1
    return captures


@rule
def remove(t, s, side, cell):
    """Take a piece off the board; the last of its side gets its number."""
    number = int(s.board[cell]) & NUMBER
    toggle(t, s, side, cell, number)
    s.board[cell] = EMPTY
    s.count[side] -= 1
    last = s.count[side]
    moved = s.pieces[side, last]
    s.pieces[side, number] = moved
    s.pieces[side, last] = 0
    if number != last:
        s.board[moved] = COLOUR[side] | number


@rule
def moves_again(t, s, mover, cell):
    """What a side that has taken something may move now: the cell of that piece, ANY_PIECE, or 0 for none."""
    if t.extra == SAME_PIECE:
        return cell if has_room(s, cell) else 0
    return ANY_PIECE if t.extra == ANY_PIECE and can_move(s, mover) else 0


@rule
def is_beaten(t, s, side):
    """Too few pieces, none that can move, or a dux that can't."""
    if s.count[side] < t.least or not can_move(s, side):
        return True
    return t.dux and not has_room(s, int(s.pieces[side, DUX]))


@rule
def can_move(s, side):
    for number in range(s.count[side]):
        if has_room(s, int(s.pieces[side, number])):
            return True
    return False


@rule
def has_room(s, cell):
    board = s.board
    return (
        board[cell + UP] == EMPTY or board[cell + 1] == EMPTY or board[cell - UP] == EMPTY or board[cell - 1] == EMPTY
    )


@rule
def begin_notes(t, s):
    """No position from before comes back: remember from here on what has stood on the board."""
    if t.stall != NEVER:
        s.seen[s.quiet] = s.key
        s.worn = wear(s.key) if t.repetition == 2 else np.uint64(0)


@rule
def is_stalled(t, s):
    """Note the position; whether it has stood too often, or nothing was taken for too long."""
    if s.quiet >= t.quiet:
        return True
    times = 1
    for ply in range(s.quiet - SOONEST_RETURN, -1, -2):
        if s.seen[ply] == s.key:
            times += 1
    s.seen[s.quiet] = s.key
    if times == t.repetition - 1:
        s.worn ^= wear(s.key)
    return times >= t.repetition


@rule
def stall(t, s):
    lead = s.count[0] - s.count[1]
    if t.stall == DRAW or lead == 0:
        s.result = DRAWN
    else:
        s.result = ON_COUNT
        s.winner = 0 if lead > 0 else 1


@rule
def win(s, side):
    s.result = WON
    s.winner = side


@rule
def adjudicated(s):
    return s.result == ON_COUNT


@rule
def returns(s, out):
    if s.result != DRAWN:
        out[s.winner] = 1.0
        out[1 - s.winner] = -1.0


# --- keys ---------------------------------------------------------------------------------------


@rule
def key(t, s):
    return key_with(t, s, s.key, s.worn)


@rule
def key_with(t, s, position, worn):
    position ^= worn ^ t.quiet_keys[s.quiet if s.quiet < len(t.quiet_keys) else 0]
    return position if s.result == GOING_ON else position ^ t.over_key


@rule
def wear(key):
    """What a worn position adds to the key. It is not linear: when both sides go to and fro, the keys of the four
    positions cancel each other, and their wear must not."""
    return mix(key, 0)


@rule
def recompute_key(t, s):
    """The key computed anew from the pieces and from what has stood since the last capture."""
    position = t.extra_keys[s.extra]
    if s.to_move != SHELLS:
        position ^= t.side_key
    if s.hand[s.to_move] > 0:
        position ^= t.placing_key
    for side in range(PLAYERS):
        for number in range(s.count[side]):
            kind = 1 if t.dux and number == DUX else 0
            position ^= t.square_keys[kind, side, int(s.pieces[side, number])]
    return key_with(t, s, position, worn_positions(t, s))


@rule
def worn_positions(t, s):
    """The key of all positions that stand in the notes as often as is possible without a stall."""
    worn = np.uint64(0)
    if t.stall != NEVER:
        for ply in range(min(s.quiet + 1, t.quiet)):
            times = 0
            for before in range(ply + 1):
                if s.seen[before] == s.seen[ply] and s.seen[ply] != 0:
                    times += 1
            if times == t.repetition - 1:
                worn ^= wear(s.seen[ply])
    return worn
