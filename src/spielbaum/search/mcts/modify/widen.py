"""`widen=w`: progressive widening, 1 + w·sqrt(N) children are in use, preferred ones first (Chaslot et al. 2008)."""

import math

from spielbaum.params import Param
from spielbaum.rules import inlined

PARAMS = (
    Param(
        "widen",
        0.0,
        "progressive widening: 1 + widen * sqrt(visits) children; 0 is off",
        low=0,
        tune=(0.1, 5.0),
        log=True,
        when="widen",
    ),
)
PRIOR = True
LIMITED = True


@inlined
def limit(tree, node, p):
    return 1 + int(p.widen * math.sqrt(tree.nodes[node].visits))
