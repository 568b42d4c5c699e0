"""MCTS, phase 2: expand. How a decision gets its edges.

Edges of a node are made at once, in random order and unvisited, unless the component in `expand` makes each when it is
tried (LINKED_EDGES). Where actions differ from visit to visit (chance, hidden information, opponents resampled), a node
keeps the union of what it has seen, and only what is legal now for the player whose turn it is now is eligible:
after a roll of the dice the same path may lead to either.
"""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.linked import BATCHED, FILTERED, LIMITED, LINKED_EDGES, LISTS_ACTIONS, NETWORK, PRIOR, components
from spielbaum.rules import below, inlined, rule
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.tree import FULL, add_edge, add_node, has_room, move_to_end


@inlined
def legal_in_tree(t, s, mover, out, work, p):
    """The legal actions that the chosen filters keep; all of them where none would be left."""
    n = hooks.legal_of(t, s, mover, out)
    if not FILTERED:
        return n
    kept = 0
    for i in range(n):
        if kept_by_all(t, s, mover, out[i], work, p):
            out[i], out[kept] = out[kept], out[i]
            kept += 1
    return kept if kept > 0 else n


@rule
def kept_by_all(t, s, mover, action, work, p):
    which, filters = 0, p.filters
    while filters > 0:
        if filters & 1 and not hooks.keep_of(t, s, mover, which, action, work.weights):
            return False
        which += 1
        filters >>= 1
    return True


@inlined
def expand(t, s, tree, work, visits, mover, p, rng):
    """A new node, with all its edges unless they are chained, or -1 where the tree has no room."""
    if tree.used[FULL]:
        return -1
    if LINKED_EDGES:
        return add_node(tree, visits) if has_room(tree, 1) else -1
    if LISTS_ACTIONS:
        n = components.expand.list_actions(t, s, mover, work.buffer)
    else:
        n = legal_in_tree(t, s, mover, work.buffer, work, p)
    if not has_room(tree, n):
        return -1
    if not LISTS_ACTIONS:
        arrange(t, s, mover, work, n, p, rng)
    node = add_node(tree, visits)
    for i in range(n):
        edge = add_edge(tree, node, work.buffer[i], mover)
        if PRIOR:
            tree.edges[edge].prior = work.priors[i]
    return node


@inlined
def arrange(t, s, mover, work, n, p, rng):
    """Shuffle the actions, find their priors, and put preferred ones first for widening."""
    buffer = work.buffer
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        buffer[i], buffer[j] = buffer[j], buffer[i]
    if PRIOR:
        if NETWORK or BATCHED:
            components.value.priors(t, s, mover, work, n)
        else:
            hooks.prior_of(t, s, mover, buffer, n, work.priors, work.weights)
        if LIMITED:
            sort_by_prior(buffer, work.priors, n)


@rule
def sort_by_prior(buffer, priors, n):
    for i in range(1, n):
        j = i
        while j > 0 and priors[j] > priors[j - 1]:
            buffer[j], buffer[j - 1] = buffer[j - 1], buffer[j]
            priors[j], priors[j - 1] = priors[j - 1], priors[j]
            j -= 1


@rule
def refresh(t, s, tree, node, work, mover, p, rng):
    """Mark what is legal now, and give the node edges for what it has not met before.

    False where nothing legal has an edge, which happens only in a full tree.
    """
    work.now += 1
    work.mover = mover
    n = legal_in_tree(t, s, mover, work.buffer, work, p)
    for i in range(n):
        work.stamps[work.buffer[i]] = work.now
    new = n - count_available(tree, node, work)
    if new == 0 or LINKED_EDGES:
        return True
    if tree.used[FULL] or not has_room(tree, tree.nodes[node].count + new):
        return new < n
    mark_known(tree, node, work)
    arrange(t, s, mover, work, n, p, rng)
    move_to_end(tree, node)
    for i in range(n):
        if work.known[work.buffer[i]] != work.look:
            edge = add_edge(tree, node, work.buffer[i], mover)
            tree.edges[edge].available = 1.0
            if PRIOR:
                tree.edges[edge].prior = work.priors[i]
    return True


@inlined
def count_available(tree, node, work):
    """Count the node's edges that are legal now, each of which was available once more."""
    n = tree.nodes[node]
    found = 0
    edge = np.int64(n.first)
    for _ in range(n.count):
        if children.is_available(tree, edge, work):
            found += 1
            tree.edges[edge].available += 1.0
        edge = children.after(tree, edge)
    return found


@rule
def mark_known(tree, node, work):
    work.look += 1
    n = tree.nodes[node]
    for edge in range(n.first, n.first + n.count):
        if tree.edges[edge].mover == work.mover:
            work.known[tree.edges[edge].action] = work.look
