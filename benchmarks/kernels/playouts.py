"""Games as bare as can be, to measure others by: nothing but the rules and the choices."""

from spielbaum.arena.kernels import batch
from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL


@kernel
def run(t, states, buffer, results, totals, rng, games, limit):
    """Play random games from states[0]: results summed in `totals`; the number of actions played."""
    played = 0
    for _ in range(games):
        states[1] = states[0]
        played += hooks.playout(t, states[1], buffer, rng, limit)
        if rules.player(t, states[1]) == TERMINAL:
            rules.returns(t, states[1], results)
            for q in range(len(totals)):
                totals[q] += results[q]
    return played


@kernel
def between(t, states, work, policies, weights, games):
    """Play games between policies, one per seat; the number of actions played. Arguments as for `batch.play`."""
    played, w = 0, work[0]
    for _ in range(games):
        states[batch.NOW] = states[batch.BLANK]
        s = states[batch.NOW]
        hooks.start(t, s, w.dice)
        player = rules.player(t, s)
        while player != TERMINAL:
            action = batch.choose(t, states, w, player, policies[player], weights[player])
            rules.play(t, s, action, w.dice)
            played += 1
            player = rules.player(t, s)
    return played
