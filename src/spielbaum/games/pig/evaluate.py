"""The worth of a position of Pig: who is ahead, and by how much."""

from __future__ import annotations

from spielbaum.games.pig.rules import Tables
from spielbaum.params import Param
from spielbaum.rules import rule

WEIGHTS = (
    Param("risk", 0.5, "a point of the turn's total, against 1 for a banked point", low=0, high=1, tune=(0.0, 1.0)),
)
RISK = 0


def units(t: Tables) -> dict[str, tuple[str, float]]:
    """The lead in points."""
    return {"evaluate": ("points", t.target)}


@rule
def evaluate(t, s, weights, player):
    lead = s.score[player] - s.score[1 - player]
    at_risk = weights[RISK] * s.total
    return (lead + at_risk if s.to_move == player else lead - at_risk) / t.target
