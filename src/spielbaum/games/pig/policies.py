"""How to play Pig without thinking, and how well a game of Pig is going.

To hold at 20 is the best rule for points: from there on a roll is expected to lose 20/6 and to win
20/6. It is not the best way to win (T. Neller & C. Presser, "Optimal Play of the Dice Game Pig",
The UMAP Journal 25, 2004).
"""

from __future__ import annotations

from spielbaum.games.pig.rules import HOLD, ROLL
from spielbaum.params import Param
from spielbaum.rules import rule

POLICIES = ("hold-at-20",)
ENOUGH = 20

WEIGHTS = (Param("risk", 0.5, "worth of a point of the turn's total against a banked one", low=0, high=1),)


@rule
def policy(t, s, which, rng):
    """`hold-at-20`: roll until the turn's total is 20, or enough to win."""
    if s.total >= ENOUGH or s.score[s.to_move] + s.total >= t.target:
        return HOLD
    return ROLL


@rule
def evaluate(t, s, weights, player):
    """The lead in points, as a share of the target."""
    lead = s.score[player] - s.score[1 - player]
    at_risk = weights[0] * s.total
    return (lead + at_risk if s.to_move == player else lead - at_risk) / t.target
