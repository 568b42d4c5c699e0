"""`ucb1`: Q + C·sqrt(ln N / n), UCT (Kocsis & Szepesvári 2006); in theory C = sqrt 2."""

import math

from spielbaum.rules import inlined
from spielbaum.search.mcts.select import C

PARAMS = (C,)
ONE_DIVISION = True  # Q as total·(1/n): the common case, and every division counts


@inlined
def explore(visits, p):
    return p.c * p.c * math.log(visits)


@inlined
def score(e, mean, share, explore, p):
    return mean + math.sqrt(explore * share)
