"""The transposition table: what the search knows of a position, however it was reached.

A bucket is found at key mod size and fills one line of the processor's cache with three entries. Each holds
the full key (Zobrist 1970), so that a collision is noticed and not believed: its low byte is the same for all
keys of a bucket, and leaves its room to the bound and to the generation, the decision for which it was stored.

Some entries of a bucket are kept for the deepest results of the present generation, the deepest first; the rest
take whatever comes, the newest first, also what the kept ones lose (compare Breuker, Uiterwijk & van den Herik,
"Replacement schemes for transposition tables", 1994, whose TwoDeep is one of each). How many are kept is how to
replace. What was stored for an earlier decision has no claim to be kept.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import inlined, rule

ENTRIES = 3
KEPT = {"bucket": 1, "always": 0, "depth": ENTRIES}  # entries of a bucket for the deepest results
BUCKET = np.dtype(
    (
        np.record,
        [
            ("key", "u8", ENTRIES),  # with bound and generation in the low byte
            ("value", "f8", ENTRIES),
            ("move", "i4", ENTRIES),
            ("depth", "u1", ENTRIES),  # with SOLVED
            ("padding", "u1"),
        ],
    )
)
EMPTY, EXACT, LOWER, UPPER = range(4)
SOLVED = 128  # added to the depth of an entry below which no evaluation was needed
NOT_FOUND = -1
GENERATIONS = 64
LOW_BYTE = np.uint64(255)
BOUND = np.uint64(3)

MEGABYTE = 1 << 20


def new_table(megabytes: int) -> np.ndarray:
    """BUCKET[2^k] within that many megabytes, each in one line of the cache; one, never used, for none."""
    size = 1
    while 2 * size * BUCKET.itemsize <= megabytes * MEGABYTE:
        size *= 2
    room = np.zeros((size + 1) * BUCKET.itemsize, np.uint8)
    begin = -room.ctypes.data % BUCKET.itemsize
    return room[begin : begin + size * BUCKET.itemsize].view(BUCKET)


@inlined
def bucket_of(table, key):
    """The index of the bucket in which the key's entry must be."""
    return np.int64(key & np.uint64(len(table) - 1))


@inlined
def holds(bucket, i, key):
    """Whether an entry is that of the key."""
    return bucket.key[i] ^ key <= LOW_BYTE and bucket.key[i] & BOUND != EMPTY


@inlined
def find(bucket, key):
    """The index of the key's entry, or NOT_FOUND."""
    for i in range(ENTRIES):
        if holds(bucket, i, key):
            return i
    return NOT_FOUND


@inlined
def bound_of(bucket, i):
    return np.int64(bucket.key[i] & BOUND)


@inlined
def outranks(bucket, i, depth, generation):
    """Whether an entry keeps its place against a new result: it is as young, and deeper."""
    note = np.int64(bucket.key[i] & LOW_BYTE)
    return note & 3 != EMPTY and note >> 2 == generation and bucket.depth[i] % SOLVED > depth


@rule
def store(table, key, value, move, depth, bound, kept, generation):
    """Enter a result before what it outranks, moving that down to where the key was or out of the bucket."""
    bucket = table[bucket_of(table, key)]
    first = 0
    while first < kept and outranks(bucket, first, depth % SOLVED, generation) and not holds(bucket, first, key):
        first += 1
    if first == ENTRIES:
        return
    last = first
    while last < ENTRIES - 1 and not holds(bucket, last, key):
        last += 1
    for i in range(last, first, -1):
        bucket.key[i] = bucket.key[i - 1]
        bucket.value[i] = bucket.value[i - 1]
        bucket.move[i] = bucket.move[i - 1]
        bucket.depth[i] = bucket.depth[i - 1]
    bucket.key[first] = key & ~LOW_BYTE | np.uint64(generation << 2 | bound)
    bucket.value[first] = value
    bucket.move[first] = move
    bucket.depth[first] = depth
