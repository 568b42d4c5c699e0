"""MCTS, phase 4: back up. What a simulation's value changes on the way up.

Each edge keeps the value of the player who moved there (max^n; negamax for two), so that every selection
maximises. How much a value counts is a component in `backup`; what else is learned from it, components say in `learn`.
"""

from spielbaum.linked import ROUNDS, components
from spielbaum.rules import inlined
from spielbaum.search.mcts.tree import DEEPEST, ROOT


@inlined
def backup(tree, depth, work, p):
    """Count the values of one leaf on the path that led to it."""
    tree.used[DEEPEST] = max(tree.used[DEEPEST], depth)
    tree.edges[ROOT].visits += components.backup.weight(depth + 1, p)
    for path_index in range(work.length):
        edge = work.path[path_index]
        e = tree.edges[edge]
        value = work.values[e.mover]
        distance = depth - (work.simultaneous.step[path_index] if ROUNDS else path_index)
        weight = components.backup.weight(distance, p)
        e.visits += weight
        e.total += value * weight
        tree.nodes[work.path_nodes[path_index]].visits += components.backup.weight(distance + 1, p)
        components.on_backup(tree, path_index, edge, value, weight, work, p)
