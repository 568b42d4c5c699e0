"""`result`: the game's own result.

A simulation that is cut off has none; there tanh E of the evaluation E stands in for it, or a draw in a game
without one. A game may say that a result is certain before the end (`decided`).
"""

import math

from spielbaum.kernels import hooks
from spielbaum.linked import components, rules
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host


class ResultHost(Host):
    """Values are results of the game."""

    def value_hook(self):
        return "returns"


COMPONENT = Component("value", provides={"results"}, host=ResultHost)


@inlined
def value_of(t, s, work, p):
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, work.result)
        components.on_result(t, s, work, p)
    elif not hooks.decided(t, s, work.result):
        work.cut += 1
        for q in range(p.players):
            work.result[q] = math.tanh(hooks.evaluate(t, s, work.weights, q))
