"""A network's value of one position after the other, its first layer kept: what has changed is added.

That is the accumulator of NNUE (Nasu 2018). It belongs to the position that was valued last as its player sees it, not
to a ply: leaves come one after the other that differ by a move or two, so that nothing is done for positions between.
A feature that stood in the last position bears the number of that valuation as its mark; who is on the new list
without it is added, who is on the old list without the new mark is taken off. Weights are such that sums are exact in
any order (`spielbaum.networks.net.exact`), so that errors can't pile up.
"""

import math

from spielbaum.compile.link import kernel
from spielbaum.linked import rules
from spielbaum.networks.kernels import network
from spielbaum.rules import inlined, rule


@rule
def value(t, s, player):
    """What a player may expect, who is to move."""
    follow(t, s, player)
    return network_value(t.net, t.kept.sums[player])


@rule
def follow(t, s, player):
    """Bring the first layer of a player from the last position to this one."""
    net, kept = t.net, t.kept
    seen, marks, sums = kept.seen[player], kept.marks[player], kept.sums[player]
    before = kept.turn[player]
    now = before + 1
    n = rules.features(t, s, player, net.active)
    added = 0
    for i in range(n):
        feature = net.active[i]
        if marks[feature] != before:
            kept.added[added] = feature
            added += 1
        marks[feature] = now
    removed = 0
    for i in range(kept.active[player]):
        if marks[seen[i]] != now:
            kept.removed[removed] = seen[i]
            removed += 1
    for i in range(n):
        seen[i] = net.active[i]
    kept.active[player] = n
    kept.turn[player] = now
    both = min(added, removed)
    for i in range(both):
        exchange(net.first[kept.added[i]], net.first[kept.removed[i]], sums)
    for i in range(both, added):
        network.add_row(net.first[kept.added[i]], sums)
    for i in range(both, removed):
        take_row(net.first[kept.removed[i]], sums)


@inlined
def exchange(new, old, sums):
    for j in range(len(sums)):
        sums[j] += new[j] - old[j]


@inlined
def take_row(row, sums):
    for j in range(len(sums)):
        sums[j] -= row[j]


@rule
def network_value(net, sums):
    """The value from the first layer on."""
    network.dense_layers(net, sums)
    return math.tanh(network.head(net, net.value, net.value_bias, 0))


@kernel
def compare(t, states, players, kept, anew):
    """What everybody may expect in a position, from the layer that is kept and from one that is not."""
    for q in range(players):
        kept[q] = value(t, states[0], q)
        network.sum_rows(t.net, t.kept.active[q])
        anew[q] = network_value(t.net, t.net.hidden)
