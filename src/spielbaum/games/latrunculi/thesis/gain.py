"""What a move is worth in the two versions of the thesis' evaluation.

`s` is the position before the move and `after` the one after it and its captures. What is said of the
square that the piece has left refers to the position before.
"""

from __future__ import annotations

from spielbaum.games.latrunculi.board import LANE_BITS, LANES, ON_COUNT, WON
from spielbaum.games.latrunculi.capturing import target_of
from spielbaum.games.latrunculi.thesis.flags import (
    is_by_friendly_corner,
    is_in_corner,
    is_in_prep_squad,
    is_in_squad,
    is_threatening,
    is_threatening_highly,
)
from spielbaum.games.latrunculi.thesis.points import (
    ATTACK,
    CORNER,
    FRIENDLY_CORNER,
    HIDE,
    HIGH_ALERT,
    HIGH_THREAT,
    PREP_SQUAD,
    SQUAD,
    THREAT,
    VERSION,
)
from spielbaum.games.latrunculi.threats import NOBODY, is_capturable
from spielbaum.rules import rule

ANY_MOVE, VICTORY = 1.0, 250.0
LEFT_CORNER, LEFT_PREP_SQUAD, LEFT_FRIENDLY_CORNER = 20.0, 10.0, 50.0


@rule
def gain(t, s, after, action, weights):
    if action & LANES == 0:  # placing a piece, or passing
        return ANY_MOVE
    if weights[VERSION] == 1:
        worth = first_version(t, s, after, action, weights)
    else:
        worth = second_version(t, s, after, action, weights)
    has_won = (after.result == WON or after.result == ON_COUNT) and after.winner == s.to_move
    return worth + VICTORY if has_won else worth


@rule
def first_version(t, s, after, action, weights):
    mover, origin, cell = s.to_move, action >> LANE_BITS, target_of(action)
    captures = s.count[1 - mover] - after.count[1 - mover]
    worth = ANY_MOVE + weights[ATTACK] * min(captures, 2)
    if is_threatening(t, after, cell, mover):
        worth += weights[THREAT]
        if is_threatening_highly(t, after, cell, mover):
            worth += weights[HIGH_THREAT]
    if is_capturable(t, s, origin, mover, NOBODY) and not is_capturable(t, after, cell, mover, NOBODY):
        worth += weights[HIDE]
    return worth


@rule
def second_version(t, s, after, action, weights):
    """The second version: what the piece leaves, what it attacks, what it seeks, and what it risks."""
    mover, origin, cell = s.to_move, action >> LANE_BITS, target_of(action)
    from_refuge = is_in_corner(t, origin) or is_by_friendly_corner(t, s, origin, mover)
    high_alert = is_capturable(t, after, cell, mover, NOBODY)
    worth = ANY_MOVE - left_behind(t, s, origin, mover)
    worth += attack(t, s, after, action, weights, from_refuge, high_alert)
    worth += cover(t, s, after, action, weights, high_alert)
    if high_alert:
        worth += weights[HIGH_ALERT]
    if is_threatening_highly(t, after, cell, mover):
        worth += weights[HIGH_THREAT]
    return worth


@rule
def left_behind(t, s, origin, mover):
    """What it costs to leave a good place."""
    cost = 0.0
    if is_in_corner(t, origin):
        cost += LEFT_CORNER
    if is_in_prep_squad(s, origin, mover):
        cost += LEFT_PREP_SQUAD
    if is_by_friendly_corner(t, s, origin, mover):
        cost += LEFT_FRIENDLY_CORNER
    return cost


@rule
def attack(t, s, after, action, weights, from_refuge, high_alert):
    """Captures and threats: worth more for who has the majority, and out of a safe place."""
    mover, origin, cell = s.to_move, action >> LANE_BITS, target_of(action)
    captures = s.count[1 - mover] - after.count[1 - mover]
    threat = is_threatening(t, after, cell, mover)
    if captures > 0:
        boldness = 3.0 if from_refuge and not high_alert else 2.0
    elif threat and (from_refuge or is_in_squad(s, origin, mover)):
        boldness = 1.25 if high_alert else 2.0
    else:
        boldness = 1.0
    worth = weights[ATTACK] * captures + (weights[THREAT] if threat else 0.0)
    return worth * boldness * aggression(after, mover)


@rule
def aggression(s, mover):
    lead = s.count[mover] - s.count[1 - mover]
    return 3.0 if lead > 0 else (2.0 if lead == 0 else 1.0)


@rule
def cover(t, s, after, action, weights, high_alert):
    """Good places: worth more for who is in danger, and for who has fewer pieces."""
    mover, origin, cell = s.to_move, action >> LANE_BITS, target_of(action)
    danger = is_capturable(t, s, origin, mover, NOBODY)
    worth = 0.0
    if danger and not high_alert:
        worth += weights[HIDE]
    if is_in_squad(after, cell, mover):
        worth += weights[SQUAD]
    if is_in_prep_squad(after, cell, mover):
        worth += weights[PREP_SQUAD]
    if is_in_corner(t, cell):
        worth += weights[CORNER]
    if is_by_friendly_corner(t, after, cell, mover):
        worth += weights[FRIENDLY_CORNER]
    need = 2.0 if danger else 1.0
    return worth * need * 2.0 if after.count[mover] < after.count[1 - mover] else worth * need
