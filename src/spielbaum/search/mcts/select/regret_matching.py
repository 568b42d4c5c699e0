"""`regret-matching`: drawn in proportion to how much one regrets not having played a move (Hart & Mas-Colell 2000).

    σ = (1 - γ)·R⁺/ΣR⁺ + γ/K  (R⁺/ΣR⁺ is uniform where nothing is regretted)

with the cumulative regret R_k of an own move. The average of all R⁺/ΣR⁺ approaches an equilibrium in games of two;
`decide=mix` draws from it.

In rounds (Lanctot, Wittlinger, Winands & Den Teuling 2013), with the mean reward M of each joint move:

    after reward r of the joint move (m, n):   R_i += M(i, n) - r   for each own i ≠ m

n is the joint choice of all others, as it was seen, for two players and for more; where (i, n) was never
played, the mean of i over all that was seen stands in.

In turns the others answer, and answer better and better, so that means of the past are no measure: they are the
baseline of an unbiased estimate (outcome sampling: Lanctot, Waugh, Zinkevich & Bowling 2009; with baselines: Schmid
et al. 2019). With π = R⁺/ΣR⁺, which is what players would draw from if they did not have to explore:

    after reward r of the move m:   Q_m = M(m) + α·(r - M(m))/σ_m, Q_i = M(i) for i ≠ m
                                    R_i += β·(Q_i - Σ_k π_k·Q_k)

α is the product of π/σ over all that was drawn after m, and β over what others have drawn before. Later strategies
count more in the average, in proportion to the visits.
"""

import numpy as np

from spielbaum.linked import ROUNDS
from spielbaum.rules import inlined, mix, rule, uniform
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.select import GAMMA
from spielbaum.search.mcts.tree import find_joint, note_joint
from spielbaum.search.mcts.workspace import PATH


class RegretHost(Host):
    """The average strategy is what to play."""

    def strategy(self, tree, edges):
        return self.edge_field(tree, "strategy", edges)


COMPONENT = Component(
    "select",
    params=(GAMMA,),
    edge=(("regret", "f8"), ("strategy", "f8")),
    thread=lambda game, flags: [
        ("meant", "f8", PATH),  # how likely each choice of this iteration was, had nobody explored
        ("drawn", "f8", PATH),  # and how likely it was
    ],
    provides={"joints", "keyed", "from-start", "mixed-selection"},
    host=RegretHost,
)


@rule
def choose(tree, node, path_index, work, own, p, rng):
    n = tree.nodes[node]
    count, total = 0, 0.0
    edge = int(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            count += 1
            total += max(tree.edges[edge].regret_matching.regret, 0.0)
        edge = children.after(tree, edge)
    weight = 1.0 if ROUNDS else n.visits + 1.0
    u, chosen = uniform(rng), -1
    edge = int(n.first)
    for _ in range(n.count):
        e = tree.edges[edge]
        if children.eligible(tree, edge, work):
            plain = max(e.regret_matching.regret, 0.0) / total if total > 0.0 else 1.0 / count
            e.regret_matching.strategy += weight * plain
            if u >= 0.0:
                chosen = edge
                own.meant[path_index] = plain
                own.drawn[path_index] = (1.0 - p.gamma) * plain + p.gamma / count
                u -= own.drawn[path_index]
        edge = children.after(tree, edge)
    return chosen


@rule
def on_backup(tree, path_index, edge, value, work, own):
    """Regret what was not played against what the others did."""
    if ROUNDS:
        regret_joint(tree, path_index, edge, value, work)
    else:
        regret_alone(tree, path_index, edge, value, work, own)


@inlined
def regret_joint(tree, path_index, edge, value, work):
    """The others have chosen at the same time."""
    n = tree.nodes[work.path_nodes[path_index]]
    against = work.simultaneous.others[path_index]
    note_joint(tree, mix(against, tree.edges[edge].action), value)
    sibling = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[sibling]
        if sibling != edge and e.mover == tree.edges[edge].mover:
            found = find_joint(tree, mix(against, e.action))
            if found >= 0:
                e.regret_matching.regret += tree.joints[found].total / tree.joints[found].visits - value
            elif e.visits > 0.0:
                e.regret_matching.regret += e.total / e.visits - value
        sibling = children.after(tree, sibling)


@inlined
def regret_alone(tree, path_index, edge, value, work, own):
    """The others answer."""
    n, mover = tree.nodes[work.path_nodes[path_index]], tree.edges[edge].mover
    before, after = (
        unexplored(tree, work, own, 0, path_index, mover),
        unexplored(tree, work, own, path_index + 1, work.length, -1),
    )
    count, total, expected = 0, 0.0, 0.0
    sibling = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[sibling]
        if e.mover == mover:
            count += 1
            total += max(e.regret_matching.regret, 0.0)
        sibling = children.after(tree, sibling)
    sibling = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[sibling]
        if e.mover == mover:
            expected += mean_of(e) * (max(e.regret_matching.regret, 0.0) / total if total > 0.0 else 1.0 / count)
        sibling = children.after(tree, sibling)
    surprise = after * (value - mean_of(tree.edges[edge])) / own.drawn[path_index]
    expected += own.meant[path_index] * surprise
    tree.edges[edge].regret_matching.regret += before * surprise
    sibling = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[sibling]
        if e.mover == mover:
            e.regret_matching.regret += before * (mean_of(e) - expected)
        sibling = children.after(tree, sibling)


@inlined
def mean_of(e):
    return e.total / e.visits if e.visits > 0.0 else 0.0


@rule
def unexplored(tree, work, own, begin, end, but):
    """How much likelier some choices of this iteration were, all but one player's, had nobody explored."""
    ratio = 1.0
    for path_index in range(begin, end):
        if tree.edges[work.path[path_index]].mover != but:
            ratio *= own.meant[path_index] / own.drawn[path_index]
    return ratio


@inlined
def on_normalise(e, visits):
    e.regret_matching.regret /= visits
    e.strategy /= visits
