"""The worth of a Connect Four position: threats, threats on the right rows, and the centre.

Columns fill up, and a threat decides the game when the opponent is the one who must play below it.
With an even number of squares in each column that is the second player for threats on odd rows and
the first player for threats on even rows (V. Allis, "A Knowledge-based Approach of Connect-Four", 1988).
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.connect_four.rules import BOTTOM, COLUMN, HEIGHT, ONE, WIDTH
from spielbaum.games.connect_four.threats import threats
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (
    Param("threat", 0.1, "a square that would complete four in a row", tune=(0.0, 0.5)),
    Param(
        "parity",
        0.1,
        "bonus for a threat on a good row: odd for the first player, even for the second",
        tune=(0.0, 0.5),
    ),
    Param("centre", 0.02, "a disc in the centre column", tune=(0.0, 0.2)),
)
THREAT, PARITY, CENTRE = range(3)

ODD_ROWS = np.uint64(int(BOTTOM) * 0b010101)  # the first, third and fifth
EVEN_ROWS = np.uint64(int(BOTTOM) * 0b101010)
CENTRE_COLUMN = np.uint64(((1 << HEIGHT) - 1) << COLUMN * (WIDTH // 2))


def units(weights: np.ndarray) -> dict[str, tuple[str, float]]:
    """The lead in threats."""
    return {"evaluate": ("threats", 1 / weights[THREAT])}


@rule
def evaluate(s, weights, player):
    return prospects(s, weights, player) - prospects(s, weights, 1 - player)


@rule
def prospects(s, weights, player):
    squares = threats(s, player)
    rows = ODD_ROWS if player == 0 else EVEN_ROWS
    return (
        weights[THREAT] * size(squares)
        + weights[PARITY] * size(squares & rows)
        + weights[CENTRE] * size(s.discs[player] & CENTRE_COLUMN)
    )


@rule
def size(squares):
    """The number of squares in a set; the compiler makes one instruction of it."""
    n = 0
    while squares != 0:
        squares &= squares - ONE  # strike off the lowest
        n += 1
    return n
