"""`open-loop-rounds`: own moves in the tree; in every round all others make a random move that is not deadly at once.

As `open-loop`, but a round is played as a whole, and everybody's actions are the same at any time: nothing need be
known about what is legal at a node. A way down the tree does not depend on what the others do, as if it were chosen
before it is replayed: who goes out on it counts nothing at its end, and all of it learns that. The game goes on for who
is alone.
"""

from spielbaum.games.spe_ed.policies import at_random
from spielbaum.games.spe_ed.rules import resolve
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "opponents",
    thread=lambda game, flags: [("choices", "i8", game.module.PLAYERS)],
    provides={"own-only"},
)


@inlined
def step(t, s, own, action, p, rng):
    if s.died[p.me] > 0:
        return
    own.choices[p.me] = action
    draw_answers(t, s, own.choices, p.me, rng)
    resolve(t.tables, s, own.choices)


@rule
def draw_answers(t, s, choices, me, rng):
    """What everybody else does in a round."""
    for q in range(t.tables.players):
        if q != me and s.died[q] == 0:
            choices[q] = at_random(t.tables, s, q, rng)
