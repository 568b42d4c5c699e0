"""CFR+: counterfactual regret minimisation over the whole tree of a small game (Zinkevich et al. 2007; Tammelin 2014).

In every traversal each player in turn regrets, at everything they are shown, not to have played each action, weighted
by how likely chance and the others lead there; regrets below 0 are forgotten. The next strategy is proportional to
the regrets, and the average of all of them, the t-th with weight t and by how likely the player goes there, approaches
an equilibrium in games of two in which one wins what the other loses:

    R(I, a) ← max(0, R(I, a) + Σ_{h in I} π_{-i}(h)·(v(h, a) - v(h)))        σ(I, a) = R(I, a) / Σ_b R(I, b)
    S(I, a) ← S(I, a) + t·Σ_{h in I} π_i(h)·σ(I, a)

That needs views from which a player can tell all that they have seen and done; without, it is a heuristic.
"""

from __future__ import annotations

import numpy as np

from spielbaum.search.exploit import played, reaches
from spielbaum.search.extensive import Tree, Watch


def solve(tree: Tree, traversals: int, watch: Watch | None = None) -> np.ndarray:
    """A strategy near an equilibrium: a probability for each slot of the tree's views."""
    regrets, weights = np.zeros(tree.by_view.size), np.zeros(tree.by_view.size)
    for number in range(1, traversals + 1):
        for player in range(tree.game.players):
            strategy = tree.by_view.shares(regrets)
            gained, went = regret(tree, strategy, player)
            regrets = np.maximum(regrets + gained, 0.0)
            weights += number * went
        if watch is not None:
            watch(number)
    return tree.by_view.shares(weights)


def regret(tree: Tree, strategy: np.ndarray, player: int) -> tuple[np.ndarray, np.ndarray]:
    """What the player regrets about each action, and how likely it is played if the others lead there."""
    others, mine = reaches(tree, strategy, but=player), own_reaches(tree, strategy, player)
    gained, went = np.zeros(tree.by_view.size), np.zeros(tree.by_view.size)
    below = tree.levels[-1].returns[:, player]
    for depth in range(len(tree.levels) - 1, 0, -1):
        before, level = tree.levels[depth - 1], tree.levels[depth]
        chosen = played(tree, strategy, depth)
        value = np.bincount(level.parent, chosen * level.chance * below, len(before.player))
        here = np.flatnonzero(before.player[level.parent] == player)
        parent = level.parent[here]
        slot = before.view[parent] + level.choice[here]
        worth = others[depth - 1][parent] * level.chance[here] * (below[here] - value[parent])
        gained += np.bincount(slot, worth, len(gained))
        went += np.bincount(slot, level.chance[here] * mine[depth - 1][parent] * chosen[here], len(went))
        below = value + before.returns[:, player]
    return gained, went


def own_reaches(tree: Tree, strategy: np.ndarray, player: int) -> list[np.ndarray]:
    """How likely a player does all that leads to each position, level by level."""
    found = [np.ones(len(tree.levels[0].player))]
    for depth in range(1, len(tree.levels)):
        level = tree.levels[depth]
        own = tree.levels[depth - 1].player[level.parent] == player
        found.append(found[-1][level.parent] * np.where(own, played(tree, strategy, depth), 1.0))
    return found
