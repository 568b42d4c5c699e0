"""MCTS, phase 1: select. The loop over the children of a node; how they score is a component in `select`.

Q may be scaled (`value_range`), mixed with other values (`blend`) and added to (`bonus`) by modifiers.
"""

import numpy as np

from spielbaum.linked import BONUS, LIMITED, MIXES, NORMALISED, OPEN_LOOP, SOLVES, components
from spielbaum.rules import inlined
from spielbaum.search.mcts.kernels import children

WORST = -1e300
ONE_DIVISION = getattr(components.select, "ONE_DIVISION", False)
WANDERS = hasattr(components.select, "wanders")
UNVISITED_FIRST = getattr(components.select, "UNVISITED_FIRST", True)
SOME = OPEN_LOOP or LIMITED or SOLVES  # not all children are eligible

if hasattr(components.select, "choose"):
    select = components.select.choose
else:

    @inlined
    def select(tree, node, path_index, work, p, rng):
        """The edge to follow from a node."""
        count = components.child_limit(tree, node, p)
        if WANDERS and components.select.wanders(p, rng):
            return children.random_child(tree, node, count, work, rng)
        return best_child(tree, node, count, work, p)


@inlined
def best_child(tree, node, count, work, p):
    """The eligible child with the best score, the first of equals."""
    n = tree.nodes[node]
    low, width = components.value_range(tree, node, p)
    visits = max(n.visits, 1.0)
    explore = components.select.explore(visits, p)
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
                explore = components.select.explore(visits, p)
            inverse_visits = 1.0 / e.visits if UNVISITED_FIRST or e.visits > 0.0 else 0.0
            mean = e.total * inverse_visits if ONE_DIVISION or e.visits == 0.0 else e.total / e.visits
            if NORMALISED and (UNVISITED_FIRST or e.visits > 0.0):
                mean = (mean - low) / width
            if MIXES:
                mean = components.mix_value(mean, tree, edge, low, width, visits, p)
            score = components.select.score(e, mean, inverse_visits, explore, p)
            if BONUS:
                score += components.selection_bonus(tree, edge, p)
            if score > best_score:
                best, best_score = edge, score
        edge = children.after(tree, edge)
    return best
