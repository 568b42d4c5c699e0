"""A node for every information set: what the mover sees decides which one it is (Cowling et al. 2012)."""

import numpy as np

from spielbaum.linked import edges, hooks
from spielbaum.rules import HALF, LOW_HALF, inlined, mix, rule
from spielbaum.search.mcts.tree import ROOT, find_slot
from spielbaum.search.mcts.work import NOW, TRY, view_keys

KEYED = True
BY_VIEW = True
work = view_keys


@inlined
def find(t, tree, states, raw, work, edge, mover, p, rng):
    s, visits = states[NOW], tree.edges[edge].visits
    key = view_key(t, states, raw, work, mover)
    slot = find_slot(tree, key)
    if tree.slots[slot] < 0:
        if edge != ROOT and visits < p.expand_visits:
            return -1
        node = edges.expand(t, s, tree, work, visits, mover, p, rng)
        if node < 0:
            return -1
        tree.nodes[node].key = key
        tree.slots[slot] = node
    node = np.int64(tree.slots[slot])
    tree.edges[edge].node = node
    return node if edges.refresh(t, s, tree, node, work, mover, p, rng) else -1


@inlined
def view_key(t, states, raw, work, mover):
    """A key for what the mover sees of NOW."""
    states[TRY] = states[NOW]
    hooks.hide(t, states[TRY], mover)
    return key_of_words(raw[TRY], work.salts, mover)


@rule
def key_of_words(words, salts, mover):
    """Each word times two random numbers of its place, which no other place has."""
    first, second = np.uint64(0), np.uint64(0)
    for i in range(len(words)):
        first ^= np.uint64(words[i]) * np.uint64(salts[0, i])
        second ^= np.uint64(words[i]) * np.uint64(salts[1, i])
    key = mix(np.uint64(1), mover)
    for half in (first & LOW_HALF, first >> HALF, second & LOW_HALF, second >> HALF):
        key = mix(key, half)
    return key
