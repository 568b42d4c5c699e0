"""MCTS, phase 4: back up. What a simulation's value changes on the way up.

Each edge keeps the value of the player who moved there (max^n; negamax for two), so that every selection
maximises. How much a value counts is a part in `backup`; what else is learned from it, parts say in `learn`.
"""

from spielbaum.linked import ROUNDS, parts
from spielbaum.rules import inlined
from spielbaum.search.mcts.tree import DEEPEST, ROOT


@inlined
def backup(tree, depth, work, p):
    """Count the values of one leaf on the path that led to it."""
    tree.used[DEEPEST] = max(tree.used[DEEPEST], depth)
    tree.edges[ROOT].visits += parts.backup.weight(depth + 1, p)
    for entry in range(work.length):
        edge = work.path[entry]
        e = tree.edges[edge]
        value = work.values[e.mover]
        distance = depth - (work.step[entry] if ROUNDS else entry)
        share = parts.backup.weight(distance, p)
        e.visits += share
        e.total += value * share
        tree.nodes[work.at[entry]].visits += parts.backup.weight(distance + 1, p)
        parts.learn(tree, entry, edge, value, share, work, p)
