"""`ucb1-living`: UCB1, but a child whose values were all 0 counts 0, without the exploration term (Team Valhalla).

That is how their report has it: what has never survived is not tried again. With `revive` it is, as in plain UCB1.
"""

from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.kernels import ucb1
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.select import C

REVIVE = Param("revive", False, "children whose values were all 0 get the exploration term as well")
COMPONENT = Component("select", params=(C, REVIVE))


@inlined
def explore(visits, p):
    return ucb1.exploration(p.c, visits) if p.c > 0.0 else 0.0


@inlined
def score(e, mean, inverse_visits, explore, p):
    if explore > 0.0 and (e.total > 0.0 or p.revive):
        return ucb1.score(mean, inverse_visits, explore)
    return mean
