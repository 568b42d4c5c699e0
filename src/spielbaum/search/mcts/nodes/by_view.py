"""A node for every information set: what the mover sees decides which one it is (Cowling et al. 2012)."""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.rules import HALF, LOW_HALF, inlined, mix, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import edges
from spielbaum.search.mcts.tree import ROOT, find_slot
from spielbaum.search.mcts.workspace import NOW, TRY, words_of

SALT = 7  # any seed: it decides where nodes lie, not what is found


class ViewHost(Host):
    """Draws the numbers that keys are made of."""

    def on_new_tree(self, tree):
        salts = self.own(tree)["salts"]
        salts[:] = np.random.default_rng(SALT).integers(1, 1 << 32, salts.shape)


def fields(game, flags):
    return [("salts", "u4", (2, words_of(np.zeros(1, game.rules.STATE)).shape[1]))]


COMPONENT = Component("nodes", thread=fields, provides={"keyed", "by-view"}, host=ViewHost)


@inlined
def find(t, tree, states, s, raw, work, own, edge, e, mover, p, rng):
    return node_of(t, tree, s, work, edge, e, key_of_view(t, states, raw, own.salts, mover, mover), mover, p, rng)


@inlined
def node_of(t, tree, s, work, edge, e, key, mover, p, rng):
    """The node with a key, to which the edge e leads now; -1 for a leaf."""
    slot = find_slot(tree, key)
    if tree.slots[slot] < 0:
        if edge != ROOT and e.visits < p.expand_visits:
            return -1
        node = edges.expand(t, s, tree, work, e.visits, mover, p, rng)
        if node < 0:
            return -1
        tree.nodes[node].key = key
        tree.slots[slot] = node
    node = np.int64(tree.slots[slot])
    e.node = node
    return node if edges.refresh(t, s, tree, node, work, mover, p, rng) else -1


@inlined
def view_key(t, states, raw, own, mover):
    return key_of_view(t, states, raw, own.salts, mover, mover)


@inlined
def key_of_view(t, states, raw, salts, watcher, mover):
    """A key for the mover's decision in NOW, by what the watcher sees of it."""
    states[TRY] = states[NOW]
    hooks.hide(t, states[TRY], watcher)
    return key_of_words(raw[TRY], salts, mover)


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
