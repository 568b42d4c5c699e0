"""Between two moves: keep the subtree of what was played."""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import LINKED_EDGES, OPEN_LOOP, ROUNDS, components
from spielbaum.rules import mix, rule
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.tree import (
    FULL,
    ROOT,
    STARVED,
    USED_EDGES,
    USED_NODES,
    add_edge,
    add_node,
    chain_edge,
    find_slot,
    has_room,
)  # fmt: skip


@kernel
def copy_subtree(t, old, new, edge, normalise):
    """Copy what lies below an edge of `old` into the empty tree `new`, breadth first.

    With `normalise` all earlier iterations of an edge count as one, so that an old plan stays adaptable (as
    spe_ed's Thor does).
    """
    copy_edge(old, new, edge, ROOT, normalise)
    at = 0
    while at < new.used[USED_EDGES]:
        below = new.edges[at].node
        if below >= 0:
            new.edges[at].node = copied_node(old, new, below, normalise)
        at += 1
    new.used[FULL] = 0
    new.used[STARVED] = 0


@rule
def copied_node(old, new, below, normalise):
    """A node of the old tree with its edges at the end of the new one; -1 where there is no room."""
    n = old.nodes[below]
    if not (new.used[FULL] or has_room(new, n.count)):
        new.used[FULL] = 1
    if new.used[FULL]:
        return -1
    node = add_node(new, n.visits)
    new.nodes[node] = n
    new.nodes[node].first, new.nodes[node].count = new.used[USED_EDGES], 0
    visits, edge = 0.0, np.int64(n.first)
    for _ in range(n.count):
        target = chain_edge(new, node, 0, 0) if LINKED_EDGES else add_edge(new, node, 0, 0)
        following = new.edges[target].next if LINKED_EDGES else -1
        copy_edge(old, new, edge, target, normalise)
        if LINKED_EDGES:
            new.edges[target].next = following
        visits += new.edges[target].visits
        edge = children.after(old, edge)
    if normalise:
        new.nodes[node].visits = visits + 1.0
    return np.int64(node)


@rule
def copy_edge(old, new, source, target, normalise):
    new.edges[target] = old.edges[source]
    e = new.edges[target]
    if normalise and e.visits > 0.0:
        visits = e.visits
        e.total /= visits
        e.visits = 1.0
        if OPEN_LOOP:
            e.available = min(np.float64(e.available), 1.0)
        components.on_normalise(e, visits)


if ROUNDS:

    @kernel
    def keep_rounds(t, old, new, root, normalise):
        """Copy the rounds that can be reached from the one with the key `root`.

        Nodes stand in the order in which they were made, so a round comes after the one that led to it.
        """
        for below in range(old.used[USED_NODES]):
            n = old.nodes[below]
            if n.simultaneous.round == root or is_kept(new, n.simultaneous.before):
                node = copied_node(old, new, below, normalise)
                if node < 0:
                    break
                new.slots[find_slot(new, n.key)] = node
        new.used[FULL] = 0
        new.used[STARVED] = 0

    @rule
    def is_kept(new, key):
        """Whether a decision of this round is in the new tree."""
        for player in range(hooks.PLAYERS):
            if new.slots[find_slot(new, mix(key, player))] >= 0:
                return True
        return False
