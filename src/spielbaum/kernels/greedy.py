"""One ply of lookahead over the game's evaluation."""

import math

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, below, rule

SURE = 1e9  # a result outweighs every evaluation
VIEW, TRIAL = 0, 1
ROUNDS = hooks.ROUNDS


@kernel
def choose(t, states, actions, spare, values, results, weights, rng):
    """The best action and the number of actions in states[0], the position as its player sees it."""
    player = hooks.player(t, states[VIEW])
    return best_action(t, states, VIEW, TRIAL, player, actions, spare, values, results, weights, rng)


@rule
def best_action(t, states, view, trial, player, actions, spare, values, results, weights, rng):
    """The best action and the number of actions; `actions` and `values` hold all of them; ties at random.

    `states[view]` is the position as its player sees it: what is hidden is filled in once, and where others
    choose at the same time, they choose the same against every action.
    """
    hooks.determinize(t, states[view], player, rng)
    n = hooks.legal_of(t, states[view], player, actions)
    best, ties, chosen = -math.inf, 0, actions[0]
    dice = rng[0]
    for i in range(n):
        states[trial] = states[view]
        s = states[trial]
        if ROUNDS:
            rng[0] = dice
        rules.play(t, s, actions[i], rng)
        hooks.finish_round(t, s, spare, rng)
        values[i] = worth(t, s, results, weights, player)
        if values[i] > best:
            best, ties, chosen = values[i], 1, actions[i]
        elif values[i] == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = actions[i]
    return chosen, n


@rule
def worth(t, s, results, weights, player):
    """The evaluation of a position for a player; at the end of the game the result outweighs it."""
    value = float(hooks.evaluate(t, s, weights, player))
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, results)
        value += SURE * results[player]
    return value
