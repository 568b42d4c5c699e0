"""`normalise`: the same, but all earlier iterations of an edge count as one, so that an old plan stays adaptable."""

from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.reuse.keep import COMPONENT as KEEP
from spielbaum.search.mcts.reuse.keep import Keep


class Normalise(Keep):
    normalises = True


COMPONENT = Component("reuse", provides=KEEP.provides, excludes=KEEP.excludes, host=Normalise)
