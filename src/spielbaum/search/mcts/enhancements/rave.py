"""`rave=k`: all moves as first, AMAF (Gelly & Silver 2011).

An action that its player chose later in the iteration also counts for the edges that would have played it first:

    Q becomes (1 - β)·Q + β·AMAF,   β = sqrt(k / (3N + k))
"""

import math

import numpy as np

from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.workspace import PATH

TRAIL = 4096


def fields(game, flags):
    players, codes = game.module.PLAYERS, game.module.ACTION_CODES
    return [
        ("action", "i4", TRAIL),  # all actions of the iteration
        ("player", "i4", TRAIL),
        ("start", "i4", PATH),  # where each step of the path stands among them
        ("length", "i8"),
        ("played", "i8", (players, codes)),  # marked with the running number of the iteration
        ("mark", "i8"),
    ]


COMPONENT = Component(
    "enhancement",
    params=(
        Param(
            "rave",
            0.0,
            "equivalence parameter of RAVE: visits at which AMAF counts half; 0 is off",
            low=0,
            tune=(3.0, 3000.0),
            log=True,
            when="rave",
        ),
    ),
    edge=(("total", "f4"), ("visits", "f4")),
    thread=fields,
    provides={"amaf"},
)


@inlined
def on_iteration_start(own):
    own.length = 0


@inlined
def on_edge(path_index, own):
    own.start[path_index] = own.length


@rule
def on_action(action, player, own):
    at = own.length
    if at < TRAIL:
        own.action[at] = action
        own.player[at] = player
        own.length = at + 1


@rule
def on_iteration_end(tree, work, own):
    """Credit the siblings whose action was played later by the same player."""
    own.mark += 1
    latest = own.length - 1
    for path_index in range(work.length - 1, -1, -1):
        while latest >= own.start[path_index]:
            own.played[own.player[latest], own.action[latest]] = own.mark
            latest -= 1
        n = tree.nodes[work.path_nodes[path_index]]
        edge = np.int64(n.first)
        for _ in range(n.count):
            e = tree.edges[edge]
            if own.played[e.mover, e.action] == own.mark:
                e.rave.visits += 1.0
                e.rave.total += work.values[e.mover]
            edge = children.after(tree, edge)


@rule
def mix_value(mean, e, low, width, visits, p):
    if e.rave.visits == 0.0:
        return mean
    share = math.sqrt(p.rave / (3.0 * visits + p.rave))
    amaf = (e.rave.total / e.rave.visits - low) / width
    return (1.0 - share) * mean + share * amaf


@inlined
def on_normalise(e):
    """All earlier iterations count as one."""
    if e.rave.visits > 0.0:
        e.rave.total /= e.rave.visits
        e.rave.visits = 1.0
