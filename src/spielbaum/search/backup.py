"""MCTS, phase 4: back up. What a simulation's value changes on the way up.

Each edge keeps the value of the player who moved there (max^n; negamax for two), so that every
selection maximises. `mean` adds the value v and one visit. `vanishing` (the Quick Civ thesis) lets
what is far below count less: with d the distance from the leaf, from 1 upwards, v/(k·d) and 1/(k·d).

Under RAVE an action that its player chose later in the iteration also counts for the edges that
would have played it first (all moves as first: Gelly & Silver 2011).
"""

from __future__ import annotations

from spielbaum.rules import inlined, rule
from spielbaum.search.settings import UCB1_TUNED
from spielbaum.search.tree import DEEPEST, ROOT
from spielbaum.search.work import TRAIL


@inlined
def backup(tree, depth, work, p):
    """Count the values of one leaf on the path that led to it."""
    tree.used[DEEPEST] = max(tree.used[DEEPEST], depth)
    tree.edges[ROOT].visits += weight(depth + 1, p)
    for step in range(depth):
        edge = work.path[step]
        e = tree.edges[edge]
        value = work.values[e.mover]
        share = weight(depth - step, p)
        e.visits += share
        e.total += value * share
        tree.nodes[work.at[step]].visits += weight(depth - step + 1, p)
        if p.select == UCB1_TUNED:
            tree.extras[edge].squares += value * value * share


@inlined
def weight(distance, p):
    return 1.0 / (p.vanishing * distance) if p.vanishing > 0.0 else 1.0


@rule
def note(work, action, player, p):
    """Write an action of the iteration down, where RAVE will ask for it."""
    at = work.trail_length
    if p.rave > 0.0 and at < TRAIL:
        work.trail_action[at] = action
        work.trail_player[at] = player
        work.trail_length = at + 1


@rule
def backup_amaf(tree, depth, work):
    """All moves as first: credit the siblings whose action was played later by the same player."""
    work.mark += 1
    latest = work.trail_length - 1
    for step in range(depth - 1, -1, -1):
        while latest >= work.trail_start[step]:
            work.played[work.trail_player[latest], work.trail_action[latest]] = work.mark
            latest -= 1
        n = tree.nodes[work.at[step]]
        for edge in range(n.first, n.first + n.count):
            e = tree.edges[edge]
            if work.played[e.mover, e.action] == work.mark:
                x = tree.extras[edge]
                x.amaf_visits += 1.0
                x.amaf_total += work.values[e.mover]
