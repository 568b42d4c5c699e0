"""`opponents=no-second-half`: everybody's decisions are in the tree, but a double move ends with its first half there.

So the search pays for double cards and does not see what they are good for. The thesis does not say that its search
does this, but the column (D,G) of its tables 6.1 and 6.2 comes out so, and not otherwise: see docs/scotland-yard.md.
"""

from __future__ import annotations

from spielbaum.games.scotland_yard.rules import NOBODY, next_turn
from spielbaum.linked import rules
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component

COMPONENT = Component("opponents", provides={"all-decisions"})


@inlined
def step(t, s, action, rng):
    rules.play(t, s, action, rng)
    if s.second == 1 and s.winner == NOBODY:
        s.second = 0
        next_turn(t.tables, s)
