"""`all`: all children at once; the selection chooses among them from the start."""

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("expand", provides={"all-edges", "no-precedence"})


@inlined
def untried():
    return -1
