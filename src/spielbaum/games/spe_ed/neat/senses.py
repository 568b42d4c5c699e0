"""What a net sees: how far it is to the next line in seven directions, and a few numbers about itself.

All is relative to where the player is heading. A distance d is told as 1 / d, from 1 for a line or the border right
beside the head down to nearly 0, because what is near matters.
"""

from __future__ import annotations

from spielbaum.games.spe_ed.rules import FASTEST, JUMP_EVERY, inside, is_free
from spielbaum.rules import rule

RING_X, RING_Y = (0, -1, -1, -1, 0, 1, 1, 1), (-1, -1, 0, 1, 1, 1, 0, -1)  # steps around a cell, from up to the left
RAYS = ("right-back", "right", "right-ahead", "ahead", "left-ahead", "left", "left-back")
INPUTS = (*RAYS, "speed", "jump", "opponent")
FIRST_RAY = -(len(RAYS) // 2)  # in eighths of a turn to the left


@rule
def sense(t, s, player, out):
    """Write the inputs for a player's next decision."""
    for number in range(len(RAYS)):
        out[number] = 1.0 / ray(t, s, player, FIRST_RAY + number)
    out[len(RAYS)] = s.speed[player] / FASTEST
    out[len(RAYS) + 1] = (s.rounds + 1) % JUMP_EVERY == 0
    out[len(RAYS) + 2] = 1.0 / nearest_opponent(t, s, player)


@rule
def ray(t, s, player, turn):
    """How many steps it takes from the head to what is not free, so many eighths of a turn to the left."""
    at = (2 * s.direction[player] + turn) & 7
    x, y, steps = s.x[player] + RING_X[at], s.y[player] + RING_Y[at], 1
    while inside(s, x, y) and is_free(t, s, x, y):
        x, y, steps = x + RING_X[at], y + RING_Y[at], steps + 1
    return steps


@rule
def nearest_opponent(t, s, player):
    """Rows and columns to the nearest active opponent; far away where there is none."""
    nearest = int(s.width) + int(s.height)
    for other in range(t.players):
        if other != player and s.died[other] == 0:
            away = abs(int(s.x[other]) - int(s.x[player])) + abs(int(s.y[other]) - int(s.y[player]))
            nearest = min(nearest, max(away, 1))
    return nearest
