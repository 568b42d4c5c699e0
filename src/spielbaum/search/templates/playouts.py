"""Whole random games inside one kernel call."""

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
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
