"""`open-loop`: the others' moves are drawn anew on every pass through the tree (open loop, as spe_ed's Thor does)."""

from spielbaum.linked import rules
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import opponent_policy
from spielbaum.search.mcts.workspace import NOW

COMPONENT = Component("opponents", provides={"open-loop", "own-only"})


@inlined
def step(t, states, work, action, p, rng):
    rules.play(t, states[NOW], action, rng)
    opponent_policy.answer(t, states, work, p, rng)
