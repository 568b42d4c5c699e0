"""What searches do with a position: find out which actions are deadly for certain, let some players move, copy it."""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.rules import (
    ACROSS,
    ALONG,
    ANSWERS,
    FASTEST,
    JUMP_EVERY,
    JUMP_SPEED,
    SLOW_DOWN,
    SLOWEST,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    count_active,
    inside,
    is_free,
    ride,
    steer,
)
from spielbaum.rules import rule


@rule
def copy_position(t, source, target):
    """The position without what is the same all the game through; only the words that the board has are copied."""
    for i in range(t.words * source.height):
        target.free[i] = source.free[i]
    for p in range(t.players):
        target.x[p], target.y[p], target.died[p] = source.x[p], source.y[p], source.died[p]
        target.direction[p], target.speed[p] = source.direction[p], source.speed[p]
    target.rounds, target.active = source.rounds, source.active
    target.width, target.height = source.width, source.height


@rule
def survives(t, s, p, action):
    """Whether an action meets nothing that is drawn already: whatever the others do, all else is deadly."""
    direction, speed = np.int64(s.direction[p]), np.int64(s.speed[p])
    if action == TURN_LEFT:
        direction = (direction + 1) & 3
    elif action == TURN_RIGHT:
        direction = (direction + 3) & 3
    elif action == SPEED_UP:
        speed += 1
    elif action == SLOW_DOWN:
        speed -= 1
    if speed < SLOWEST or speed > FASTEST:
        return False
    across, along = ACROSS[direction], ALONG[direction]
    x, y = np.int64(s.x[p]), np.int64(s.y[p])
    if not inside(s, x + speed * across, y + speed * along):
        return False
    stride = speed - 1 if speed >= JUMP_SPEED and (s.rounds + 1) % JUMP_EVERY == 0 else 1
    step = 1
    while step <= speed:
        if not is_free(t, s, x + step * across, y + step * along):
            return False
        step += stride
    return True


@rule
def options(t, s, p, out):
    """Write the actions that are not deadly for certain; how many."""
    n = 0
    for action in range(ANSWERS):
        if survives(t, s, p, action):
            out[n] = action
            n += 1
    return n


@rule
def move_some(t, s, choices, moving):
    """A round in which only some players move, given as bits; the others stand where they are."""
    s.rounds += 1
    for p in range(t.players):
        if s.died[p] == 0 and moving >> p & 1:
            steer(s, p, choices[p])
    crashed = 0
    for p in range(t.players):
        if s.died[p] == 0 and moving >> p & 1:
            crashed |= ride(t, s, p)
    crashed &= moving
    for p in range(t.players):
        if s.died[p] == 0 and crashed >> p & 1:
            s.died[p] = s.rounds
    count_active(t, s)


@rule
def distance(s, p, q):
    """Steps between two heads on an empty board."""
    return abs(np.int64(s.x[p]) - s.x[q]) + abs(np.int64(s.y[p]) - s.y[q])
