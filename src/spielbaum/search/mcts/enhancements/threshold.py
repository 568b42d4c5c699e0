"""`threshold=T`: below T visits of a node the simulation policy chooses (progressive strategy: Chaslot et al. 2008)."""

from spielbaum.linked import components
from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import children

COMPONENT = Component(
    "enhancement",
    params=(
        Param(
            "threshold",
            0,
            "below that many visits of a node the simulation policy selects",
            low=0,
            tune=(1, 100),
            log=True,
            when="threshold",
        ),
    ),
    provides={"overrides-selection"},
)


@inlined
def override_selection(t, states, tree, node, mover, work, p, rng):
    if tree.nodes[node].visits >= p.threshold:
        return -1
    components.playout.start_playout(work, p, rng)
    return children.child_of(tree, node, components.playout.playout_action(t, states, work, mover, p, rng), mover)
