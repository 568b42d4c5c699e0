"""`draw`: as `one`, but an edge is made only when it is tried: for nodes with a thousand legal actions.

An untried action is drawn with the game's `sample`, rejecting what was tried or what a filter strikes off. After
some rejections in a row all are listed: then few are left, or none, and the node is complete.
"""

from spielbaum.linked import children, edges, hooks, parts
from spielbaum.rules import below, inlined, rule
from spielbaum.search.mcts.tree import FULL, chain_edge, has_room
from spielbaum.search.mcts.work import NOW

CHAINED = True
NODE = (("complete", "i8"),)
DRAWS = 8


def objection(game, values):
    if values["select"] == "puct" or values["bias"] > 0:
        return "expand=draw makes children when they are tried; puct and bias compare all: use expand=all"
    return None


@rule
def untried(t, states, tree, node, mover, work, p, rng):
    n = tree.nodes[node]
    if n.count == 0:
        n.complete = 0
    if (parts.LIMITED and n.count >= parts.limit(tree, node, p)) or (n.complete and not parts.OPEN_LOOP) or tree.used[FULL]:
        return -1
    if not has_room(tree, 1):
        return -1
    action = drawn(t, states[NOW], tree, node, mover, work, p, rng)
    if action < 0:
        n.complete = 1
        return -1
    return new_edge(tree, node, action, mover)


@inlined
def new_edge(tree, node, action, mover):
    edge = chain_edge(tree, node, action, mover)
    if parts.OPEN_LOOP:
        tree.edges[edge].available = 1.0
    return edge


@rule
def drawn(t, s, tree, node, mover, work, p, rng):
    """A uniformly random untried action that the filters keep, -1 when each has been tried."""
    for _ in range(DRAWS):
        action = hooks.sample_of(t, s, mover, work.spare, rng)
        if parts.FILTERED and not edges.kept_by_all(t, s, mover, action, work, p):
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
