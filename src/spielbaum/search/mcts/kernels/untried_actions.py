"""Actions that a node has not tried yet, drawn without listing all that are legal."""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.linked import FILTERED, OPEN_LOOP
from spielbaum.rules import below, inlined, rule
from spielbaum.search.mcts.kernels import children, edges
from spielbaum.search.mcts.tree import chain_edge

DRAWS = 8  # that are in vain before all actions are listed


def fields(game, flags):
    """What a component that uses this keeps with a thread: when an action was last found to be tried."""
    return [("tried", "i8", game.module.ACTION_CODES), ("mark", "i8")]


@inlined
def new_edge(tree, node, action, mover):
    edge = chain_edge(tree, node, action, mover)
    if OPEN_LOOP:
        tree.edges[edge].available = 1.0
    return edge


@rule
def draw(t, s, tree, node, mover, work, own, p, rng):
    """A uniformly random untried action that the filters keep, -1 when each has been tried."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if FILTERED and not edges.kept_by_all(t, s, mover, action, work, p):
            continue
        if children.child_of(tree, node, action, mover) < 0:
            return action
    mark_tried(tree, node, mover, own)
    return listed(t, s, mover, work, own, p, rng)


@rule
def listed(t, s, mover, work, own, p, rng):
    """A uniformly random one of the kept actions that are not marked as tried, -1 where there is none."""
    n = edges.legal_in_tree(t, s, mover, work.buffer, work, p)
    chosen, found = -1, 0
    for i in range(n):
        if own.tried[work.buffer[i]] != own.mark:
            found += 1
            if below(rng, found) == 0:
                chosen = work.buffer[i]
    return chosen


@rule
def unmarked(t, s, mover, work, own, p, rng):
    """The same, drawn without a list as long as draws succeed."""
    for _ in range(DRAWS):
        action = np.int64(hooks.sample_of(t, s, mover, work.spare, rng))
        if own.tried[action] != own.mark and (not FILTERED or edges.kept_by_all(t, s, mover, action, work, p)):
            return action
    return listed(t, s, mover, work, own, p, rng)


@rule
def mark_tried(tree, node, mover, own):
    """Mark all that the mover has tried: to look for each action in the chain would take the square of the time."""
    own.mark += 1
    edge = np.int64(tree.nodes[node].first)
    for _ in range(tree.nodes[node].count):
        if tree.edges[edge].mover == mover:
            own.tried[tree.edges[edge].action] = own.mark
        edge = children.after(tree, edge)


@rule
def any_kept(t, s, mover, work, p, rng):
    """A uniformly random action that the filters keep, tried or not."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if edges.kept_by_all(t, s, mover, action, work, p):
            return action
    return work.buffer[below(rng, edges.legal_in_tree(t, s, mover, work.buffer, work, p))]
