"""What sequential halving compares the children of the root by: g + ln P + σ(q), see `enhancements/gumbel.py`."""

from __future__ import annotations

import math

import numpy as np

from spielbaum.rules import rule

AT_FIRST = 50.0  # visits that count before there are any


@rule
def most_visits(tree, n):
    most = 0.0
    for edge in range(n.first, n.first + n.count):
        most = max(most, tree.edges[edge].visits)
    return most


@rule
def worth(tree, n, i, most, noise, scale):
    """What the children of the root are compared by; one that was never tried counts as the mean of the others."""
    e = tree.edges[n.first + i]
    q = e.total / e.visits if e.visits > 0.0 else mean(tree, n)
    return noise + math.log(max(e.prior, 1e-9)) + scale * (AT_FIRST + most) * (1.0 + q) / 2.0


@rule
def mean(tree, n):
    total, visits = 0.0, 0.0
    for edge in range(n.first, n.first + n.count):
        total, visits = total + tree.edges[edge].total, visits + tree.edges[edge].visits
    return total / visits if visits > 0.0 else 0.0


def scores(edges: np.ndarray, noise: np.ndarray, scale: float) -> np.ndarray:
    """The same for all children at once, from Python."""
    tried = edges["visits"] > 0
    mean = edges["total"].sum() / max(edges["visits"].sum(), 1.0)
    q = np.where(tried, edges["total"] / np.maximum(edges["visits"], 1e-12), mean)
    sharpness = scale * (AT_FIRST + edges["visits"].max())
    found: np.ndarray = noise + np.log(np.maximum(edges["prior"], 1e-9)) + sharpness * (1 + q) / 2
    return found
