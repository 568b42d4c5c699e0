"""`tree`: everybody's decisions are in the tree."""

from spielbaum.linked import rules
from spielbaum.rules import inlined
from spielbaum.search.mcts.work import NOW


@inlined
def step(t, states, work, action, p, rng):
    rules.play(t, states[NOW], action, rng)
