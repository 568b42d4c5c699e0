"""`mean`: every value counts the same."""

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("backup", provides={"plain-mean"})


@inlined
def weight():
    return 1.0
