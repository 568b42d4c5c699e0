"""`mix`: drawn in proportion to visits, for regret matching to the average strategy.

The draw is made by the search, which knows its random numbers; where one action is asked for without chance, as by a
report in between, it is the most visited one.
"""

from __future__ import annotations

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import DecideHost


class Mix(DecideHost):
    draws = True


COMPONENT = Component("decide", provides={"mixed-decision"}, host=Mix)
