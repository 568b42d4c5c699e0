"""Players that do not look ahead: `random` and `siegfried`, as Team Valhalla's report has them.

Siegfried's text and its formula contradict each other: by the text it speeds up the more likely the farther away the
others are, by the formula U > d²/100 the nearer they are. `siegfried` follows the text, U < d²/100, `siegfried-code`
the formula.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.games.spe_ed.area import look_around, measure
from spielbaum.games.spe_ed.rules import (
    ACROSS,
    ALONG,
    ANSWERS,
    CHANGE_NOTHING,
    FASTEST,
    JUMP_EVERY,
    JUMP_SPEED,
    SLOW_DOWN,
    SLOWEST,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    inside,
    is_free,
    sample,
)
from spielbaum.rules import below, rule, uniform

ALL_ANSWERS = 0x43210  # one in four bits
TURN = (0, 3, 1, 0, 0)  # what an answer changes the direction by
SPURT = (0, 0, 0, 1, -1)  # and the speed


# --- random -------------------------------------------------------------------------------------


@rule
def at_random(t, s, player, rng):
    """One of the moves that are not deadly at once, all as likely; to change nothing where there is none."""
    left, untried = ANSWERS, ALL_ANSWERS
    while left > 0:
        place = 4 * below(rng, left)
        answer = untried >> place & 15
        if survives(t, s, player, answer):
            return answer
        left -= 1
        untried ^= (answer ^ untried >> 4 * left & 15) << place  # the last one takes its place
    return CHANGE_NOTHING


@rule
def survives(t, s, player, answer):
    """Whether a player would live through a move if nobody else moved."""
    direction = (s.direction[player] + TURN[answer]) & 3
    speed = np.int64(s.speed[player]) + SPURT[answer]
    if speed < SLOWEST or speed > FASTEST:
        return False
    across, along = ACROSS[direction], ALONG[direction]
    x, y = np.int64(s.x[player]), np.int64(s.y[player])
    if not inside(s, x + across * speed, y + along * speed):
        return False
    stride = speed - 1 if speed >= JUMP_SPEED and (s.rounds + 1) % JUMP_EVERY == 0 else 1
    for step in range(1, speed + 1, stride):
        if not is_free(t, s, x + across * step, y + along * step):
            return False
    return True


# --- siegfried ----------------------------------------------------------------------------------


def sieg(near: bool) -> Any:
    """Siegfried, who speeds up when others are far away, or near."""

    @rule
    def siegfried(t, s, player, scratch, rng):
        """Turn to where the largest area is, if there is room to; otherwise be as fast as there is room for."""
        heading = widest_heading(t, s, player, scratch, rng)
        speed = np.int64(s.speed[player])
        if heading != s.direction[player] and speed * speed < ray(t, s, player, heading):
            return TURN_LEFT if heading == (s.direction[player] + 1) & 3 else TURN_RIGHT
        fit = np.int64(np.sqrt(ray(t, s, player, s.direction[player]) / 2))
        if speed < fit and speed < FASTEST and dares(t, s, player, near, rng):
            return SPEED_UP
        if speed > fit and speed > SLOWEST:
            return SLOW_DOWN
        return CHANGE_NOTHING

    return siegfried


@rule
def widest_heading(t, s, player, scratch, rng):
    """The direction, not back, in which the largest area begins; of equals the first, from the own one or any one."""
    own = np.int64(s.direction[player])
    first = own if uniform(rng) < 0.5 else below(rng, 4)
    look_around(t, s, player, scratch)
    scratch.area[player] = 0
    best, chosen = 0, own
    for turn in range(4):
        heading = (first + turn) & 3
        if heading != (own + 2) & 3:
            measure(t, s, player, heading, player, player + 1, scratch)
            if scratch.around[player, heading] > best:
                best, chosen = int(scratch.around[player, heading]), heading
    return chosen


@rule
def ray(t, s, player, direction):
    """1 and the free cells in a direction."""
    length = 1
    while True:
        x, y = s.x[player] + length * ACROSS[direction], s.y[player] + length * ALONG[direction]
        if not inside(s, x, y) or not is_free(t, s, x, y):
            return length
        length += 1


@rule
def dares(t, s, player, near, rng):
    """Whether to get faster, by chance: d²/100 for the distance d to the nearest player, or the rest of it."""
    closest = squared_distance(s, player, nearest_enemy(t, s, player))
    return (uniform(rng) < closest / 100) != near


@rule
def nearest_enemy(t, s, player):
    """The active enemy whose head is the nearest; the player itself where there is none."""
    found, closest = player, 0
    for p in range(t.players):
        distance = squared_distance(s, player, p)
        if p != player and s.died[p] == 0 and (found == player or distance < closest):
            found, closest = p, distance
    return found


@rule
def squared_distance(s, one, other):
    across, along = np.int64(s.x[one]) - s.x[other], np.int64(s.y[one]) - s.y[other]
    return across * across + along * along


@rule
def blind(t, rng):
    """Any answer, deadly or not."""
    return sample(t, rng)


POLICIES = {"random": at_random, "blind": blind, "siegfried": sieg(near=False), "siegfried-code": sieg(near=True)}
