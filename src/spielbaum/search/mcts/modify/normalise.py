"""`normalise=on`: Q is scaled to 0 … 1 over the visited children before they are compared (Quick Civ).

Q becomes (Q - Qmin) / (Qmax - Qmin)
"""

import numpy as np

from spielbaum.linked import children
from spielbaum.params import Param
from spielbaum.rules import rule

PARAMS = (Param("normalise", False, "scale the values of a node's children to 0 … 1 before selecting"),)
NORMALISED = True
LARGE = 1e300


@rule
def value_range(tree, node, p):
    """Smallest mean and spread of the visited children."""
    n = tree.nodes[node]
    low, high = LARGE, -LARGE
    edge = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[edge]
        if e.visits > 0.0:
            low = min(low, e.total / e.visits)
            high = max(high, e.total / e.visits)
        edge = children.after(tree, edge)
    return (low, high - low) if high > low else (min(low, high), 1.0)
