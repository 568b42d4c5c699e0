"""Between two decisions of `expand=memory`: memory decays, and what the game says has changed is forgotten."""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.search.mcts.workspace import ROOT_STATE

UNKNOWN = 1.0  # what is remembered of an action that was never played


@kernel
def run(t, states, now, works, settings):
    """The last root was states[ROOT_STATE], the new one is now[0]."""
    work, p = works[0], settings[0]
    own = work.memory
    if p.scale_anew:
        own.smallest, own.largest = np.inf, -np.inf
    for action in range(len(own.value)):
        own.value[action] += (p.reset_point - own.value[action]) * p.reset_strength
    for i in range(hooks.changed(t, now[0], states[ROOT_STATE], work.buffer)):
        own.value[work.buffer[i]] = UNKNOWN
