"""How much room there is: 4-connected components of free cells, by flood fill and by union-find, and choke points.

The flood fill works on whole rows of bits. In a row, addition carries a seed through the free cells above it: with f
free and g ⊆ f found, f & ~(f + g) | g is g and all that is connected to it towards higher bits; towards lower bits six
shifts do the same (parallel prefix, after P. Kogge & H. Stone, 1973). Between rows, sweeps down and up alternate, and
each visits only the rows that the one before has changed.

Union-find ("connectors" with a leaf count) is how the report of Team Valhalla does it; it is here to be compared with.
Choke points are the articulation cells of R. Tarjan, "Depth-first search and linear graph algorithms" (1972), without
recursion.
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import ones
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, inside, is_free
from spielbaum.rules import rule

NONE, ONE, TOP = np.uint64(0), np.uint64(1), np.uint64(1 << 63)
BELOW_TOP = np.uint64((1 << 63) - 1)
TWO, FOUR, EIGHT, SIXTEEN, HALF, LAST = (np.uint64(n) for n in (2, 4, 8, 16, 32, 63))


# --- flood fill ---------------------------------------------------------------------------------


@rule
def area(t, s, x, y, found):
    """How many free cells are connected to a cell of the board, itself among them; they are left in `found`."""
    if not is_free(t, s, x, y):
        return 0
    flood(t.words, np.int64(s.height), s.free, np.int64(x), np.int64(y), found)
    return count(t.words * s.height, found)


@rule
def count(words, cells):
    n = 0
    for word in range(words):
        n += ones(cells[word])
    return n


@rule
def contains(t, cells, x, y):
    """Whether a cell of the board is in a set of cells."""
    return cells[t.words * y + (x >> 6)] >> np.uint64(x & 63) & ONE != NONE


@rule
def flood(words, height, free, x, y, found):
    """Put the component of a free cell into `found`, in sweeps down and up until one of them changes nothing."""
    for word in range(words * height):
        found[word] = NONE
    found[words * y + (x >> 6)] = ONE << np.uint64(x & 63)
    fill_row(words, free, found, y)
    first, last = sweep(words, height, free, found, y, y, True)
    first, last, down = min(first, y), max(last, y), False
    while first <= last:
        first, last = sweep(words, height, free, found, first, last, down)
        down = not down


@rule
def sweep(words, height, free, found, first, last, down):
    """Hand on the rows from first to last, and all that change by it; the first and the last row that changed."""
    step = 1 if down else -1
    row, until = (first, last) if down else (last, first)
    lowest, highest, handed = height, -1, True
    while handed or (until - row) * step >= 0:
        beside = row + step
        if beside < 0 or beside >= height:
            break
        handed = hand_on(words, free, found, row, beside)
        if handed:
            lowest, highest = min(lowest, beside), max(highest, beside)
        row = beside
    return lowest, highest


@rule
def hand_on(words, free, found, row, beside):
    """Let what was found in a row grow into the one beside it; whether it did."""
    grown = False
    for word in range(words):
        new = found[words * row + word] & free[words * beside + word] & ~found[words * beside + word]
        if new != NONE:
            found[words * beside + word] |= new
            grown = True
    if grown:
        fill_row(words, free, found, beside)
    return grown


@rule
def fill_row(words, free, found, row):
    """Find all that is connected within a row, over the edges of its words."""
    entering = NONE
    for word in range(words * row, words * row + words):
        found[word] = fill(free[word], found[word] | entering & free[word])
        entering = found[word] >> LAST
    for word in range(words * row + words - 2, words * row - 1, -1):
        leaving = (found[word + 1] & ONE) << LAST & free[word]
        if leaving & ~found[word] != NONE:
            found[word] = fill(free[word], found[word] | leaving)


@rule
def fill(free, found):
    """What is connected to the found bits within a word. The top bit is kept out of the sum, which can't overflow."""
    low = free & BELOW_TOP
    total = low + (found & BELOW_TOP)
    found |= low & ~total | free & total & TOP
    found |= free & found >> ONE
    free &= free >> ONE
    found |= free & found >> TWO
    free &= free >> TWO
    found |= free & found >> FOUR
    free &= free >> FOUR
    found |= free & found >> EIGHT
    free &= free >> EIGHT
    found |= free & found >> SIXTEEN
    free &= free >> SIXTEEN
    return found | free & found >> HALF


# --- around the heads ---------------------------------------------------------------------------

UNKNOWN = -1


@rule
def area_around(t, s, player, scratch):
    """The largest component that touches one of the four neighbours of a head: its size, 0 when shut in."""
    scratch.area[player] = 0
    look_around(t, s, player, scratch)
    for side in range(4):
        measure(t, s, player, side, player, player + 1, scratch)
    return np.int64(scratch.area[player])


@rule
def areas(t, s, scratch):
    """The same of all active players, into `scratch.area`, 0 for the others; no component is flooded twice."""
    for p in range(t.players):
        scratch.area[p] = 0
        look_around(t, s, p, scratch)
    for p in range(t.players):
        for side in range(4):
            measure(t, s, p, side, p, t.players, scratch)


