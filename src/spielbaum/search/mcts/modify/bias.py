"""`bias=b`: progressive bias b·P / (n + 1) by the prior P of a child (Chaslot et al. 2008)."""

from spielbaum.params import Param
from spielbaum.rules import inlined

PARAMS = (
    Param(
        "bias",
        0.0,
        "weight of progressive bias by the game's preferences; 0 is off",
        low=0,
        tune=(0.1, 30.0),
        log=True,
        when="bias",
    ),
)
PRIOR = True


@inlined
def bonus(tree, edge, p):
    e = tree.edges[edge]
    return p.bias * e.prior / (e.visits + 1.0)
