"""`max`: the child with the largest mean value."""

from __future__ import annotations

import numpy as np

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import DecideHost


class Max(DecideHost):
    def choose(self, visits: np.ndarray, means: np.ndarray) -> int:
        return int(np.argmax(means))


COMPONENT = Component("decide", host=Max)
