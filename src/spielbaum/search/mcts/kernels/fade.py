"""Between two decisions: memory fades, and what the game says has changed is forgotten."""

from spielbaum.link import kernel
from spielbaum.linked import parts
from spielbaum.search.mcts.work import ROOT_STATE


@kernel
def fade(t, states, now, works, settings):
    """The last root was states[ROOT_STATE], the new one is now[0]."""
    parts.expand.fade(t, states[ROOT_STATE], now[0], works[0], settings[0])
