"""Policies one decision at a time: uniformly random, and the game's own."""

import numpy as np

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import random_stream


def examples(t):
    """Arguments for every kernel that this game needs."""
    states, rng = np.zeros(1, rules.STATE), random_stream(0)
    pairs = [(sample, (t, states, np.zeros(1, np.int64), rng))]
    if hasattr(rules, "policy"):
        pairs += [(choose, (t, states, 0, rng))]
    return pairs


@kernel
def sample(t, states, buffer, rng):
    """A uniformly random legal action."""
    return hooks.sample(t, states[0], buffer, rng)


@kernel
def choose(t, states, which, rng):
    """The action of the policy with this number."""
    return hooks.policy(t, states[0], which, rng)