@rule
def look_around(t, s, p, scratch):
    """Note on which sides of a head there is something to measure: nowhere when its player is out."""
    for side in range(4):
        x, y = s.x[p] + ACROSS[side], s.y[p] + ALONG[side]
        open_side = s.died[p] == 0 and inside(s, x, y) and is_free(t, s, x, y)
        scratch.around[p, side] = UNKNOWN if open_side else 0


@rule
def measure(t, s, player, side, first, end, scratch):
    """Flood what is beyond a side that is not known yet, and tell all sides of the players first to end - 1."""
    if scratch.around[player, side] != UNKNOWN:
        return
    size = area(t, s, s.x[player] + ACROSS[side], s.y[player] + ALONG[side], scratch.found)
    for p in range(first, end):
        for beyond in range(4):
            x, y = s.x[p] + ACROSS[beyond], s.y[p] + ALONG[beyond]
            if scratch.around[p, beyond] == UNKNOWN and contains(t, scratch.found, x, y):
                scratch.around[p, beyond] = size
                scratch.area[p] = max(np.int64(scratch.area[p]), size)


@rule
def free_cells(t, s):
    """How many cells nobody has drawn."""
    return count(t.words * s.height, s.free)


# --- union-find ---------------------------------------------------------------------------------


@rule
def connect(t, s, scratch):
    """Join all free cells beside each other; then `leaves[find(parent, cell)]` is the area of a cell."""
    width = np.int64(s.width)
    for y in range(s.height):
        for x in range(width):
            cell = width * y + x
            scratch.parent[cell] = cell
            scratch.leaves[cell] = 0
            if is_free(t, s, x, y):
                scratch.leaves[cell] = 1
                if x > 0 and is_free(t, s, x - 1, y):
                    join(scratch.parent, scratch.leaves, cell, cell - 1)
                if y > 0 and is_free(t, s, x, y - 1):
                    join(scratch.parent, scratch.leaves, cell, cell - width)


@rule
def find(parent, cell):
    """The connector at the top; those on the way are hung higher."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = np.int64(parent[cell])
    return cell


@rule
def join(parent, leaves, one, other):
    """Hang the connector with fewer leaves below the other."""
    one, other = find(parent, one), find(parent, other)
    if one == other:
        return
    if leaves[one] < leaves[other]:
        one, other = other, one
    parent[other] = one
    leaves[one] += leaves[other]


@rule
def connected_area(t, s, x, y, scratch):
    """The area of a cell, once all are joined by `connect`."""
    return np.int64(scratch.leaves[find(scratch.parent, np.int64(s.width) * y + x)])


# --- choke points -------------------------------------------------------------------------------


@rule
def choke_points(t, s, scratch):
    """Find all free cells without which their component falls apart, into `choke`; how many."""
    for word in range(t.words * s.height):
        scratch.choke[word] = NONE
    for cell in range(np.int64(s.width) * s.height):
        scratch.entered[cell] = 0
    clock = 0
    for y in range(s.height):
        for x in range(s.width):
            if is_free(t, s, x, y) and scratch.entered[np.int64(s.width) * y + x] == 0:
                clock = explore(t, s, scratch, x, y, clock)
    return count(t.words * s.height, scratch.choke)


@rule
def explore(t, s, scratch, x, y, clock):
    """Walk through a component depth first. A cell is a choke point if from below one of its children nothing leads
    above it; the root, if it has two children."""
    width = np.int64(s.width)
    root = width * y + x
    cell, children = root, 0
    clock = enter(scratch, root, -1, clock)
    while True:
        side = scratch.side[cell]
        if side < 4:
            scratch.side[cell] += 1
            x, y = cell % width + ACROSS[side], cell // width + ALONG[side]
            if not inside(s, x, y) or not is_free(t, s, x, y):
                continue
            beside = width * y + x
            if scratch.entered[beside] == 0:
                clock = enter(scratch, beside, cell, clock)
                cell = beside
            elif beside != scratch.parent[cell]:
                scratch.lowest[cell] = min(scratch.lowest[cell], scratch.entered[beside])
        elif cell == root:
            break
        else:
            above = np.int64(scratch.parent[cell])
            children += above == root
            if above != root and scratch.lowest[cell] >= scratch.entered[above]:
                mark(t, scratch.choke, above % width, above // width)
            scratch.lowest[above] = min(scratch.lowest[above], scratch.lowest[cell])
            cell = above
    if children > 1:
        mark(t, scratch.choke, root % width, root // width)
    return clock


@rule
def enter(scratch, cell, above, clock):
    scratch.entered[cell] = scratch.lowest[cell] = clock + 1
    scratch.parent[cell] = above
    scratch.side[cell] = 0
    return clock + 1


@rule
def mark(t, cells, x, y):
    cells[t.words * y + (x >> 6)] |= ONE << np.uint64(x & 63)
