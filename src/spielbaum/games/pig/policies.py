"""How to play Pig without looking ahead.

To hold at 20 is the best rule for points: from there on a roll is expected to lose as much as it
wins. It is not the best way to win the game (T. Neller & C. Presser, "Optimal Play of the Dice Game
Pig", The UMAP Journal 25, 2004). Who plays to win rolls for the target as soon as somebody is close to
it, and until then takes more risk the further they are behind ("Practical Play of the Dice Game Pig",
The UMAP Journal 31, 2010): optimal play wins no more than 50.5 % against it.
"""

from __future__ import annotations

from spielbaum.games.pig.rules import HOLD, ROLL
from spielbaum.rules import rule

POLICIES = ("hold-at-20", "race-or-pace")
HOLD_AT_20, RACE_OR_PACE = range(2)

ENOUGH = 20
LAST_STRETCH = 29  # to the target: the race is on
PACE, PER_STEP = 21, 8  # hold at 21, and one more for every 8 points behind


@rule
def policy(t, s, which):
    """Hold at 20, or end the race and keep pace until then; and always hold to win."""
    own, other = s.score[s.to_move], s.score[1 - s.to_move]
    if own + s.total >= t.target:
        return HOLD
    if which == HOLD_AT_20:
        return HOLD if s.total >= ENOUGH else ROLL
    if max(own, other) >= t.target - LAST_STRETCH:
        return ROLL
    return HOLD if s.total >= PACE + (other - own + PER_STEP // 2) // PER_STEP else ROLL
