"""`coalition=r`: a player whose team-mate made the win gets 1 - r of it (Nijssen & Winands 2012).

So it does not wait for others to do the work. r counts between losing (0) and winning (1).
"""

from spielbaum.kernels import hooks
from spielbaum.params import Param
from spielbaum.rules import rule
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "enhancement",
    params=(
        Param(
            "coalition",
            0.0,
            "r: a win that a team-mate has made counts 1 - r between 0 and 1",
            low=0,
            high=1,
            tune=(0.0, 1.0),
            when="coalition",
        ),
    ),
    needs=("a rule 'credit_assignment'",),
)


@rule
def on_result(t, s, work, p):
    for q in range(p.players):
        if work.result[q] > 0.0 and not hooks.credit_assignment(t, s, q):
            work.result[q] *= 1.0 - 2.0 * p.coalition
