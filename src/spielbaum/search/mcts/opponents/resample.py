"""`resample`: the others' moves are drawn anew on every pass through the tree (open loop, as spe_ed's Thor does)."""

from spielbaum.linked import answers, rules
from spielbaum.rules import inlined
from spielbaum.search.mcts.work import NOW

OPEN_LOOP = True
OWN_ONLY = True


@inlined
def step(t, states, work, action, p, rng):
    rules.play(t, states[NOW], action, rng)
    answers.answer(t, states, work, p, rng)
