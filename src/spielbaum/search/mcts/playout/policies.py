"""`policies`: each side follows a policy, or a mixture of policies that is drawn for every move or once a simulation.

A policy is uniformly random, greedy one ply ahead, or one of the game's own; each is told only what its player may see.
"""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.kernels import policies as by
from spielbaum.linked import OBSERVATION_FREE, ONE_PLY, OWN_POLICIES, PER_MOVE, UNIFORM, components
from spielbaum.params import Param
from spielbaum.rules import rule, uniform
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.policies import parse_policies
from spielbaum.search.mcts.workspace import NOW, TRY, VIEW


class PoliciesHost(Host):
    """Tells the kernel who follows which policies."""

    def __init__(self, game, values, record):
        super().__init__(game, values, record)
        self.chances = parse_policies(game, values["simulate"])

    def on_new_tree(self, tree):
        if "UNIFORM" in tree.variant.flags:
            return
        own, players = self.own(tree), self.game.module.PLAYERS
        own["groups"] = len(self.chances)
        own["group"] = tree.work["side"][0] if len(self.chances) == 2 else np.arange(players)
        own["chances"][: len(self.chances)] = self.chances


def fields(game, flags):
    if "UNIFORM" in flags:
        return []
    players, policies = game.module.PLAYERS, 2 + len(getattr(game.module, "POLICIES", ()))
    return [
        ("group", "i8", players),  # whose policies a player follows: a side's, or its own
        ("groups", "i8"),
        ("chances", "f8", (max(2, players), policies)),  # cumulative weights of each group's policies
        ("policy", "i8", max(2, players)),  # each group's policy now, -1 to draw one for every move
    ]


COMPONENT = Component(
    "playout",
    params=(
        Param(
            "mix",
            "move",
            "draw a mixture's policy for every move or once a simulation",
            choices=("move", "simulation"),
        ),
    ),
    thread=fields,
    host=PoliciesHost,
)


@rule
def start_playout(work, p, rng):
    """Each group's policy for one simulation; -1 where a mixture is drawn for every move."""
    if UNIFORM:
        return
    own = work.policies
    for group in range(own.groups):
        own.policy[group] = only_policy(own.chances, group)
        if own.policy[group] < 0 and not PER_MOVE:
            own.policy[group] = drawn_policy(own.chances, group, rng)


@rule
def only_policy(chances, group):
    """The policy that has all the weight, or -1 in a mixture."""
    for which in range(chances.shape[1]):
        if chances[group, which] > 0.0:
            return which if chances[group, which] >= 1.0 else -1
    return -1


@rule
def drawn_policy(chances, group, rng):
    u = uniform(rng)
    for which in range(chances.shape[1]):
        if u < chances[group, which]:
            return which
    return chances.shape[1] - 1


@rule
def playout_action(t, states, work, player, rng):
    if UNIFORM:
        return hooks.sample_of(t, states[NOW], player, work.spare, rng)
    own = work.policies
    group = own.group[player]
    which = own.policy[group]
    if which < 0:
        which = drawn_policy(own.chances, group, rng)
    return follow(t, states, work, player, which, rng)


@rule
def follow(t, states, work, player, which, rng):
    """The action of the policy with this number."""
    if which == by.UNIFORM:
        return hooks.sample_of(t, states[NOW], player, work.spare, rng)
    if ONE_PLY and which == by.ONE_PLY:
        return by.look_ahead(
            t, states, NOW, VIEW, TRY, player, work.spare, work.third, work.action_values, work.result,
            work.weights, rng,
        )  # fmt: skip
    if OBSERVATION_FREE:
        return components.policy_of(t, states[NOW], player, which - by.OWN, work.weights, rng)
    if OWN_POLICIES:
        return by.follow(components.policy_of, t, states, NOW, VIEW, player, which, work.weights, rng)
    return -1
