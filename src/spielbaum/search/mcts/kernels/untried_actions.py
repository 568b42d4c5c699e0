"""Actions that a node has not tried yet, drawn without listing all that are legal."""

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
    n = edges.legal_in_tree(t, s, mover, work.buffer, work, p)
    chosen, found = -1, 0
    for i in range(n):
        if children.child_of(tree, node, work.buffer[i], mover) < 0:
            found += 1
            if below(rng, found) == 0:
                chosen = work.buffer[i]
    return chosen


@rule
def any_kept(t, s, mover, work, p, rng):
    """A uniformly random action that the filters keep, tried or not."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if edges.kept_by_all(t, s, mover, action, work, p):
            return action
    return work.buffer[below(rng, edges.legal_in_tree(t, s, mover, work.buffer, work, p))]
