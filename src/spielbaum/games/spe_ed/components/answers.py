"""`answers`: a node has the five answers, the last one first; to give none is not considered.

So of equals the later one is preferred, as Team Valhalla's Thor does. While all free cells are one component, all
lines that survive are equal by `value=area`, and the order decides.
"""

from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "expand",
    provides={"all-edges", "no-precedence", "lists-actions"},
    excludes={"open-loop", "prior", "filtered"},  # the five are legal at any time, and their order is fixed
)


@inlined
def list_actions(out):
    for answer in range(ANSWERS):
        out[answer] = ANSWERS - 1 - answer
    return ANSWERS


@inlined
def untried():
    return -1
