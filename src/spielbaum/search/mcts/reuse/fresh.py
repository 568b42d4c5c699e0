"""`fresh`: every decision begins with an empty tree."""

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import ReuseHost


class Fresh(ReuseHost):
    keeps = False


COMPONENT = Component("reuse", host=Fresh)
