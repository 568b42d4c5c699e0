"""Actions that a node has not tried yet, drawn without listing all that are legal."""

import numpy as np

from spielbaum.linked import FILTERED, OPEN_LOOP, children, edges, hooks
from spielbaum.rules import below, inlined, rule
from spielbaum.search.mcts.tree import chain_edge

DRAWS = 8  # that are in vain before all actions are listed


@inlined
def new_edge(tree, node, action, mover):
    edge = chain_edge(tree, node, action, mover)
    if OPEN_LOOP:
        tree.edges[edge].available = 1.0
    return edge


@rule
def drawn(t, s, tree, node, mover, work, p, rng):
    """A uniformly random untried action that the filters keep, -1 when each has been tried."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if FILTERED and not edges.kept_by_all(t, s, mover, action, work, p):
            continue
        if children.child_of(tree, node, action, mover) < 0:
            return action
    mark_tried(tree, node, mover, work)
    return listed(t, s, mover, work, p, rng)


@rule
def listed(t, s, mover, work, p, rng):
    """A uniformly random one of the kept actions that are not marked as tried, -1 where there is none."""
    n = edges.legal_in_tree(t, s, mover, work.buffer, work, p)
    chosen, found = -1, 0
    for i in range(n):
        if work.tried[work.buffer[i]] != work.mark:
            found += 1
            if below(rng, found) == 0:
                chosen = work.buffer[i]
    return chosen


@rule
def unmarked(t, s, mover, work, p, rng):
    """The same, drawn without a list as long as draws succeed."""
    for _ in range(DRAWS):
        action = np.int64(hooks.sample_of(t, s, mover, work.spare, rng))
        if work.tried[action] != work.mark and (not FILTERED or edges.kept_by_all(t, s, mover, action, work, p)):
            return action
    return listed(t, s, mover, work, p, rng)


@rule
def mark_tried(tree, node, mover, work):
    """Mark all that the mover has tried: to look for each action in the chain would take the square of the time."""
    work.mark += 1
    edge = np.int64(tree.nodes[node].first)
    for _ in range(tree.nodes[node].count):
        if tree.edges[edge].mover == mover:
            work.tried[tree.edges[edge].action] = work.mark
        edge = children.after(tree, edge)


@rule
def any_kept(t, s, mover, work, p, rng):
    """A uniformly random action that the filters keep, tried or not."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if edges.kept_by_all(t, s, mover, action, work, p):
            return action
    return work.buffer[below(rng, edges.legal_in_tree(t, s, mover, work.buffer, work, p))]
