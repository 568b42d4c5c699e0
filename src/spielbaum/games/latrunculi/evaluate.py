"""How good a position is, at a glance: material, mobility, safety and encirclement.

All terms are shares, so that they mean the same on every board: who has the majority wins more by every
exchange, and a lead in moves counts for more when there are few of them.
"""

from __future__ import annotations

from spielbaum.games.latrunculi.taking import has_enemies_beside
from spielbaum.games.latrunculi.threats import NOBODY, is_capturable
from spielbaum.games.latrunculi.variants import LARGEST
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (
    Param("material", 1.0, "the lead in pieces, by all pieces"),
    Param("mobility", 0.1, "the lead in moves, by all moves"),
    Param("safety", 0.2, "the enemy's pieces that can be taken, less one's own, by all pieces"),
    Param("lock", 0.1, "the enemy's pieces that can't move, less one's own, by all pieces"),
    Param("encirclement", 0.5, "how close the enemy is to having no move at all, less the same of oneself"),
    Param("tempo", 0.01, "having the move"),
)
MATERIAL, MOBILITY, SAFETY, LOCK, ENCIRCLEMENT, TEMPO = range(len(WEIGHTS))
ALL_PLACES = (1 << LARGEST) - 1


@rule
def evaluate(t, s, weights, player):
    if s.hand[0] + s.hand[1] > 0:
        return 0.0
    other = 1 - player
    ours, our_moves, our_risks, our_locked = survey(t, s, player)
    theirs, their_moves, their_risks, their_locked = survey(t, s, other)
    pieces = (
        weights[MATERIAL] * (ours - theirs)
        + weights[SAFETY] * (their_risks - our_risks)
        + weights[LOCK] * (their_locked - our_locked)
    )
    room = weights[MOBILITY] * t.inverse[1 + our_moves + their_moves]
    room += weights[ENCIRCLEMENT] * t.inverse[1 + our_moves] * t.inverse[1 + their_moves]
    tempo = weights[TEMPO] if s.to_move == player else -weights[TEMPO]
    return pieces * t.inverse[ours + theirs] + room * (our_moves - their_moves) + tempo


@rule
def survey(t, s, side):
    """A side's pieces, its moves, and how many of its pieces can be taken and can't move."""
    moves, risks, locked = 0, 0, 0
    for number in range(s.count[side]):
        cell = int(s.pieces[side, number])
        room = int(t.reach[cell & 15, int(s.ranks[cell >> 4]) >> 1 & ALL_PLACES])
        room += int(t.reach[cell >> 4, int(s.files[cell & 15]) >> 1 & ALL_PLACES])
        moves += room
        if room == 0:
            locked += 1
        elif has_enemies_beside(s, cell, side) and is_capturable(t, s, cell, side, NOBODY):
            risks += 1
    return s.count[side], moves, risks, locked
