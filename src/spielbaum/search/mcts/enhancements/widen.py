"""`widen=w`: progressive widening, 1 + w·sqrt(N) children are in use, preferred ones first (Chaslot et al. 2008)."""

import math

from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "enhancement",
    params=(
        Param(
            "widen",
            0.0,
            "progressive widening: 1 + widen * sqrt(visits) children; 0 is off",
            low=0,
            tune=(0.1, 5.0),
            log=True,
            when="widen",
        ),
    ),
    provides={"prior", "limited"},
)


@inlined
def child_limit(n, p):
    return 1 + int(p.widen * math.sqrt(n.visits))
