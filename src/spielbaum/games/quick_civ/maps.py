"""The map of a game: forests and mountains, the same in all four corners.

The generator is given bit by bit, so that a seed is the same map everywhere. Random numbers are SplitMix64 (G. Steele,
D. Lea & C. Flood, "Fast splittable pseudorandom number generators", 2014), multiplied in halves of 32 bits, which
never overflow, so that the interpreter computes what the machine code does.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from spielbaum.games.quick_civ.board import PLACES, TILES, around, mirrored, tile
from spielbaum.rules import rule

GOLDEN, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
HALF, LOW, BYTES_5 = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(40)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
SEED_STEP = 1_000_003
DOMAIN = 60
DIVISIBLE = 60  # by every number of neighbours
NONE_BELOW, ONE_BELOW, TWO_BELOW, GREEN_FROM = 66, 89, 96, 45  # per cent of the tiles
FOREST_IF_GREEN, FOREST_ELSE = 85, 25
NEEDED_FORESTS, NEEDED_MOUNTAINS = 4, 3
MOST_NEIGHBOURS = 6


class Atlas(NamedTuple):
    """What the generator knows of the board."""

    domain: np.ndarray  # i8[60]: the tiles of a quarter, the axes among them
    images: np.ndarray  # i8[60, 4]: these and their mirror images
    beside: np.ndarray  # i8[60, 6]: the tiles beside them, -1 where the map ends
    start: np.ndarray  # i8[19]: the tiles up to distance 2 from a start


@functools.cache
def atlas() -> Atlas:
    quarter = [(row, column) for row, column in PLACES if row <= 7 and column <= 7 - row % 2]
    beside = np.full((DOMAIN, MOST_NEIGHBOURS), -1)
    for number, place in enumerate(quarter):
        ring = around(place, 1)
        beside[number, : len(ring)] = ring
    return Atlas(
        np.array([tile(*place) for place in quarter]),
        np.array([[tile(*image) for image in mirrored(*place)] for place in quarter]),
        beside,
        np.array([number for ring in range(3) for number in around((1, 1), ring)]),
    )


@rule
def add(a, b):
    """The sum of two words without its carry."""
    low = (a & LOW) + (b & LOW)
    high = (a >> HALF) + (b >> HALF) + (low >> HALF)
    return (high & LOW) << HALF | low & LOW


@rule
def multiply(a, b):
    """The lower word of the product of two words."""
    low = (a & LOW) * (b & LOW)
    cross = ((a >> HALF) * (b & LOW) & LOW) + ((a & LOW) * (b >> HALF) & LOW)
    high = (low >> HALF) + cross
    return (high & LOW) << HALF | low & LOW


@rule
def split_mix(stream):
    """The next 64 random bits of a stream of one word."""
    stream[0] = add(stream[0], GOLDEN)
    z = stream[0]
    z = multiply(z ^ z >> SHIFT_1, FIRST)
    z = multiply(z ^ z >> SHIFT_2, SECOND)
    return z ^ z >> SHIFT_3


@rule
def random_24(stream):
    return np.int64(split_mix(stream) >> BYTES_5)


@rule
def draw_map(atlas, seed, forest, mountain, scratch):
    """Fill `forest` and `mountain`, elements of each tile, by a seed: the first attempt that has enough of both."""
    attempt = 0
    while True:
        base = multiply(np.uint64(seed), np.uint64(SEED_STEP))
        scratch.stream[0] = add(base, np.uint64(attempt))
        draw_heights(atlas, scratch)
        rank_tiles(atlas, scratch)
        grow(atlas, forest, mountain, scratch)
        if is_fair(atlas, forest, mountain):
            return
        attempt += 1


@rule
def draw_heights(atlas, scratch):
    """Two random numbers for each tile, the same for its images."""
    for i in range(DOMAIN):
        a = random_24(scratch.stream)
        b = random_24(scratch.stream)
        for image in range(4):
            scratch.height[0, atlas.images[i, image]] = a
            scratch.height[1, atlas.images[i, image]] = b


@rule
def rank_tiles(atlas, scratch):
    """Rank the tiles by each number, that of the tile as heavy as the mean of its neighbours'."""
    for kind in range(2):
        for i in range(DOMAIN):
            total, n = 0, 0
            for beside in range(MOST_NEIGHBOURS):
                if atlas.beside[i, beside] >= 0:
                    total += scratch.height[kind, atlas.beside[i, beside]]
                    n += 1
            smooth = DIVISIBLE * scratch.height[kind, atlas.domain[i]] + DIVISIBLE // n * total
            scratch.smooth[kind, i] = smooth
        for i in range(DOMAIN):
            below = 0
            for j in range(DOMAIN):
                less = scratch.smooth[kind, j] < scratch.smooth[kind, i]
                below += less or (scratch.smooth[kind, j] == scratch.smooth[kind, i] and j < i)
            scratch.percent[kind, i] = 100 * below // DOMAIN


@rule
def grow(atlas, forest, mountain, scratch):
    """Give each tile its elements, more to the higher ones, and more forests to the green ones."""
    for i in range(DOMAIN):
        q = scratch.percent[0, i]
        elements = (q >= NONE_BELOW) + np.int64(q >= ONE_BELOW) + np.int64(q >= TWO_BELOW)
        share = FOREST_IF_GREEN if scratch.percent[1, i] >= GREEN_FROM else FOREST_ELSE
        trees = 0
        for _ in range(elements):
            trees += random_24(scratch.stream) % 100 < share
        for image in range(4):
            forest[atlas.images[i, image]] = trees
            mountain[atlas.images[i, image]] = elements - trees


@rule
def is_fair(atlas, forest, mountain):
    """Whether there is enough around a start."""
    forests, mountains = 0, 0
    for i in range(len(atlas.start)):
        forests += forest[atlas.start[i]]
        mountains += mountain[atlas.start[i]]
    return forests >= NEEDED_FORESTS and mountains >= NEEDED_MOUNTAINS


SCRATCH_FIELDS = [
    ("stream", "u8", 1),
    ("height", "i8", (2, TILES)),
    ("smooth", "i8", (2, DOMAIN)),
    ("percent", "i8", (2, DOMAIN)),
]
