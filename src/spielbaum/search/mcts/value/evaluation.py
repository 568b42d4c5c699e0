"""`evaluation`: the game's evaluation of where the simulation stopped."""

from spielbaum.linked import hooks
from spielbaum.rules import inlined

EVALUATES = True


@inlined
def value_of(t, s, work, p):
    for q in range(p.players):
        work.result[q] = hooks.evaluate(t, s, work.weights, q)
