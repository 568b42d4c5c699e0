"""The search tree of MCTS: arrays without Python objects, that grow by doubling under a cap.

An *edge* is an action at a node, with its statistics; a *node* is a position's block of edges, which
lie side by side. Nodes are apart from edges so that several edges can lead to one node
(transpositions, information sets) and so that a block can move when an open-loop node meets new
actions. Memory per edge: 32 bytes, 16 more for the statistics that only some variants keep, and a
node of 24 with 8 for its slots at most for every second edge: 64 bytes at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spielbaum.rules import LOW_HALF, inlined, rule

EDGE = np.dtype(
    (
        np.record,
        [
            ("total", "f8"),  # sum of the mover's values
            ("visits", "f8"),  # a real number: vanishing backup adds fractions
            ("node", "i4"),  # what lies below, -1 before it is expanded
            ("action", "i4"),
            ("mover", "i4"),
            ("prior", "f4"),
        ],
    )
)
EXTRA = np.dtype((np.record, [("squares", "f4"), ("amaf_total", "f4"), ("amaf_visits", "f4"), ("available", "f4")]))
NODE = np.dtype((np.record, [("visits", "f8"), ("key", "u8"), ("first", "i4"), ("count", "i4")]))

ROOT = 0  # the edge that stands for the root's position
USED_EDGES, USED_NODES, STARVED, FULL, DEEPEST = range(5)
NOBODY = -1
FIRST_EDGES = 1 << 12
APART = 32  # numbers: small arrays of two threads must not share a cache line, or each write stalls the other


class Tree(NamedTuple):
    """The arrays of one tree."""

    edges: np.ndarray  # EDGE[capacity]
    extras: np.ndarray  # EXTRA[capacity], or [1] where no variant needs them
    nodes: np.ndarray  # NODE[capacity / 2]
    slots: np.ndarray  # i4[2^k]: hash table of node numbers, or [1]
    used: np.ndarray  # i8[APART], indexed by USED_EDGES … DEEPEST


def new_tree(extras: bool, slots: bool, edges: int = FIRST_EDGES) -> Tree:
    """An empty tree that holds only its root edge."""
    tree = Tree(
        edges=np.empty(edges, EDGE),
        extras=np.empty(edges if extras else 1, EXTRA),
        nodes=np.empty(edges // 2, NODE),
        slots=np.full(edges if slots else 1, -1, np.int32),
        used=np.zeros(APART, np.int64),
    )
    clear(tree)
    return tree


def clear(tree: Tree) -> None:
    """Make the tree empty and keep its arrays."""
    tree.slots[:] = -1
    tree.used[:] = 0
    tree.used[USED_EDGES] = 1
    tree.edges[ROOT] = (0.0, 0.0, -1, -1, NOBODY, 0.0)
    tree.extras[ROOT] = (0.0, 0.0, 0.0, 0.0)


def tree_bytes(tree: Tree) -> int:
    """What the growing arrays occupy."""
    return sum(part.nbytes for part in (tree.edges, tree.extras, tree.nodes, tree.slots))


def grow(tree: Tree, cap: int) -> Tree:
    """The tree with twice the room, or the same one marked as full where that would pass the cap."""
    tree.used[STARVED] = 0
    if 2 * tree_bytes(tree) > cap:
        tree.used[FULL] = 1
        return tree
    slots = tree.slots
    if len(slots) > 1:
        slots = np.full(2 * len(slots), -1, np.int32)
        refill(slots, tree.nodes, tree.used[USED_NODES])
    return tree._replace(
        edges=doubled(tree.edges),
        extras=doubled(tree.extras) if len(tree.extras) > 1 else tree.extras,
        nodes=doubled(tree.nodes),
        slots=slots,
    )


def doubled(array: np.ndarray) -> np.ndarray:
    larger = np.empty(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


def refill(slots: np.ndarray, nodes: np.ndarray, used: int) -> None:
    """Enter all nodes into a larger hash table (vectorised probing, one round per collision)."""
    mask = np.int64(len(slots) - 1)
    waiting = np.arange(used, dtype=np.int32)
    place = (nodes["key"][:used] & LOW_HALF).astype(np.int64) & mask
    while len(waiting):
        free = slots[place] < 0
        slots[place[free]] = waiting[free]
        settled = slots[place] == waiting
        waiting, place = waiting[~settled], (place[~settled] + 1) & mask


@inlined
def has_room(tree, edges):
    """Whether a node with that many edges fits; if not, remember that the tree should grow."""
    fits = tree.used[USED_EDGES] + edges <= len(tree.edges) and tree.used[USED_NODES] < len(tree.nodes)
    if not fits:
        tree.used[STARVED] = 1
    return fits


@inlined
def add_node(tree, key, visits):
    """A new node without edges."""
    node = tree.used[USED_NODES]
    tree.used[USED_NODES] = node + 1
    n = tree.nodes[node]
    n.key = key
    n.visits = visits
    n.first = tree.used[USED_EDGES]
    n.count = 0
    return node


@inlined
def add_edge(tree, node, action, mover, prior):
    """A new edge at the end of a node whose block is the last one."""
    edge = tree.used[USED_EDGES]
    tree.used[USED_EDGES] = edge + 1
    tree.nodes[node].count += 1
    e = tree.edges[edge]
    e.total = 0.0
    e.visits = 0.0
    e.node = -1
    e.action = action
    e.mover = mover
    e.prior = prior
    if len(tree.extras) > 1:
        x = tree.extras[edge]
        x.squares = 0.0
        x.amaf_total = 0.0
        x.amaf_visits = 0.0
        x.available = 0.0


@rule
def move_to_end(tree, node):
    """Move a node's block of edges to the end, where it can grow."""
    n = tree.nodes[node]
    first = tree.used[USED_EDGES]
    for i in range(n.count):
        tree.edges[first + i] = tree.edges[n.first + i]
        if len(tree.extras) > 1:
            tree.extras[first + i] = tree.extras[n.first + i]
    n.first = first
    tree.used[USED_EDGES] = first + n.count


