"""MCTS, after the search: decide which root action is played (Chaslot et al. 2008).

| decide | the child with |
|---|---|
| `robust` | the most visits |
| `max` | the largest mean value |
| `max-robust` | both; while there is none the search goes on, within a limit |
| `secure` | the largest lower confidence bound Q - A / sqrt(n); A = 4 in the paper |
| `mix` | drawn in proportion to visits, for regret matching to the average strategy |

The paper prints the secure child's term with a plus, which would make it an upper bound and prefer
what was hardly tried; its text says lower bound, and that is what stands here.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import uniform


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


def drawn(strategy: np.ndarray, rng: np.ndarray) -> int:
    """An index drawn with these probabilities."""
    return min(int(np.searchsorted(np.cumsum(strategy), uniform(rng), side="right")), len(strategy) - 1)


def is_settled(how: str, visits: np.ndarray, means: np.ndarray) -> bool:
    """Whether the decision needs no more search: `max-robust` wants one child to lead in both."""
    if how != "max-robust" or not (visits > 0).any():
        return True
    values = np.where(visits > 0, means, -np.inf)
    return bool(np.any((visits == visits.max()) & (values == values.max())))
