"""Sets as bits of words: stations that are believed, occupied or reached in four, edges of a station in one."""

from __future__ import annotations

import numpy as np

from spielbaum.bits import ones
from spielbaum.rules import rule

NONE, ONE = np.uint64(0), np.uint64(1)


@rule
def bit(station):
    """The bit of a station in its word."""
    return ONE << np.uint64(station & 63)


@rule
def lowest_bit(word):
    return word & (~word + ONE)


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
        n += ones(words[i])
    return n
