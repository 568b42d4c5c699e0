"""Who is taken by a move: an enemy between the piece that moved and another one of its side."""

from __future__ import annotations

from spielbaum.games.latrunculi.board import (
    COLOUR,
    DIRECTIONS,
    DUX,
    EDGE,
    EMPTY,
    LANE_BITS,
    LANES,
    NUMBER,
    RIGHT,
    UP,
    VERTICAL,
)
from spielbaum.games.latrunculi.tables import SAME_PIECE
from spielbaum.rules import rule


@rule
def target_of(action):
    """The cell to which a move leads."""
    origin, lane = action >> LANE_BITS, action & LANES
    if lane & VERTICAL:
        return (origin & 15) | ((lane & 15) << 4)
    return (origin & ~15) | lane


@rule
def taken(t, s, cell, direction, mover):
    """Whether a piece that comes to a cell takes what is beside it."""
    prey = cell + direction
    piece = int(s.board[prey])
    if piece & COLOUR[1 - mover] == 0 or (t.dux and piece & NUMBER == DUX):
        return False
    if s.board[prey + direction] & COLOUR[mover] != 0:
        return True
    return t.corner and t.corner_pair[prey] != 0 and s.board[t.corner_pair[prey] - cell] & COLOUR[mover] != 0


@rule
def has_enemies_beside(s, cell, mover):
    board = s.board
    return (board[cell + UP] | board[cell + RIGHT] | board[cell - UP] | board[cell - RIGHT]) & COLOUR[1 - mover] != 0


@rule
def capture(t, s, action):
    if action & LANES == 0:
        return False
    cell, mover = target_of(action), s.to_move
    if has_enemies_beside(s, cell, mover):
        for direction in DIRECTIONS:
            if taken(t, s, cell, direction, mover):
                return True
    return False


# --- listing ------------------------------------------------------------------------------------


@rule
def captures(t, s, out):
    """The moves that take something: those to the empty side of an enemy that has a piece of ours on the other."""
    n, mover, foe = 0, s.to_move, 1 - s.to_move
    if s.hand[mover] > 0:
        return 0
    for number in range(1 if t.dux else 0, s.count[foe]):
        prey = int(s.pieces[foe, number])
        if t.corner and t.corner_pair[prey] != 0:
            upright = prey + UP if s.board[prey + UP] != EDGE else prey - UP
            n = closing_moves(t, s, upright, t.corner_pair[prey] - upright, out, n)
        else:
            n = closing_moves(t, s, prey + UP, prey - UP, out, n)
            n = closing_moves(t, s, prey + RIGHT, prey - RIGHT, out, n)
    return n


@rule
def closing_moves(t, s, one, other, out, n):
    """Append the moves that complete a pair of cells of which the mover holds one."""
    own = COLOUR[s.to_move]
    if s.board[one] == EMPTY and s.board[other] & own != 0:
        return moves_to(t, s, one, out, n)
    if s.board[other] == EMPTY and s.board[one] & own != 0:
        return moves_to(t, s, other, out, n)
    return n


@rule
def moves_to(t, s, cell, out, n):
    """Append the mover's moves to an empty cell, unless they are listed already."""
    only = s.extra if t.extra == SAME_PIECE else 0
    for direction in DIRECTIONS:
        origin = cell + direction
        while s.board[origin] == EMPTY:
            origin += direction
        if s.board[origin] & COLOUR[s.to_move] != 0 and (only == 0 or origin == only):
            lane = cell & 15 if origin >> 4 == cell >> 4 else VERTICAL | (cell >> 4)
            n = append(origin << LANE_BITS | lane, out, n)
    return n


@rule
def append(action, out, n):
    for i in range(n):
        if out[i] == action:
            return n
    out[n] = action
    return n + 1
