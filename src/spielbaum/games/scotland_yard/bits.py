"""Sets as bits of words: stations that are believed, occupied or reached in four, edges of a station in one."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from spielbaum.rules import rule

NONE, ONE = np.uint64(0), np.uint64(1)


def lowest(word: Any) -> int:
    """The place of the lowest bit that is set; one machine instruction where it is compiled."""
    number = int(word)
    return (number & -number).bit_length() - 1


@intrinsic
def trailing_zeros(typing_context, word):
    """The instruction itself, which Numba does not offer."""
    defined_for_zero = ir.Constant(ir.IntType(1), 0)
    return word(word), lambda context, builder, signature, arguments: builder.cttz(arguments[0], defined_for_zero)


@overload(lowest)
def compiled_lowest(word):
    if isinstance(word, types.Integer):
        return lambda word: np.int64(trailing_zeros(word))
    return None


def ones(word: Any) -> int:
    """How many bits are set; one machine instruction where it is compiled."""
    return int(word).bit_count()


@intrinsic
def population(typing_context, word):
    """The instruction itself."""
    return word(word), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@overload(ones)
def compiled_ones(word):
    if isinstance(word, types.Integer):
        return lambda word: np.int64(population(word))
    return None


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
