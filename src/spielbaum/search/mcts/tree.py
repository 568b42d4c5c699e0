"""The search tree of MCTS: arrays without Python objects, that grow by doubling under a cap.

An *edge* is an action at a node, with its statistics; a *node* is the decision of one player in a position, with
its edges. They lie side by side where all are made at once, and are chained where they are made when tried. Nodes
are apart from edges so that several edges can lead to one node (transpositions, information sets, rounds) and so
that a block can move when an open-loop node meets new actions.

Records hold what the components of a search need and nothing else: 32 bytes for an edge and 16 for a node of plain UCT.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.rules import LOW_HALF, inlined, rule

EDGE: list[Any] = [
    ("total", "f8"),  # sum of the mover's values
    ("visits", "f8"),  # a real number: vanishing backup adds fractions
    ("node", "i4"),  # what lies below, -1 before it is expanded
    ("action", "i4"),
    ("mover", "i4"),
]
PRIOR, NEXT = ("prior", "f4"), ("next", "i4")
NODE: list[Any] = [("visits", "f8"), ("first", "i4"), ("count", "i4")]
KEY = ("key", "u8")
JOINT = np.dtype((np.record, [("key", "u8"), ("total", "f8"), ("visits", "f8")]))

ROOT = 0  # the edge that stands for the root's position
USED_EDGES, USED_NODES, USED_JOINTS, STARVED, FULL, DEEPEST = range(6)
NOBODY = -1
OPEN, HELD, PROVEN = range(3)  # edges, with `solve`: whoever moves below a held one has a proven result in hand
FIRST_EDGES = 1 << 12
APART = 32  # numbers: small arrays of two threads must not share a cache line, or each write stalls the other


class Layout(NamedTuple):
    """What the records of a tree hold, and which of its tables it has."""

    edge: np.dtype
    node: np.dtype
    keyed: bool  # nodes are found by their keys
    joints: bool  # joint actions of a round are told apart


class Tree(NamedTuple):
    """The arrays of one tree."""

    edges: np.ndarray  # EDGE[capacity]
    nodes: np.ndarray  # NODE[capacity / 2]
    slots: np.ndarray  # i4[2^k]: hash table of node numbers, or [1]
    joints: np.ndarray  # JOINT[2^k]: hash table of joint actions, or [1]
    used: np.ndarray  # i8[APART], indexed by USED_EDGES … DEEPEST


def layout(edge: Sequence[Any], node: Sequence[Any], *, keyed: bool, joints: bool) -> Layout:
    """The records with these fields beyond those of every tree."""
    key = [KEY] if keyed else []
    return Layout(record([*EDGE, *edge]), record([*NODE, *key, *node]), keyed, joints)


def record(fields: Iterable[tuple[Any, ...]]) -> np.dtype:
    """A record whose fields, sub-records among them, lie where the processor reads them fastest.

    NumPy forgets how a record wants to be aligned as soon as its fields can be read by their names.
    """
    names, formats, offsets, end, widest = [], [], [], 0, 1
    for name, *form in fields:
        kind = np.dtype((form[0], form[1])) if len(form) > 1 else np.dtype(form[0])
        step = alignment(kind)
        end, widest = -(-end // step) * step, max(widest, step)
        names.append(name)
        formats.append(kind)
        offsets.append(end)
        end += kind.itemsize
    size = -(-end // widest) * widest
    placed: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return np.dtype((np.record, np.dtype(placed, align=True)))


def alignment(kind: np.dtype) -> int:
    """The number of bytes at a multiple of which a value should begin."""
    fields = kind.base.fields
    return max(alignment(field) for field, *_ in fields.values()) if fields else kind.base.alignment


def new_tree(shape: Layout, edges: int = FIRST_EDGES) -> Tree:
    """An empty tree that holds only its root edge."""
    tree = Tree(
        edges=np.zeros(edges, shape.edge),
        nodes=np.zeros(edges // 2, shape.node),
        slots=np.empty(edges if shape.keyed else 1, np.int32),
        joints=np.empty(edges if shape.joints else 1, JOINT),
        used=np.zeros(APART, np.int64),
    )
    clear(tree)
    return tree


def clear(tree: Tree) -> None:
    """Make the tree empty and keep its arrays; what nobody uses is zero, so that components find zeros in theirs."""
    tree.edges[: tree.used[USED_EDGES]] = np.zeros(1, tree.edges.dtype)
    tree.nodes[: tree.used[USED_NODES]] = np.zeros(1, tree.nodes.dtype)
    tree.slots[:] = -1
    tree.joints["visits"] = 0.0
    tree.used[:] = 0
    tree.used[USED_EDGES] = 1
    root = tree.edges[ROOT]
    root.node, root.action, root.mover = -1, -1, NOBODY


def tree_bytes(tree: Tree) -> int:
    """What the growing arrays occupy."""
    return sum(part.nbytes for part in (tree.edges, tree.nodes, tree.slots, tree.joints))


def grow(tree: Tree, cap: int) -> Tree:
    """The tree with twice the room, or the same one marked as full where that would pass the cap."""
    tree.used[STARVED] = 0
    if 2 * tree_bytes(tree) > cap:
        tree.used[FULL] = 1
        return tree
    slots, joints = tree.slots, tree.joints
    if len(slots) > 1:
        slots = np.full(2 * len(slots), -1, np.int32)
        refill(slots, tree.nodes["key"][: tree.used[USED_NODES]], -1)
    if len(joints) > 1:
        known = tree.joints[tree.joints["visits"] > 0]
        order = np.full(2 * len(joints), -1, np.int32)
        refill(order, known["key"], -1)
        joints = np.zeros(2 * len(joints), JOINT)
        joints[order >= 0] = known[order[order >= 0]]
    return tree._replace(edges=doubled(tree.edges), nodes=doubled(tree.nodes), slots=slots, joints=joints)


def doubled(array: np.ndarray) -> np.ndarray:
    larger = np.zeros(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


def refill(slots: np.ndarray, keys: np.ndarray, empty: int) -> None:
    """Enter the numbers of all keys into a larger hash table (vectorised probing, one round per collision)."""
    mask = np.int64(len(slots) - 1)
    waiting = np.arange(len(keys), dtype=np.int32)
    place = (keys & LOW_HALF).astype(np.int64) & mask
    while len(waiting):
        free = slots[place] == empty
        slots[place[free]] = waiting[free]
        settled = slots[place] == waiting
        waiting, place = waiting[~settled], (place[~settled] + 1) & mask


# --- nodes and edges ------------------------------------------------------------------------------


@inlined
def has_room(tree, edges):
    """Whether a node with that many edges fits; if not, remember that the tree should grow."""
    fits = tree.used[USED_EDGES] + edges <= len(tree.edges) and tree.used[USED_NODES] < len(tree.nodes)
    if not fits:
        tree.used[STARVED] = 1
    return fits


@inlined
def add_node(tree, visits):
    """A new node without edges."""
    node = tree.used[USED_NODES]
    tree.used[USED_NODES] = node + 1
    n = tree.nodes[node]
    n.visits = visits
    n.first = tree.used[USED_EDGES]
    n.count = 0
    return node


@inlined
def add_edge(tree, node, action, mover):
    """A new edge at the end of a node whose block is the last one."""
    edge = tree.used[USED_EDGES]
    tree.used[USED_EDGES] = edge + 1
    tree.nodes[node].count += 1
    e = tree.edges[edge]
    e.node = -1
    e.action = action
    e.mover = mover
    return edge


@inlined
def chain_edge(tree, node, action, mover):
    """A new edge before all others of a node whose edges are chained."""
    edge = add_edge(tree, node, action, mover)
    n = tree.nodes[node]
    tree.edges[edge].next = n.first if n.count > 1 else -1
    n.first = edge
    return edge


@rule
def move_to_end(tree, node):
    """Move a node's block of edges to the end, where it can grow."""
    n = tree.nodes[node]
    first = tree.used[USED_EDGES]
    for i in range(n.count):
        tree.edges[first + i] = tree.edges[n.first + i]
    n.first = first
    tree.used[USED_EDGES] = first + n.count