@inlined
def find_slot(tree, key):
    """The slot that holds the node of this key, or the free slot where it belongs."""
    mask = len(tree.slots) - 1
    slot = np.int64(key & LOW_HALF) & mask
    while tree.slots[slot] >= 0 and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & mask
    return slot


@rule
def keep_subtree(old, new, edge, normalise):
    """Copy what lies below an edge of `old` into the empty tree `new`, breadth first.

    With `normalise` all earlier iterations of an edge count as one, so that an old plan stays
    adaptable (as spe_ed's Thor does).
    """
    copy_edge(old, new, edge, ROOT, normalise)
    at = 0
    while at < new.used[USED_EDGES]:
        below = new.edges[at].node
        if below >= 0:
            n = old.nodes[below]
            if not (new.used[FULL] or has_room(new, n.count)):
                new.used[FULL] = 1
            if new.used[FULL]:
                new.edges[at].node = -1
            else:
                visits = 0.0
                node = add_node(new, n.key, n.visits)
                for i in range(n.first, n.first + n.count):
                    target = new.used[USED_EDGES]
                    add_edge(new, node, 0, 0, 0.0)
                    copy_edge(old, new, i, target, normalise)
                    visits += new.edges[target].visits
                if normalise:
                    new.nodes[node].visits = visits + 1.0
                new.edges[at].node = node
        at += 1
    new.used[FULL] = 0
    new.used[STARVED] = 0


@rule
def copy_edge(old, new, source, target, normalise):
    new.edges[target] = old.edges[source]
    if len(new.extras) > 1:
        new.extras[target] = old.extras[source]
    e = new.edges[target]
    if normalise and e.visits > 0.0:
        e.total /= e.visits
        e.visits = 1.0
        if len(new.extras) > 1:
            x = new.extras[target]
            x.squares = e.total * e.total
            if x.amaf_visits > 0.0:
                x.amaf_total /= x.amaf_visits
                x.amaf_visits = 1.0
            x.available = min(np.float64(x.available), 1.0)
