"""The area analysis of a board for callers from Python: tests, benchmarks and whoever wants to look at a position."""

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed import area


@kernel
def components(t, states, out):
    """The area of every cell, into out[0, y, x] by flood fill and into out[1, y, x] by union-find."""
    tables, s, scratch = t.tables, states[0], t.scratch[0]
    area.connect(tables, s, scratch)
    for y in range(s.height):
        for x in range(s.width):
            out[0, y, x] = area.area(tables, s, x, y, scratch.found)
            out[1, y, x] = area.connected_area(tables, s, x, y, scratch)


@kernel
def around_heads(t, states, repeats):
    """The largest area around each head, into `scratch.area`; as often as is wanted."""
    for _ in range(repeats):
        area.areas(t.tables, states[0], t.scratch[0])


@kernel
def around(t, states, player):
    """The largest area around one head."""
    return area.area_around(t.tables, states[0], player, t.scratch[0])


@kernel
def by_union(t, states, repeats):
    """Join all free cells by union-find, as often as is wanted."""
    for _ in range(repeats):
        area.connect(t.tables, states[0], t.scratch[0])


@kernel
def choke_points(t, states):
    """How many choke points there are; `scratch.choke` has them."""
    return area.choke_points(t.tables, states[0], t.scratch[0])
