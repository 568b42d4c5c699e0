"""`per-node`: the others' moves are drawn once for a node, and all its children share the draw.

So children are compared against the same behaviour, and differ by what they do themselves.
"""

from spielbaum.linked import rules
from spielbaum.rules import inlined, mix, stream_of
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import opponent_policy
from spielbaum.search.mcts.opponents.per_path import PlanHost, fields
from spielbaum.search.mcts.workspace import NOW

COMPONENT = Component("opponents", thread=fields, provides={"own-only", "fixed-opponents"}, host=PlanHost)


@inlined
def on_iteration_start(own):
    own.path_dice = own.plan


@inlined
def step(t, states, work, own, action, p, rng):
    dice = rng[0]
    rng[0] = stream_of(own.path_dice)
    rules.play(t, states[NOW], action, rng)
    opponent_policy.answer(t, states, work, p, rng)
    rng[0] = dice
    own.path_dice = mix(own.path_dice, action)
