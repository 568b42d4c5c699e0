"""What a network sees of Light Cycles: where the player rides, where the other one does, and what is in their way.

Feature 16 * row + column is the player's cell, 256 more the other rider's, 512 more a cell of the arena with a wall or
a trail in it; whose trail it is decides nothing. The arena may be turned and mirrored: the rules know no direction, and
where that makes another arena of it, its walls are seen where they are then.
"""

from __future__ import annotations

from spielbaum.games.light_cycles.boards import SIDE
from spielbaum.games.light_cycles.rules import EAST, SOUTH, WEST, is_free
from spielbaum.grids import GRID_SYMMETRIES, reflected, swaps
from spielbaum.rules import rule

CELLS = SIDE * SIDE
FEATURES = 3 * CELLS
SYMMETRIES = GRID_SYMMETRIES


@rule
def features(t, s, player, out):
    own, other = int(s.cell[player]), int(s.cell[1 - player])
    out[0], out[1] = own, CELLS + other
    n = 2
    for row in range(t.size[1]):
        for cell in range(SIDE * row, SIDE * row + t.size[0]):
            if cell != own and cell != other and not is_free(s.free, cell):
                out[n] = 2 * CELLS + cell
                n += 1
    return n


@rule
def symmetry(t, which, feature):
    """The same of the reflected cell; cells beyond the arena stay where they are."""
    cell = feature % CELLS
    column, row = cell % SIDE, cell // SIDE
    if column >= t.size[0] or row >= t.size[1]:
        return feature
    column, row = reflected(which, column, row, t.size[0], t.size[1])
    return feature - cell + SIDE * row + column


@rule
def symmetric_action(t, which, action):
    if which & 1 and action % 2 == EAST % 2:
        action = EAST + WEST - action
    if which & 2 and action % 2 == SOUTH % 2:
        action = SOUTH - action
    return WEST - action if swaps(which, t.size[0], t.size[1]) else action  # north is west then, and east south
