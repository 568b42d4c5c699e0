"""`rave=k`: all moves as first, AMAF (Gelly & Silver 2011).

An action that its player chose later in the iteration also counts for the edges that would have played it first:

    Q becomes (1 - β)·Q + β·AMAF,   β = sqrt(k / (3N + k))
"""

import math

import numpy as np

from spielbaum.linked import children
from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.work import PATH

PARAMS = (
    Param(
        "rave",
        0.0,
        "equivalence parameter of RAVE: visits at which AMAF counts half; 0 is off",
        low=0,
        tune=(3.0, 3000.0),
        log=True,
        when="rave",
    ),
)
EDGE = (("amaf_total", "f4"), ("amaf_visits", "f4"))
TRAIL = 4096


def work(game):
    players, codes = game.module.PLAYERS, game.module.ACTION_CODES
    return [
        ("trail_action", "i4", TRAIL),  # all actions of the iteration
        ("trail_player", "i4", TRAIL),
        ("trail_start", "i4", PATH),  # where each step of the path stands in the trail
        ("trail_length", "i8"),
        ("played", "i8", (players, codes)),  # marked with the running number of the iteration
        ("mark", "i8"),
    ]


@inlined
def depart(work, p):
    work.trail_length = 0


@inlined
def stepped(work, entry, p):
    work.trail_start[entry] = work.trail_length


@rule
def noted(work, action, player, p):
    at = work.trail_length
    if at < TRAIL:
        work.trail_action[at] = action
        work.trail_player[at] = player
        work.trail_length = at + 1


@rule
def finish(tree, work, p):
    """Credit the siblings whose action was played later by the same player."""
    work.mark += 1
    latest = work.trail_length - 1
    for entry in range(work.length - 1, -1, -1):
        while latest >= work.trail_start[entry]:
            work.played[work.trail_player[latest], work.trail_action[latest]] = work.mark
            latest -= 1
        n = tree.nodes[work.at[entry]]
        edge = np.int64(n.first)
        for _ in range(n.count):
            e = tree.edges[edge]
            if work.played[e.mover, e.action] == work.mark:
                e.amaf_visits += 1.0
                e.amaf_total += work.values[e.mover]
            edge = children.after(tree, edge)


@rule
def blend(mean, tree, edge, low, width, visits, p):
    e = tree.edges[edge]
    if e.amaf_visits == 0.0:
        return mean
    share = math.sqrt(p.rave / (3.0 * visits + p.rave))
    amaf = (e.amaf_total / e.amaf_visits - low) / width
    return (1.0 - share) * mean + share * amaf


@inlined
def normalised(e, visits):
    """All earlier iterations count as one."""
    if e.amaf_visits > 0.0:
        e.amaf_total /= e.amaf_visits
        e.amaf_visits = 1.0
