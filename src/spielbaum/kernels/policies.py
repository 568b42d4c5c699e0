"""Policies: uniformly random, one ply ahead, and the game's own, each with what its player may see."""

from typing import Any

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import greedy, hooks
from spielbaum.linked import rules
from spielbaum.rules import inlined, random_stream, rule

HIDES, HIDES_IN_PLACE, NO_OPENING = hooks.HIDES, hooks.HIDES_IN_PLACE, hooks.NO_OPENING
UNIFORM, ONE_PLY, OWN = range(3)  # policies of every game; its own are numbered from OWN


def examples(t):
    """Arguments for every kernel that this game needs."""
    states, rng = np.zeros(1, rules.STATE), random_stream(0)
    pairs: list[Any] = [(sample, (t, states, np.zeros(1, np.int64), rng))]
    if hasattr(rules, "policy_of"):
        pairs += [(choose, (t, states, 0, np.zeros(1), rng))]
    return pairs


@kernel
def sample(t, states, buffer, rng):
    """A uniformly random legal action."""
    return hooks.sample(t, states[0], buffer, rng)


@kernel
def opening(t, states, buffer, rng):
    """A random action to begin a game with; NO_OPENING where there is none."""
    return hooks.opening(t, states[0], buffer, rng)


@kernel
def choose(t, states, which, weights, rng):
    """The action of the game's policy with this number."""
    return hooks.policy(t, states[0], which, weights, rng)


@rule
def look_ahead(t, states, now, view, trial, player, actions, spare, values, results, weights, rng):
    """The action of the policy that looks one ply ahead in states[now]."""
    states[view] = states[now]
    hooks.observe(t, states[view], player)
    return greedy.best_action(t, states, view, trial, player, actions, spare, values, results, weights, rng)[0]


@inlined
def follow(policy_of, t, states, now, view, player, which, weights, rng):
    """The action of one of the game's own policies in states[now], told only what its player sees."""
    if HIDES_IN_PLACE and hooks.hides(t):
        hooks.copy_hidden(t, states[now], states[view])
        hooks.hide(t, states[now], player)
        action = policy_of(t, states[now], player, which - OWN, weights, rng)
        hooks.copy_hidden(t, states[view], states[now])
        return action
    if HIDES and hooks.hides(t):
        states[view] = states[now]
        hooks.hide(t, states[view], player)
        return policy_of(t, states[view], player, which - OWN, weights, rng)
    return policy_of(t, states[now], player, which - OWN, weights, rng)
