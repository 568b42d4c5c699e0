"""`robust`: the child with the most visits."""

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import DecideHost

COMPONENT = Component("decide", provides={"most-visits"}, host=DecideHost)
