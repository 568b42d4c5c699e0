"""What the others do between two own decisions, where only own ones are in the tree."""

from spielbaum.linked import ANSWERS, parts, rules, simulate
from spielbaum.rules import TERMINAL, rule
from spielbaum.search.mcts.work import NOW
from spielbaum.search.sides import OTHERS


@rule
def answer(t, states, work, p, rng):
    """The others play by their policy until it is our side's turn again."""
    if not ANSWERS:
        simulate.draw_policies(work, p, rng)
    for _ in range(p.limit):
        player = rules.player(t, states[NOW])
        if player == TERMINAL or work.side[player] != OTHERS:
            return
        if ANSWERS:
            action = simulate.follow(t, states, work, player, p.answers, rng)
        else:
            action = simulate.choose(t, states, work, player, rng)
        parts.noted(work, action, player, p)
        rules.play(t, states[NOW], action, rng)
