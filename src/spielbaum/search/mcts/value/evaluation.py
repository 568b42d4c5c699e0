"""`evaluation`: the game's evaluation of where the simulation stopped."""

from spielbaum.kernels import hooks
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.value.difference import EvaluationHost

COMPONENT = Component("value", provides={"evaluates"}, needs=("a rule 'evaluate'",), host=EvaluationHost)


@inlined
def value_of(t, s, work, p):
    for q in range(p.players):
        work.result[q] = hooks.evaluate(t, s, work.weights, q)
