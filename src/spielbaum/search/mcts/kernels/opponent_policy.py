"""What the others do between two own decisions, where only own ones are in the tree."""

from spielbaum.linked import OPPONENT_POLICY, components, rules
from spielbaum.rules import TERMINAL, rule
from spielbaum.search.mcts.playout import policies
from spielbaum.search.mcts.workspace import NOW
from spielbaum.search.sides import OTHERS


@rule
def answer(t, states, work, p, rng):
    """The others play by their policy until it is our side's turn again."""
    if not OPPONENT_POLICY:
        components.playout.start_playout(work, p, rng)
    for _ in range(p.limit):
        player = rules.player(t, states[NOW])
        if player == TERMINAL or work.side[player] != OTHERS:
            return
        if OPPONENT_POLICY:
            action = policies.follow(t, states, work, player, p.opponent_policy, rng)
        else:
            action = components.playout.playout_action(t, states, work, player, p, rng)
        components.on_action(work, action, player, p)
        rules.play(t, states[NOW], action, rng)
