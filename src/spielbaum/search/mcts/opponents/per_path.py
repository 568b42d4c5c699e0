"""`per-path`: after the same own actions the others always answer the same, as drawn when a child is made (Quick Civ).

Nothing is stored for it: the dice of an answer depend on the path alone.
"""

from spielbaum.linked import rules
from spielbaum.rules import inlined, mix
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import opponent_policy
from spielbaum.search.mcts.workspace import NOW


class PlanHost(Host):
    """A decision has a seed of its own."""

    def before_decision(self, tree, rng):
        self.own(tree)["plan"] = rng[0]


def fields(game, flags):
    """The seed of a decision, and the dice on the way through the tree."""
    return [("plan", "u8"), ("path_dice", "u8")]


COMPONENT = Component("opponents", thread=fields, provides={"own-only", "fixed-opponents"}, host=PlanHost)


@inlined
def on_iteration_start(own):
    own.path_dice = own.plan


@inlined
def step(t, states, work, own, action, p, rng):
    dice = rng[0]
    rng[0] = mix(own.path_dice, action)
    rules.play(t, states[NOW], action, rng)
    opponent_policy.answer(t, states, work, p, rng)
    own.path_dice = rng[0]
    rng[0] = dice
