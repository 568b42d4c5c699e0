"""`threshold=T`: below T visits of a node the simulation policy chooses (progressive strategy: Chaslot et al. 2008)."""

from spielbaum.linked import children, simulate
from spielbaum.params import Param
from spielbaum.rules import inlined

PARAMS = (
    Param(
        "threshold",
        0,
        "below that many visits of a node the simulation policy selects",
        low=0,
        tune=(1, 100),
        log=True,
        when="threshold",
    ),
)


@inlined
def prefer(t, states, tree, node, mover, work, p, rng):
    if tree.nodes[node].visits >= p.threshold:
        return -1
    simulate.draw_policies(work, p, rng)
    return children.child_of(tree, node, simulate.choose(t, states, work, mover, rng), mover)
