"""A network in a kernel: what it says of a position, see `spielbaum.networks.net`."""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, inlined, rule

PLAYERS = rules.PLAYERS


@rule
def look(t, s, player):
    """What a player sees, through all layers but the heads, into `net.last`."""
    first_layer(t, s, player)
    dense_layers(t.net, t.net.hidden)


@rule
def first_layer(t, s, player):
    """The sum of what belongs to the active features, into `net.hidden`."""
    sum_rows(t.net, rules.features(t, s, player, t.net.active))


@rule
def sum_rows(net, n):
    """The first layer from so many active features."""
    for j in range(len(net.hidden)):
        net.hidden[j] = net.first_bias[j]
    for i in range(n):
        add_row(net.first[net.active[i]], net.hidden)


@rule
def dense_layers(net, hidden):
    """From the first layer to `net.last`."""
    if len(net.third_bias) == 0:
        dense(hidden, net.second, net.second_bias, net.last, net.awake)
    else:
        dense(hidden, net.second, net.second_bias, net.middle, net.awake)
        dense(net.middle, net.third, net.third_bias, net.last, net.awake)
    clip(net.last)


@inlined
def add_row(row, total):
    for j in range(len(total)):
        total[j] += row[j]


@inlined
def clip(layer):
    for j in range(len(layer)):
        layer[j] = min(max(layer[j], np.float32(0.0)), np.float32(1.0))


@rule
def dense(below, weights, bias, out, awake):
    """out = bias + clip(below) weights; four rows at once, and a unit that is silent costs nothing."""
    for k in range(len(out)):
        out[k] = bias[k]
    n = 0
    for j in range(len(below)):
        awake[n] = j
        n += below[j] > np.float32(0.0)
    i = 0
    while i + 4 <= n:
        add_four(below, weights, out, awake[i], awake[i + 1], awake[i + 2], awake[i + 3])
        i += 4
    while i < n:
        x, row = min(below[awake[i]], np.float32(1.0)), weights[awake[i]]
        for k in range(len(out)):
            out[k] += x * row[k]
        i += 1


@inlined
def add_four(below, weights, out, a, b, c, d):
    one = np.float32(1.0)
    at_a, at_b, at_c, at_d = min(below[a], one), min(below[b], one), min(below[c], one), min(below[d], one)
    row_a, row_b, row_c, row_d = weights[a], weights[b], weights[c], weights[d]
    for k in range(len(out)):
        out[k] += (at_a * row_a[k] + at_b * row_b[k]) + (at_c * row_c[k] + at_d * row_d[k])


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
