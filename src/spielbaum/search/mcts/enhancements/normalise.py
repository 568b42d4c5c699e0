"""`normalise=on`: Q is scaled to 0 … 1 over the visited children before they are compared (Quick Civ).

Q becomes (Q - Qmin) / (Qmax - Qmin)
"""

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import children

COMPONENT = Component(
    "enhancement",
    params=(Param("normalise", False, "scale the values of a node's children to 0 … 1 before selecting"),),
    provides={"normalised"},
)
LARGE = 1e300


@rule
def value_range(tree, n):
    """Smallest mean and spread of the visited children."""
    low, high = LARGE, -LARGE
    edge = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[edge]
        if e.visits > 0.0:
            low = min(low, e.total / e.visits)
            high = max(high, e.total / e.visits)
        edge = children.after(tree, edge)
    return (low, high - low) if high > low else (min(low, high), 1.0)
