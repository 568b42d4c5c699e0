"""What a network sees of Latrunculi: the pieces, what is in danger, and what of the past decides the future.

Squares are numbered 12 * rank + file on a board of any size. Features are, one after the other:

    4 x 144   own pieces, enemy pieces, the own dux, the enemy's
    2 x 144   own pieces and enemy pieces that can be taken in one ply
        144   the piece that moves again after a capture, where only that one may
          1   any piece moves again after a capture
     2 x 25   how many pieces the player and the enemy have still to place, if any
     2 x 26   how many pieces they have on the board
         17   the player's lead in pieces, from 8 fewer to 8 more
     2 x 32   how many moves they would have: each number up to 15, then by twos, from 32 on by fours
         17   the player's lead in moves, by all moves, in eighths
          5   within how many quiet plies the game stalls, up to 1, 3, 7, 15 or 31
          3   how often the position has stood before since the last capture, if it has
          1   it is the enemy's turn

Lines of sight are what a small network can't learn from squares: so it is told what can be taken, and how many moves
there are, most exactly where they are few: a side that has none has lost. The board may be turned and mirrored: no
rule knows a direction.
"""

from __future__ import annotations

from spielbaum.games.latrunculi.board import DUX, LANE_BITS, LANES, MOST_PIECES, UP, VERTICAL
from spielbaum.games.latrunculi.capturing import has_enemies_beside
from spielbaum.games.latrunculi.rules import SOONEST_RETURN
from spielbaum.games.latrunculi.tables import ANY_PIECE, NEVER
from spielbaum.games.latrunculi.threats import NOBODY, is_capturable
from spielbaum.games.latrunculi.variants import LARGEST
from spielbaum.grids import GRID_SYMMETRIES, reflected, swaps
from spielbaum.rules import rule

SQUARES = LARGEST * LARGEST
ALL_PLACES = (1 << LARGEST) - 1
STALLS, REPEATS = 5, 3  # a position that stands for the fifth time ends every game
LEADS, MOVES, EIGHTHS = 8, 32, 8  # the largest lead in pieces, classes of moves, and half of the leads in moves
AT_RISK = 4 * SQUARES  # the first feature of each kind
AGAIN = AT_RISK + 2 * SQUARES
ANY_AGAIN = AGAIN + SQUARES
HAND = ANY_AGAIN + 1
PIECES = HAND + 2 * MOST_PIECES
LEAD = PIECES + 2 * (MOST_PIECES + 1)
MOBILITY = LEAD + 2 * LEADS + 1
FREEDOM = MOBILITY + 2 * MOVES
STALL = FREEDOM + 2 * EIGHTHS + 1
REPEATED = STALL + STALLS
ENEMY_S_TURN = REPEATED + REPEATS
FEATURES = ENEMY_S_TURN + 1
SYMMETRIES = GRID_SYMMETRIES


@rule
def features(t, s, player, out):
    n, ours = pieces(t, s, player, 0, out, 0)
    n, theirs = pieces(t, s, 1 - player, 1, out, n)
    out[n] = LEAD + LEADS + max(-LEADS, min(LEADS, s.count[player] - s.count[1 - player]))
    out[n + 1] = FREEDOM + (2 * EIGHTHS * ours + (ours + theirs) // 2) // max(1, ours + theirs)
    n += 2
    if s.extra != 0:
        out[n] = ANY_AGAIN if s.extra == ANY_PIECE else AGAIN + square_of(s.extra)
        n += 1
    if s.to_move != player:
        out[n] = ENEMY_S_TURN
        n += 1
    return n if t.stall == NEVER else danger_of_stalling(t, s, out, n)


@rule
def pieces(t, s, owner, side, out, n):
    """Append what is seen of the pieces of one's own side (0) or of the enemy (1); with the number of their moves."""
    moves = 0
    for number in range(s.count[owner]):
        cell = int(s.pieces[owner, number])
        kind = side + 2 if t.dux and number == DUX else side
        square = square_of(cell)
        out[n] = SQUARES * kind + square
        n += 1
        room = int(t.reach[cell & 15, int(s.ranks[cell >> 4]) >> 1 & ALL_PLACES])
        room += int(t.reach[cell >> 4, int(s.files[cell & 15]) >> 1 & ALL_PLACES])
        moves += room
        if has_enemies_beside(s, cell, owner) and is_capturable(t, s, cell, owner, NOBODY):
            out[n] = AT_RISK + SQUARES * side + square
            n += 1
    if s.hand[owner] > 0:
        out[n] = HAND + MOST_PIECES * side + s.hand[owner] - 1
        n += 1
    out[n] = PIECES + (MOST_PIECES + 1) * side + s.count[owner]
    out[n + 1] = MOBILITY + MOVES * side + class_of(moves)
    return n + 2, moves


@rule
def class_of(moves):
    """The class of a number of moves, which are the finer the fewer there are."""
    if moves < 16:
        return moves
    return 8 + moves // 2 if moves < 32 else min(16 + moves // 4, MOVES - 1)


@rule
def square_of(cell):
    return LARGEST * ((cell >> 4) - 1) + (cell & 15) - 1


@rule
def danger_of_stalling(t, s, out, n):
    """Append how near the limit of quiet plies is, and how often the position has stood before."""
    left, limit, stall = t.quiet - s.quiet, 1, 0
    while left > limit:
        limit += limit + 1
        stall += 1
    if stall < STALLS:
        out[n] = STALL + stall
        n += 1
    times = 0
    for ply in range(s.quiet - SOONEST_RETURN, -1, -2):
        if s.seen[ply] == s.key:
            times += 1
    if times > 0:
        out[n] = REPEATED + min(times, REPEATS) - 1
        n += 1
    return n


@rule
def symmetry(t, which, feature):
    """The same of the reflected square; what is of no square of this board stays."""
    square = feature % SQUARES
    file, rank = square % LARGEST, square // LARGEST
    if feature >= ANY_AGAIN or file >= t.width or rank >= t.height:
        return feature
    file, rank = reflected(which, file, rank, t.width, t.height)
    return feature - square + LARGEST * rank + file


@rule
def symmetric_action(t, which, action):
    """The same of the reflected squares; a code that is no move on this board stays, and so does a pass."""
    cell, lane = action >> LANE_BITS, action & LANES
    file, rank = (cell & 15) - 1, (cell >> 4) - 1
    if not (0 <= file < t.width and 0 <= rank < t.height):
        return action
    upright, place = lane & VERTICAL != 0, (lane & ~VERTICAL) - 1
    to_file, to_rank = (file, place) if upright else (place, rank)
    file, rank = reflected(which, file, rank, t.width, t.height)
    origin = UP * (rank + 1) + file + 1
    if lane == 0:
        return origin << LANE_BITS  # a piece is placed
    if not (0 <= to_file < t.width and 0 <= to_rank < t.height):
        return action
    to_file, to_rank = reflected(which, to_file, to_rank, t.width, t.height)
    if swaps(which, t.width, t.height):
        upright = not upright
    return origin << LANE_BITS | (VERTICAL | (to_rank + 1) if upright else to_file + 1)
