"""`regret-matching`: drawn in proportion to how much one regrets not having played a move (Hart & Mas-Colell 2000).

As a selection in trees of simultaneous moves: Lanctot, Wittlinger, Winands & Den Teuling 2013. With the cumulative
regret R_k of an own move and the mean reward M of each joint move:

    σ = (1 - γ)·R⁺/ΣR⁺ + γ/K  (R⁺/ΣR⁺ is uniform where nothing is regretted)
    after reward r of the joint move (m, n):   R_i += M(i, n) - r   for each own i ≠ m

n is the joint choice of all others, as it was seen, for two players and for more; where (i, n) was never
played, the mean of i over all that was seen stands in. The average of all σ approaches an equilibrium in games of
two; `decide=mix` draws from it.
"""

import numpy as np

from spielbaum.linked import ROUNDS, children
from spielbaum.rules import FIRST_KEY, inlined, mix, rule, uniform
from spielbaum.search.mcts.select import GAMMA
from spielbaum.search.mcts.tree import find_joint, note_joint

PARAMS = (GAMMA,)
EDGE = (("regret", "f8"), ("strategy", "f8"))
JOINTS = True
KEYED = True


@rule
def choose(tree, node, entry, work, p, rng):
    n = tree.nodes[node]
    count, total = 0, 0.0
    edge = np.int64(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            count += 1
            total += max(tree.edges[edge].regret, 0.0)
        edge = children.after(tree, edge)
    u, chosen = uniform(rng), -1
    edge = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[edge]
        if children.eligible(tree, edge, work):
            plain = max(e.regret, 0.0) / total if total > 0.0 else 1.0 / count
            e.strategy += plain
            if u >= 0.0:
                chosen = edge
                u -= (1.0 - p.gamma) * plain + p.gamma / count
        edge = children.after(tree, edge)
    return chosen


@rule
def learn(tree, entry, edge, value, share, work, p):
    """Regret what was not played against what the others did."""
    n = tree.nodes[work.at[entry]]
    against = work.others[entry] if ROUNDS else mix(FIRST_KEY, work.at[entry])
    note_joint(tree, mix(against, tree.edges[edge].action), value)
    sibling = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[sibling]
        if sibling != edge and e.mover == tree.edges[edge].mover:
            found = find_joint(tree, mix(against, e.action))
            if found >= 0:
                e.regret += tree.joints[found].total / tree.joints[found].visits - value
            elif e.visits > 0.0:
                e.regret += e.total / e.visits - value
        sibling = children.after(tree, sibling)


@inlined
def normalised(e, visits):
    e.regret /= visits
    e.strategy /= visits
