"""`max-robust`: the child with the most visits and the largest mean; while there is none the search goes on, within a
limit."""

from __future__ import annotations

import numpy as np

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import DecideHost


class MaxRobust(DecideHost):
    def is_decided(self, visits: np.ndarray, means: np.ndarray) -> bool:
        if not (visits > 0).any():
            return True
        values = np.where(visits > 0, means, -np.inf)
        return bool(np.any((visits == visits.max()) & (values == values.max())))


COMPONENT = Component("decide", host=MaxRobust)
