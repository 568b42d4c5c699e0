"""The transposition table by itself: which of a bucket's entries stay."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.search.table import (
    BUCKET,
    ENTRIES,
    EXACT,
    GENERATIONS,
    KEPT,
    LOWER,
    MEGABYTE,
    NOT_FOUND,
    SOLVED,
    bound_of,
    bucket_of,
    find,
    new_table,
    store,
)

BUCKETS = MEGABYTE // BUCKET.itemsize


class Table:
    """A table of which one bucket is used: positions are numbers from 0."""

    def __init__(self, replace: str):
        self.table, self.kept = new_table(1), KEPT[replace]

    def key(self, position: int) -> np.uint64:
        return np.uint64(77 + BUCKETS * position)

    def store(self, position: int, depth: int, generation: int = 1, bound: int = EXACT, value: float = 0.5) -> None:
        store(self.table, self.key(position), value, 9, depth, bound, self.kept, generation)

    def find(self, position: int) -> tuple[float, int, int, int] | None:
        """Value, move, depth and bound."""
        bucket = self.table[bucket_of(self.table, self.key(position))]
        i = find(bucket, self.key(position))
        if i == NOT_FOUND:
            return None
        return float(bucket.value[i]), int(bucket.move[i]), int(bucket.depth[i]), int(bound_of(bucket, i))

    def known(self) -> list[int]:
        return [position for position in range(20) if self.find(position)]


def test_a_bucket_is_a_line_of_the_cache():
    table = new_table(1)
    assert BUCKET.itemsize == 64
    assert table.nbytes == MEGABYTE
    assert table.ctypes.data % 64 == 0


@pytest.mark.parametrize("replace", KEPT)
def test_what_is_stored_is_found_and_no_other_position_of_the_bucket(replace):
    table = Table(replace)
    assert table.find(0) is None
    table.store(3, 5, bound=LOWER, value=-0.25)
    assert table.find(3) == (-0.25, 9, 5, LOWER)
    assert table.known() == [3]


@pytest.mark.parametrize("replace", KEPT)
def test_the_last_word_on_a_position_counts_and_is_the_only_one(replace):
    table = Table(replace)
    for position in range(ENTRIES):
        table.store(position, 5)
    for depth in (8, 2, 6):
        table.store(1, depth, value=depth)
        assert table.find(1) == (depth, 9, depth, EXACT)
        assert table.known() == [0, 1, 2]


def test_always_keeps_the_newest():
    table = Table("always")
    for position, depth in enumerate([9, 8, 7, 2, 3]):
        table.store(position, depth)
    assert table.known() == [2, 3, 4]


def test_depth_keeps_the_deepest():
    table = Table("depth")
    for position, depth in enumerate([4, 9, 3, 8, 2, 7, 6]):
        table.store(position, depth)
    assert table.known() == [1, 3, 5]


def test_a_bucket_keeps_the_deepest_and_the_newest():
    table = Table("bucket")
    for position, depth in enumerate([4, 9, 8, 3, 8, 2]):
        table.store(position, depth)
    assert table.known() == [1, 4, 5]


@pytest.mark.parametrize("replace", ["bucket", "depth"])
def test_what_an_earlier_decision_left_gives_way_to_anything_new(replace):
    table = Table(replace)
    for position in range(ENTRIES):
        table.store(position, 20, generation=GENERATIONS - 1)
    assert table.known() == [0, 1, 2]
    for position in range(3, 3 + ENTRIES):
        table.store(position, 2, generation=0)
    assert table.known() == [3, 4, 5]


@pytest.mark.parametrize("replace", ["bucket", "depth"])
def test_a_solved_position_keeps_its_place_for_what_was_searched(replace):
    table = Table(replace)
    for position in range(ENTRIES):
        table.store(position, 2 + SOLVED)
    assert table.find(0) == (0.5, 9, 2 + SOLVED, EXACT)
    for position in range(3, 3 + ENTRIES):
        table.store(position, 4)
    assert table.known() == [3, 4, 5]
