"""Territories from Python: for tests, figures, and whoever wants to see them."""

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.rules import FASTEST
from spielbaum.games.spe_ed.voronoi import territories


@kernel
def run(t, states, room, times):
    """Divide the board of a position, so many times over."""
    for _ in range(times):
        territories(t.tables, states[0], room[0], FASTEST)
