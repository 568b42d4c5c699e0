"""A network in a kernel: what it says of a position, see `spielbaum.networks.net`."""

import math

import numpy as np

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, inlined, rule

PLAYERS = rules.PLAYERS


@rule
def look(t, s, player):
    """What a player sees, through all layers but the heads, into `net.last`."""
    net = t.net
    n = rules.features(t, s, player, net.active)
    for j in range(len(net.hidden)):
        net.hidden[j] = net.first_bias[j]
    for i in range(n):
        add_row(net.first[net.active[i]], net.hidden)
    if len(net.third_bias) == 0:
        dense(net.hidden, net.second, net.second_bias, net.last)
    else:
        dense(net.hidden, net.second, net.second_bias, net.middle)
        dense(net.middle, net.third, net.third_bias, net.last)
    clip(net.last)


@inlined
def add_row(row, total):
    for j in range(len(total)):
        total[j] += row[j]


@inlined
def clip(layer):
    for j in range(len(layer)):
        layer[j] = min(max(layer[j], np.float32(0.0)), np.float32(1.0))


@inlined
def dense(below, weights, bias, out):
    """out = bias + clip(below) weights; a unit that is silent costs nothing."""
    for k in range(len(out)):
        out[k] = bias[k]
    for j in range(len(below)):
        x = min(max(below[j], np.float32(0.0)), np.float32(1.0))
        if x > 0.0:
            row = weights[j]
            for k in range(len(out)):
                out[k] += x * row[k]


@rule
def head(net, weights, bias, which):
    total = bias[which]
    for k in range(len(net.last)):
        total += weights[which, k] * net.last[k]
    return np.float64(total)


@rule
def values(t, s, mover, players, out):
    """Everybody's value of a position that goes on, with so many players."""
    look(t, s, mover)
    if PLAYERS == 2:
        out[mover] = math.tanh(head(t.net, t.net.value, t.net.value_bias, 0))
        out[1 - mover] = -out[mover]
    else:
        for i in range(players):
            out[(mover + i) % players] = math.tanh(head(t.net, t.net.value, t.net.value_bias, i))


@rule
def priors(t, s, mover, actions, n, out):
    """How likely the network thinks each of some actions, which add up to 1."""
    look(t, s, mover)
    largest = -math.inf
    for i in range(n):
        out[i] = head(t.net, t.net.policy, t.net.policy_bias, actions[i])
        largest = max(largest, out[i])
    total = 0.0
    for i in range(n):
        out[i] = math.exp(out[i] - largest)
        total += out[i]
    for i in range(n):
        out[i] /= total


@kernel
def ask(t, states, players, results, buffer, preferences):
    """What a network says of positions, for who is to move: values of all, and preferences by the order of actions."""
    for i in range(len(states)):
        mover = rules.player(t, states[i])
        if mover == TERMINAL:
            rules.returns(t, states[i], results[i])
        else:
            values(t, states[i], mover, players, results[i])
            n = hooks.legal_of(t, states[i], mover, buffer)
            priors(t, states[i], mover, buffer, n, preferences[i])
