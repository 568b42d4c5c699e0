"""`ucb1`: Q + C·sqrt(ln N / n), UCT (Kocsis & Szepesvári 2006); in theory C = sqrt 2."""

from spielbaum.rules import inlined
from spielbaum.search.kernels import ucb1
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.select import C

COMPONENT = Component("select", params=(C,))
ONE_DIVISION = True  # Q as total·(1/n): the common case, and every division counts


@inlined
def explore(visits, p):
    return ucb1.exploration(p.c, visits)


@inlined
def score(mean, inverse_visits, explore):
    return ucb1.score(mean, inverse_visits, explore)
