"""A node for every path of actions, made when what a network says of the position has arrived."""

from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("nodes")


@inlined
def find(e):
    return int(e.node)
