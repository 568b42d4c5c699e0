"""`difference`: what everybody has gained since the root, less what the opponents have (the Quick Civ thesis).

With ΔE = E(end) - E(root) of the evaluation E, winner bias w, N players, and * the opponent who is best off at the
end, the one with the largest E(end):

    V = ΔE_self - w·ΔE_* - Σ over the other opponents of ((1 - w) / N)·ΔE_i      (w = 0: ΔE_self;
    w = 1: ΔE_self - ΔE_*)
"""

from spielbaum.kernels import hooks
from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.workspace import ROOT_STATE

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


class EvaluationHost(Host):
    """Values are evaluations."""

    def value_hook(self):
        return "evaluate"


def fields(game, flags):
    players = game.module.PLAYERS
    return [("at_root", "f8", players), ("ends", "f8", players), ("gains", "f8", players)]


COMPONENT = Component(
    "value",
    params=PARAMS,
    thread=fields,
    provides={"evaluates"},
    needs=("a rule 'evaluate'",),
    host=EvaluationHost,
)


@inlined
def on_slice_start(t, states, work, own, p):
    for q in range(p.players):
        own.at_root[q] = hooks.evaluate(t, states[ROOT_STATE], work.weights, q)


@inlined
def value_of(t, s, work, own, p):
    for q in range(p.players):
        own.ends[q] = hooks.evaluate(t, s, work.weights, q)
        own.gains[q] = own.ends[q] - own.at_root[q]
    for q in range(p.players):
        work.result[q] = own.gains[q]
        if p.winner_bias > 0.0 and p.players > 1:
            work.result[q] -= of_opponents(own, q, p)


@rule
def of_opponents(own, me, p):
    """What the opponents' gains take away."""
    best, total = -1, 0.0
    for q in range(p.players):
        if q != me:
            total += own.gains[q]
            if best < 0 or own.ends[q] > own.ends[best]:
                best = q
    return p.winner_bias * own.gains[best] + (1.0 - p.winner_bias) / p.players * (total - own.gains[best])
