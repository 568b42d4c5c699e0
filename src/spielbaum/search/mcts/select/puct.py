"""`puct`: Q + C·P·sqrt(N) / (1 + n) with the prior P of a child (AlphaGo, AlphaZero: Silver et al. 2016, 2017).

Q is 0 for a child that was never tried.
"""

import math

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.select import C

COMPONENT = Component("select", params=(C,), provides={"prior", "compares-children", "puct"})
UNVISITED_FIRST = False


@inlined
def explore(visits):
    return math.sqrt(visits)


@inlined
def score(e, mean, explore, p):
    return mean + p.c * e.prior * explore / (1.0 + e.visits)
