"""`greedy`: the child with the largest Q."""

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("select")


@inlined
def explore():
    return 0.0


@inlined
def score(mean):
    return mean
