"""Sets as bits: what is compiled to one instruction counts as Python does."""

from __future__ import annotations

import numba
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spielbaum.bits import lowest, ones
from spielbaum.games.scotland_yard.bits import count, lowest_bit


@numba.njit
def instructions(word):
    return lowest(word), ones(word), lowest_bit(word)


@settings(deadline=None)
@given(st.sets(st.integers(0, 63), min_size=1))
def test_instructions_find_the_lowest_bit_and_count_all(places):
    word = np.uint64(sum(1 << place for place in places))
    expected = (min(places), len(places), 1 << min(places))
    assert instructions(word) == expected
    assert (lowest(word), ones(word), int(lowest_bit(word))) == expected


@settings(deadline=None)
@given(st.sets(st.integers(0, 255)))
def test_a_set_of_stations_is_counted_over_its_words(places):
    words = np.array([sum(1 << place % 64 for place in places if place // 64 == i) for i in range(4)], np.uint64)
    assert count(words) == len(places)
