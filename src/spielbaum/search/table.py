"""The transposition table: what the search knows of a position, however it was reached.

An entry is found at key mod size and holds the full key (Zobrist 1970), so that a collision is
noticed and not believed. Replacement is `always` (the newest entry stays) or `depth` (a deeper
entry of another position stays). The size is a power of two, so that mod is a mask.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import rule

ENTRY = np.dtype((np.record, [("key", "u8"), ("value", "f8"), ("move", "i4"), ("depth", "i2"), ("bound", "i2")]))
EMPTY, EXACT, LOWER, UPPER = range(4)
SOLVED = 30_000  # the depth of an entry below which no evaluation was needed

MEGABYTE = 1 << 20


def new_table(megabytes: int) -> np.ndarray:
    """ENTRY[2^k] within that many megabytes; one entry, never used, for none."""
    size = 1
    while 2 * size * ENTRY.itemsize <= megabytes * MEGABYTE:
        size *= 2
    return np.zeros(size, ENTRY)


@rule
def slot_of(table, key):
    """The index of the key's entry."""
    return np.int64(key & np.uint64(len(table) - 1))


@rule
def store(table, key, value, move, depth, bound, prefer_depth):
    """Enter a result, unless the entry there is deeper and depth is preferred."""
    entry = table[slot_of(table, key)]
    if prefer_depth and entry.bound != EMPTY and entry.key != key and entry.depth > depth:
        return
    entry.key = key
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound
