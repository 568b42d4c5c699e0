"""One ply of lookahead over the game's evaluation."""

import math

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, below, rule

SURE = 1e9  # a result outweighs every evaluation


@kernel
def choose(t, states, actions, values, results, weights, rng):
    """The best action and the number of actions, as `best_action` finds them."""
    return best_action(t, states, actions, values, results, weights, rng)


@rule
def best_action(t, states, actions, values, results, weights, rng):
    """The best action and the number of actions; `actions` and `values` hold all of them.

    `states[0]` is the position as its player sees it; what is hidden is filled in once.
    """
    player = hooks.player(t, states[0])
    hooks.determinize(t, states[0], player, rng)
    n = hooks.legal(t, states[0], actions)
    best, ties, chosen = -math.inf, 0, actions[0]
    for i in range(n):
        states[1] = states[0]
        s = states[1]
        rules.play(t, s, actions[i], rng)
        values[i] = hooks.evaluate(t, s, weights, player)
        if rules.player(t, s) == TERMINAL:
            rules.returns(t, s, results)
            values[i] += SURE * results[player]
        if values[i] > best:
            best, ties = values[i], 0
        if values[i] == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = actions[i]
    return chosen, n
