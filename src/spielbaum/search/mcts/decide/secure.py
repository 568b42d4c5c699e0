"""`secure`: the child with the largest lower confidence bound Q - A / sqrt(n); A = 4 in the paper.

The paper prints the term with a plus, which would make it an upper bound and prefer what was hardly tried; its text
says lower bound, and that is what stands here.
"""

from __future__ import annotations

import numpy as np

from spielbaum.params import Param
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import DecideHost


class Secure(DecideHost):
    def choose(self, visits: np.ndarray, means: np.ndarray) -> int:
        return int(np.argmax(means - self.values["secure"] / np.sqrt(np.maximum(visits, 1e-9))))


COMPONENT = Component(
    "decide",
    params=(
        Param(
            "secure",
            4.0,
            "A of `decide=secure`: largest value - A/sqrt(visits)",
            low=0,
            tune=(0.1, 10.0),
            log=True,
            when="decide=secure",
        ),
    ),
    host=Secure,
)
