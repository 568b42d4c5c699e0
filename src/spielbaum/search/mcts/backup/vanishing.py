"""`vanishing`: what is far below counts less, at distance d no more than 1/(k·d) (the Quick Civ thesis).

Value and visits are both weighted, so that visits become real numbers; k is at least 0.1.
"""

from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "backup",
    params=(
        Param(
            "vanishing",
            1.0,
            "k of `backup=vanishing`: distance d counts 1/(k*d); at least 0.1",
            low=0,
            tune=(0.1, 1.0),
            when="backup=vanishing",
        ),
    ),
)
LEAST = 0.1


@inlined
def weight(distance, p):
    return 1.0 / (max(p.vanishing, LEAST) * distance)
