"""MCTS, after the search: decide which root action is played (Chaslot et al. 2008).

| decide | the child with |
|---|---|
| `robust` | the most visits |
| `max` | the largest mean value |
| `max-robust` | both; while there is none the search goes on, within a limit |
| `secure` | the largest lower confidence bound Q - A / sqrt(n); A = 4 in the paper |
| `mix` | drawn in proportion to visits, for regret matching to the average strategy |

With `solve` some values are proven. The best of them is taken if it is a win, if nothing else is left, or if what
would be chosen of the others has no larger mean; a proven loss is avoided as long as anything is open. Of equal
proven values the most visited one is taken.

The paper prints the secure child's term with a plus, which would make it an upper bound and prefer
what was hardly tried; its text says lower bound, and that is what stands here.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import uniform

WON, LOST = 1.0, -1.0  # the largest and the smallest result of a game


def decide(how: str, visits: np.ndarray, means: np.ndarray, secure: float) -> int:
    """The index of the chosen child; the first of equals, which is a random one."""
    tried = visits > 0
    if not tried.any():
        return 0
    values = np.where(tried, means, -np.inf)
    if how == "max":
        return int(np.argmax(values))
    if how == "secure":
        return int(np.argmax(values - secure / np.sqrt(np.maximum(visits, 1e-9))))
    most = visits == visits.max()
    return int(np.argmax(np.where(most, values, -np.inf)))


def decide_proven(how: str, visits: np.ndarray, means: np.ndarray, proven: np.ndarray, secure: float) -> int:
    """The same where the values of some children are proven and those of others are not."""
    known, others = np.flatnonzero(proven), np.flatnonzero(~proven)
    if not len(known):
        return decide(how, visits, means, secure)
    best = int(known[np.lexsort((visits[known], means[known]))[-1]])
    if not len(others):
        return best
    hoped = int(others[decide(how, visits[others], means[others], secure)])
    return best if means[best] > LOST and means[best] >= means[hoped] else hoped


def drawn(strategy: np.ndarray, rng: np.ndarray) -> int:
    """An index drawn with these probabilities."""
    return min(int(np.searchsorted(np.cumsum(strategy), uniform(rng), side="right")), len(strategy) - 1)


def is_settled(how: str, visits: np.ndarray, means: np.ndarray) -> bool:
    """Whether the decision needs no more search: `max-robust` wants one child to lead in both."""
    if how != "max-robust" or not (visits > 0).any():
        return True
    values = np.where(visits > 0, means, -np.inf)
    return bool(np.any((visits == visits.max()) & (values == values.max())))