# --- tables ---------------------------------------------------------------------------------------


@inlined
def find_slot(tree, key):
    """The slot that holds the node of this key, or the free slot where it belongs."""
    mask = len(tree.slots) - 1
    slot = np.int64(key & LOW_HALF) & mask
    while tree.slots[slot] >= 0 and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & mask
    return slot


@rule
def find_joint(tree, key):
    """Where a joint action stands that was played before; -1 if it was not."""
    mask = len(tree.joints) - 1
    slot = np.int64(key & LOW_HALF) & mask
    while tree.joints[slot].visits > 0.0:
        if tree.joints[slot].key == key:
            return slot
        slot = (slot + 1) & mask
    return -1


@rule
def note_joint(tree, key, value):
    """Count the value of a joint action, unless there is no room before the tree grows."""
    mask = len(tree.joints) - 1
    slot = np.int64(key & LOW_HALF) & mask
    while tree.joints[slot].visits > 0.0 and tree.joints[slot].key != key:
        slot = (slot + 1) & mask
    joint = tree.joints[slot]
    if joint.visits == 0.0:
        if 2 * tree.used[USED_JOINTS] >= len(tree.joints):
            tree.used[STARVED] = 1
            return
        tree.used[USED_JOINTS] += 1
        joint.key = key
        joint.total = 0.0
    joint.total += value
    joint.visits += 1.0
