"""What a network sees of tic-tac-toe: the marks of the player, then those of the other one.

Feature `cell` is an own mark, nine more one of the opponent's. The board may be turned and mirrored. The same
as planes, of which the bottom row is the first one.
"""

from __future__ import annotations

from spielbaum.games.tic_tac_toe.rules import CELLS
from spielbaum.grids import GRID_SYMMETRIES, reflected
from spielbaum.rules import rule

FEATURES = 2 * CELLS
SYMMETRIES = GRID_SYMMETRIES
PLANES = (2, 3, 3)


@rule
def features(s, player, out):
    n = 0
    for side in range(2):
        for cell in range(CELLS):
            if s.marks[player ^ side] >> cell & 1:
                out[n] = CELLS * side + cell
                n += 1
    return n


@rule
def planes(s, player, out):
    for side in range(2):
        for cell in range(CELLS):
            if s.marks[player ^ side] >> cell & 1:
                out[side, cell // 3, cell % 3] = 1.0


@rule
def symmetry(which, feature):
    return feature // CELLS * CELLS + symmetric_action(which, feature % CELLS)


@rule
def symmetric_action(which, action):
    column, row = reflected(which, action % 3, action // 3, 3, 3)
    return 3 * row + column
