"""After the search: which root action is played (Chaslot et al. 2008). A rule is a file here, with a host that chooses.

With `solve` some values are proven. The best of them is taken if it is a win, if nothing else is left, or if what
would be chosen of the others has no larger mean; a proven loss is avoided as long as anything is open. Of equal
proven values the most visited one is taken: see `decide_proven`.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import uniform
from spielbaum.search.mcts.host import DecideHost

DEFAULT, HELP = "robust", "which root action is played"
WON, LOST = 1.0, -1.0  # the largest and the smallest result of a game


def decide(how: DecideHost, visits: np.ndarray, means: np.ndarray) -> int:
    """The index of the chosen child; the first of equals, which is a random one."""
    tried = visits > 0
    return how.choose(visits, np.where(tried, means, -np.inf)) if tried.any() else 0


def decide_proven(how: DecideHost, visits: np.ndarray, means: np.ndarray, proven: np.ndarray) -> int:
    """The same where the values of some children are proven and those of others are not."""
    known, others = np.flatnonzero(proven), np.flatnonzero(~proven)
    if not len(known):
        return decide(how, visits, means)
    best = int(known[np.lexsort((visits[known], means[known]))[-1]])
    if not len(others):
        return best
    hoped = int(others[decide(how, visits[others], means[others])])
    return best if means[best] > LOST and means[best] >= means[hoped] else hoped


def sample_index(strategy: np.ndarray, rng: np.ndarray) -> int:
    """An index drawn with these probabilities."""
    return min(int(np.searchsorted(np.cumsum(strategy), uniform(rng), side="right")), len(strategy) - 1)
