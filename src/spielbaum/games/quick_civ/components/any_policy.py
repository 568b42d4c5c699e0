"""`any-policy`: the four tree policies of the thesis (section 3.2.2), of which `tree-policy` chooses one.

random          any child
greedy          the child with the largest Q
epsilon-greedy  with probability epsilon any child, otherwise the one with the largest Q
ucb1            (Q - Qmin) / (Qmax - Qmin) + C·sqrt(ln N / n)
"""

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import rule, uniform
from spielbaum.search.kernels import ucb1
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import children

POLICIES = ("random", "greedy", "epsilon-greedy", "ucb1")
"""In the order of the thesis, whose figures give their numbers."""
RANDOM, GREEDY, EPSILON_GREEDY, UCB1 = range(len(POLICIES))
LARGE = 1e300


class PolicyHost(Host):
    """Tells the kernel the policy."""

    def on_new_tree(self, tree):
        self.own(tree)["policy"] = POLICIES.index(self.values["tree-policy"])


COMPONENT = Component(
    "select",
    params=(
        Param("tree-policy", "greedy", "select=any-policy: how to go down the tree", choices=POLICIES),
        Param("tree-c", 1.4, "select=any-policy: exploration constant of ucb1", low=0, when="tree-policy=ucb1"),
        Param(
            "tree-epsilon",
            0.1,
            "select=any-policy: share of random choices of epsilon-greedy; above 1 all of them",
            low=0,
            high=2,
            when="tree-policy=epsilon-greedy",
        ),
    ),
    thread=lambda game, flags: [("policy", "i8")],
    excludes={"open-loop", "limited", "solves", "normalised"},
    host=PolicyHost,
)


@rule
def choose(tree, node, work, own, p, rng):
    n = tree.nodes[node]
    if own.policy == RANDOM or (own.policy == EPSILON_GREEDY and uniform(rng) < p.tree_epsilon):
        return children.random_child(tree, node, np.int64(n.count), work, rng)
    if own.policy == UCB1:
        low, width = spread(tree, n)
        return best(tree, n, low, width, ucb1.exploration(p.tree_c, max(n.visits, 1.0)))
    return best(tree, n, 0.0, 1.0, 0.0)


@rule
def best(tree, n, low, width, explore):
    """The child with the largest score, the first of equals; one without visits before all others."""
    edge = np.int64(n.first)
    found, highest = edge, -LARGE
    for _ in range(n.count):
        e = tree.edges[edge]
        if e.visits == 0.0:
            return edge
        score = ucb1.score((e.total / e.visits - low) / width, 1.0 / e.visits, explore)
        if score > highest:
            found, highest = edge, score
        edge = children.after(tree, edge)
    return found


@rule
def spread(tree, n):
    """The smallest mean of a node's children, and how far the largest lies above it."""
    low, high = LARGE, -LARGE
    edge = np.int64(n.first)
    for _ in range(n.count):
        e = tree.edges[edge]
        if e.visits > 0.0:
            low, high = min(low, e.total / e.visits), max(high, e.total / e.visits)
        edge = children.after(tree, edge)
    return low, (high - low if high > low else 1.0)
