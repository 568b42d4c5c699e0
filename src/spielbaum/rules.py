"""What a rule is: an ordinary Python function that is compiled together with the search.

Rules see tables `t` (what stays the same during a game), a state `s` (one NumPy record) and, where
chance has a part, a stream of random numbers `rng`. They may call each other and nothing that
Numba can't compile; without the JIT they run as they stand, with the same results.

The random numbers are MWC64X (D. Thomas, "The MWC64X random number generator", 2011): a
multiply-with-carry generator of one 64-bit word that passes BigCrush and, unlike its relatives,
never overflows, so that the interpreter computes the same stream as the machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spielbaum.numba_internals import compiled_rule
from spielbaum.params import whole_number

TERMINAL = -1
"""What `player` answers when the game is over."""

F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Mark a function as part of a game's rules: it is compiled with every kernel that uses it."""
    return compiled_rule(function)


def inlined(function: F) -> F:
    """A rule whose code is put into its callers: for phases of a search, whose arguments are many arrays."""
    return compiled_rule(function, forceinline=True)


class NoTables(NamedTuple):
    """The tables of a game that needs none."""

    none: int = 0


MULTIPLIER = np.uint64(4294883355)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
UNIT = 2.0**-32


@rule
def random_word(rng):
    """The next 32 random bits, as a uint64."""
    low = rng[0] & LOW_HALF
    carry = rng[0] >> HALF
    rng[0] = low * MULTIPLIER + carry
    return low ^ carry


@rule
def below(rng, n):
    """A random integer from 0 to n - 1."""
    return np.int64((random_word(rng) * np.uint64(n)) >> HALF)


@rule
def uniform(rng):
    """A random number in [0, 1)."""
    return np.float64(random_word(rng)) * UNIT


SCRAMBLE_1 = np.uint64(0x7FEB352D)
SCRAMBLE_2 = np.uint64(0x046ACA6B)
SHIFT_1, SHIFT_2 = np.uint64(16), np.uint64(15)


@rule
def scramble(word):
    """Mix 32 bits so that each of them depends on all (after C. Wellons' lowbias32)."""
    word ^= word >> SHIFT_1
    word = (word * SCRAMBLE_1) & LOW_HALF
    word ^= word >> SHIFT_2
    word = (word * SCRAMBLE_2) & LOW_HALF
    return word ^ (word >> SHIFT_1)


@rule
def mix(key, value):
    """A new 64-bit key from a key and an integer; without overflow, as all of this module."""
    value = np.uint64(np.int64(value) & 0xFFFFFFFF)
    low = scramble((key & LOW_HALF) ^ value)
    high = scramble((key >> HALF) ^ low)
    return (high << HALF) | scramble(low ^ high)


FIRST_KEY = np.uint64(0x9E3779B97F4A7C15)  # anything without a pattern
NOT_ZERO, NOT_THE_END = np.uint64(1), np.uint64((1 << 63) - 1)


@rule
def stream_of(key):
    """The state of a random stream for a key; never one of the generator's two fixed points."""
    return (key | NOT_ZERO) & NOT_THE_END


@rule
def mix_seed(key, seed):
    """A new key from a key and a seed, which is a whole number from 0 to 2**63 - 1."""
    key = mix(key, seed & 0xFFFFFFFF)
    if seed >> 32:
        key = mix(key, seed >> 32)
    return key


@rule
def seat_seed(seed, seat):
    """The seed of the agent in a seat; no two seats of a game share theirs, nor does the game itself."""
    return seed * 64 + seat + 1


SEEDS = 1 << 63
DICE, VIEW, OPENING = 0x9A3E, 0x71E3, 0x09E4  # a game's dice, those of its views, and random opening moves


def random_stream(*seeds: int) -> np.ndarray:
    """A stream of random numbers for rules; different seeds give independent streams.

    It is the key of all seeds mixed in one after the other, so that kernels can make the same ones.
    """
    key = FIRST_KEY
    for seed in seeds:
        key = mix_seed(key, whole_number("seed", seed, 0, SEEDS - 1))
    return np.array([stream_of(key)], np.uint64)
