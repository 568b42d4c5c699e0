"""How good a position is, at a glance: material, mobility, safety and encirclement; and to a player's taste.

All terms are shares, so that they mean the same on every board: who has the majority wins more by every
exchange, and a lead in moves counts for more when there are few of them.

A taste is not a lead: both sides may like what they see. Pieces at the edge can be taken along it only, loose ones
come everywhere, and enemies beside one's own are enemies that may be enclosed. Who likes that keeps the position
open, and weaker players lose a piece in it; who only takes their room shuts them in, and the game stalls. The tastes
were found by games with random weights and a quadratic fit to their results (Box & Wilson 1951), all from the start
position. From random openings they cost strength, so that no named player has them: `weight.taste` is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.games.latrunculi.board import COLOUR, DIRECTIONS, EDGE, RIGHT, SHELLS, UP
from spielbaum.games.latrunculi.capturing import has_enemies_beside
from spielbaum.games.latrunculi.threats import NOBODY, is_capturable
from spielbaum.games.latrunculi.variants import LARGEST
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (
    Param("material", 1.0, "lead in pieces, divided by all pieces", tune=(0.0, 3.0)),
    Param("mobility", 0.1, "lead in moves, divided by all moves", tune=(0.0, 1.0)),
    Param("safety", 0.2, "enemy pieces that can be captured minus own ones, divided by all pieces", tune=(0.0, 1.0)),
    Param("lock", 0.1, "enemy pieces that can't move minus own ones, divided by all pieces", tune=(0.0, 1.0)),
    Param(
        "encirclement",
        0.5,
        "how close the enemy is to having no move, minus how close one is oneself",
        tune=(0.0, 2.0),
    ),
    Param("tempo", 0.01, "having the move", tune=(0.0, 0.1)),
    Param("taste", 0.0, "how much the tastes count: edge, contact, row, diagonal and advance", tune=(0.0, 0.5)),
    Param(
        "edge", 0.28, "a taste: own pieces at the edge, divided by own pieces", tune=(-0.5, 0.5), when="weight.taste"
    ),
    Param(
        "contact",
        0.1,
        "a taste: enemies beside own pieces, divided by own pieces",
        tune=(-0.5, 0.5),
        when="weight.taste",
    ),
    Param(
        "row", -0.1, "a taste: own pieces side by side, divided by own pieces", tune=(-0.5, 0.5), when="weight.taste"
    ),
    Param(
        "diagonal",
        0.14,
        "a taste: own pieces corner to corner, divided by own pieces",
        tune=(-0.5, 0.5),
        when="weight.taste",
    ),
    Param(
        "advance",
        -0.15,
        "a taste: the part of the board that one's pieces have crossed",
        tune=(-0.5, 0.5),
        when="weight.taste",
    ),
)
(
    MATERIAL, MOBILITY, SAFETY, LOCK, ENCIRCLEMENT, TEMPO, TASTE, AT_EDGE, CONTACT, ROW, DIAGONAL, ADVANCE,
) = range(len(WEIGHTS))  # fmt: skip
ALL_PLACES = (1 << LARGEST) - 1


def units(s: Any, weights: np.ndarray) -> dict[str, tuple[str, float]]:
    """The lead in pieces, as many of which as there are on the board would be worth `material`."""
    return {"evaluate": ("pieces", float(s.count[0] + s.count[1]) / weights[MATERIAL])}


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
    value = weights[TEMPO] if s.to_move == player else -weights[TEMPO]
    if weights[TASTE] != 0.0:
        value += weights[TASTE] * formation(t, s, weights, player)
    return pieces * t.inverse[ours + theirs] + room * (our_moves - their_moves) + value


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


@rule
def formation(t, s, weights, side):
    """How much a side's pieces stand to its taste."""
    value, steps = 0.0, 0
    for number in range(s.count[side]):
        cell = int(s.pieces[side, number])
        rank = (cell >> 4) - 1
        steps += rank if side == SHELLS else t.height - 1 - rank
        value += surroundings(s, weights, side, cell)
    return (value + weights[ADVANCE] * steps * t.inverse[t.height]) * t.inverse[s.count[side]]


@rule
def surroundings(s, weights, side, cell):
    """What stands around a piece; a pair of own ones counts once, at the one on the left or below."""
    own, enemy = COLOUR[side], COLOUR[1 - side]
    value, beside = 0.0, 0
    for direction in DIRECTIONS:
        there = int(s.board[cell + direction])
        beside |= there
        if there & enemy != 0:
            value += weights[CONTACT]
    if beside & EDGE != 0:
        value += weights[AT_EDGE]
    for direction in (RIGHT, UP):
        if s.board[cell + direction] & own != 0:
            value += weights[ROW]
    for direction in (RIGHT + UP, RIGHT - UP):
        if s.board[cell + direction] & own != 0:
            value += weights[DIAGONAL]
    return value
