"""`difference`: what everybody has gained since the root, less what the opponents have (the Quick Civ thesis).

With ΔE = E(end) - E(root) of the evaluation E, winner bias w, N players, and * the opponent who is best off at the
end, the one with the largest E(end):

    V = ΔE_self - w·ΔE_* - Σ over the other opponents of ((1 - w) / N)·ΔE_i      (w = 0: ΔE_self;
    w = 1: ΔE_self - ΔE_*)
"""

from spielbaum.linked import hooks
from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.work import ROOT_STATE

PARAMS = (
    Param(
        "winner-bias",
        0.0,
        "weight of the best opponent in `value=difference`",
        low=0,
        high=1,
        tune=(0.0, 1.0),
        when="value=difference",
    ),
)
EVALUATES = True


def work(game):
    players = game.module.PLAYERS
    return [("at_root", "f8", players), ("ends", "f8", players), ("gains", "f8", players)]


@inlined
def begin(t, states, work, p):
    for q in range(p.players):
        work.at_root[q] = hooks.evaluate(t, states[ROOT_STATE], work.weights, q)


@inlined
def value_of(t, s, work, p):
    for q in range(p.players):
        work.ends[q] = hooks.evaluate(t, s, work.weights, q)
        work.gains[q] = work.ends[q] - work.at_root[q]
    for q in range(p.players):
        work.result[q] = work.gains[q]
        if p.winner_bias > 0.0 and p.players > 1:
            work.result[q] -= of_opponents(work, q, p)


@rule
def of_opponents(work, me, p):
    """What the opponents' gains take away."""
    best, total = -1, 0.0
    for q in range(p.players):
        if q != me:
            total += work.gains[q]
            if best < 0 or work.ends[q] > work.ends[best]:
                best = q
    return p.winner_bias * work.gains[best] + (1.0 - p.winner_bias) / p.players * (total - work.gains[best])
