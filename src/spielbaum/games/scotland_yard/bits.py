"""Sets of stations as four words of 64 bits, the quickest form for what is believed, occupied or reached."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import overload

from spielbaum.rules import rule

NONE, ONE = np.uint64(0), np.uint64(1)


def lowest(word: Any) -> int:
    """The place of the lowest bit that is set; one machine instruction where it is compiled."""
    number = int(word)
    return (number & -number).bit_length() - 1


@overload(lowest)
def compiled_lowest(word):
    if isinstance(word, types.Integer):
        return lambda word: np.int64(trailing_zeros(word))
    return None


@rule
def bit(station):
    """The bit of a station in its word."""
    return ONE << np.uint64(station & 63)


@rule
def contains(words, station):
    return words[station >> 6] & bit(station) != NONE


@rule
def insert(words, station):
    words[station >> 6] |= bit(station)


@rule
def remove(words, station):
    words[station >> 6] &= ~bit(station)


@rule
def count(words):
    """How many stations a set has."""
    n = 0
    for i in range(len(words)):
        word = words[i]
        while word != NONE:
            word &= word - ONE
            n += 1
    return n
