"""MCTS, phase 1: select. The loop over the children of a node; how they score is a part in `select`.

Q may be scaled (`value_range`), mixed with other values (`blend`) and added to (`bonus`) by modifiers.
"""

import numpy as np

from spielbaum.linked import BLENDED, BONUS, LIMITED, NORMALISED, OPEN_LOOP, SOLVES, children, parts
from spielbaum.rules import inlined

WORST = -1e300
ONE_DIVISION = getattr(parts.select, "ONE_DIVISION", False)
WANDERS = hasattr(parts.select, "wanders")
UNVISITED_FIRST = getattr(parts.select, "UNVISITED_FIRST", True)
SOME = OPEN_LOOP or LIMITED or SOLVES  # not all children are eligible

if hasattr(parts.select, "choose"):
    select = parts.select.choose
else:

    @inlined
    def select(tree, node, entry, work, p, rng):
        """The edge to follow from a node."""
        count = parts.limit(tree, node, p)
        if WANDERS and parts.select.wanders(p, rng):
            return children.random_child(tree, node, count, work, rng)
        return best_child(tree, node, count, work, p)


@inlined
def best_child(tree, node, count, work, p):
    """The eligible child with the best score, the first of equals."""
    n = tree.nodes[node]
    low, width = parts.value_range(tree, node, p)
    visits = max(n.visits, 1.0)
    explore = parts.select.explore(visits, p)
    edge = np.int64(n.first)
    best, best_score, seen = edge, WORST, 0
    for _ in range(n.count):
        e = tree.edges[edge]
        if not SOME or (seen < count and children.eligible(tree, edge, work)):
            seen += 1
            if UNVISITED_FIRST and e.visits == 0.0:
                return edge
            if OPEN_LOOP and e.available != visits:
                visits = max(float(e.available), 1.0)
                explore = parts.select.explore(visits, p)
            share = 1.0 / e.visits if UNVISITED_FIRST or e.visits > 0.0 else 0.0
            mean = e.total * share if ONE_DIVISION or e.visits == 0.0 else e.total / e.visits
            if NORMALISED and (UNVISITED_FIRST or e.visits > 0.0):
                mean = (mean - low) / width
            if BLENDED:
                mean = parts.blend(mean, tree, edge, low, width, visits, p)
            score = parts.select.score(e, mean, share, explore, p)
            if BONUS:
                score += parts.bonus(tree, edge, p)
            if score > best_score:
                best, best_score = edge, score
        edge = children.after(tree, edge)
    return best
