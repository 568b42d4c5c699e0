"""`tree`: everybody's decisions are in the tree."""

from spielbaum.linked import rules
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("opponents", provides={"all-decisions"})


@inlined
def step(t, s, action, rng):
    rules.play(t, s, action, rng)
