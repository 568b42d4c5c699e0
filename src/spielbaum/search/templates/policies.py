"""A game's own policies, one decision at a time."""

from spielbaum.link import kernel
from spielbaum.linked import hooks


@kernel
def choose(t, states, which, rng):
    """The action of the policy with this number."""
    return hooks.policy(t, states[0], which, rng)
