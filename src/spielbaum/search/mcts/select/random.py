"""`random`: a uniformly random child."""

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("select")

UNVISITED_FIRST = False


@inlined
def wanders():
    return True


@inlined
def explore():
    return 0.0


@inlined
def score(mean):
    return mean
