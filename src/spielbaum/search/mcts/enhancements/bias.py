"""`bias=b`: progressive bias b·P / (n + 1) by the prior P of a child (Chaslot et al. 2008)."""

from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "enhancement",
    params=(
        Param(
            "bias",
            0.0,
            "weight of progressive bias by the game's preferences; 0 is off",
            low=0,
            tune=(0.1, 30.0),
            log=True,
            when="bias",
        ),
    ),
    provides={"prior", "compares-children"},
)


@inlined
def selection_bonus(e, p):
    return p.bias * e.prior / (e.visits + 1.0)
