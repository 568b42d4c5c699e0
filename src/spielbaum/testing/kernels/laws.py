"""What the laws of a game ask beyond `game_api`: the rules unchecked, and every optional hook at once."""

from typing import Any

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, below, random_stream, rule

FILTERS, POLICIES = len(getattr(rules, "FILTERS", ())), len(getattr(rules, "POLICIES", ()))
METRICS = hooks.METRICS
FEATURES, SYMMETRIES = getattr(rules, "FEATURES", 0), getattr(rules, "SYMMETRIES", 0)
PLANES = getattr(rules, "PLANES", (0,))
ACTION_CODES = rules.ACTION_CODES
SPARE = 64  # room for a game that sees more than it promised


def examples(t):
    """Arguments for the kernels that every examination runs compiled."""
    states, rng, codes, numbers = np.zeros(1, rules.STATE), random_stream(0), np.zeros(1, np.int64), np.zeros(1)
    pairs: list[Any] = [(answer, (t, states, 1, codes, 0, numbers, room(1, 1, 1), rng))]
    if hasattr(rules, "playout"):
        pairs += [(playout, (t, states, rng, 0))]
    if SYMMETRIES:
        pairs += [(symmetries, (t, states, *symmetry_room()))]
    return pairs


@kernel
def survey(t, states, legal):
    """Whose decision it is and the number of legal actions, both as the rules give them."""
    player = rules.player(t, states[0])
    return player, 0 if player == TERMINAL else rules.actions(t, states[0], legal)


def room(players, n, size):
    """Room for what `answer` fills in about n legal actions; `size` is that of a buffer of actions."""
    return (
        np.zeros(1, np.uint64),  # key
        np.full(players, np.nan),  # evaluation for each player
        np.full(size, np.nan),  # prior of each legal action
        np.zeros(n, np.bool_),  # whether it captures
        np.zeros((FILTERS, n), np.bool_),  # whether each filter keeps it
        np.zeros(1, np.int64),  # a sample
        np.zeros(POLICIES, np.int64),  # the choice of each policy
        np.full((players, METRICS), np.nan),  # the metrics of each player
        np.zeros(players, np.int64),  # how many features are active for each player
        np.full((players, FEATURES + SPARE), -1),  # their numbers
        np.full((players, *PLANES), np.nan, np.float32),  # the planes of each player
    )


if FEATURES:
    features = rules.features
else:

    @rule
    def features(t, s, player, out):
        return 0


if hasattr(rules, "planes"):
    planes = rules.planes
else:

    @rule
    def planes(t, s, player, out):
        pass


@kernel
def answer(t, states, players, legal, n, weights, out, rng):
    """What every optional hook says about a position with n legal actions."""
    s = states[0]
    key, values, priors, captures, kept, sample, choices, metrics, counts, seen, drawn = out
    key[0] = hooks.key(t, s)
    for q in range(players):
        values[q] = hooks.evaluate(t, s, weights, q)
        hooks.metrics(t, s, q, metrics[q])
        counts[q] = features(t, s, q, seen[q])
        planes(t, s, q, drawn[q])
    if n == 0:
        return
    player = rules.player(t, s)
    hooks.prior_of(t, s, player, legal, n, priors, weights)
    for i in range(n):
        captures[i] = hooks.capture(t, s, legal[i])
        for which in range(FILTERS):
            kept[which, i] = hooks.keep_of(t, s, player, which, legal[i], weights)
    sample[0] = hooks.sample(t, s, legal, rng)
    for which in range(POLICIES):
        choices[which] = hooks.policy(t, s, which, weights, rng)


def symmetry_room():
    """Room for what `symmetries` fills in."""
    return np.full((SYMMETRIES, FEATURES), -1), np.full((SYMMETRIES, ACTION_CODES), -1)


@kernel
def symmetries(t, states, features, actions):
    """Where each symmetry takes every feature and every action; they are the same in all positions."""
    for which in range(SYMMETRIES):
        for feature in range(FEATURES):
            features[which, feature] = rules.symmetry(t, which, feature)
        for action in range(ACTION_CODES):
            actions[which, action] = rules.symmetric_action(t, which, action)


@kernel
def playout(t, states, rng, limit):
    """The number of actions that the game's own playout says it has played."""
    return rules.playout(t, states[0], rng, limit)


@kernel
def finish(t, states, legal, dice, choices, limit):
    """The number of actions of random play with every step checked; -1 where it does not end within the limit."""
    for played in range(limit + 1):
        if hooks.player(t, states[0]) == TERMINAL:
            return played
        if played < limit:
            n = hooks.legal(t, states[0], legal)
            rules.play(t, states[0], legal[below(choices, n)], dice)
    return -1


@kernel
def follow(t, states, views, legal, which, weights, dice, choices, played):
    """Let a policy play, told what players see, into `played`; the number of the action that is not legal, or -1."""
    for number in range(len(played)):
        player = hooks.player(t, states[0])
        if player == TERMINAL:
            return -1
        n = hooks.legal(t, states[0], legal)
        views[0] = states[0]
        hooks.observe(t, views[0], player)
        played[number] = hooks.policy_of(t, views[0], player, which, weights, choices)
        is_legal = False
        for i in range(n):
            is_legal |= legal[i] == played[number]
        if not is_legal:
            return number
        rules.play(t, states[0], played[number], dice)
    return -1
