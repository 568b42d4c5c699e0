"""Odin: looks some own moves ahead, while everybody else rides straight on, and has an eye on the areas.

The report's depth 2 is three own moves: after the first one it looks two moves deeper. Both evaluations are in
`evaluate.py`, the search in `kernels/spe_ed_odin.py`. It keeps no clock.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spielbaum.agents.registry import AgentType
from spielbaum.game import Game
from spielbaum.games.spe_ed.evaluate import EVALUATIONS
from spielbaum.games.spe_ed.kernels import odin as template
from spielbaum.games.spe_ed.players.valued import Valuer, new_workspace
from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.params import Param

DEEPEST = 6
PARAMS = (
    Param("evaluation", "area_div_enemies", "what a position is worth", choices=EVALUATIONS),
    Param("depth", 2, "own moves to look ahead after the first one", low=0, high=DEEPEST),
    Param(
        "exploration",
        round(math.sqrt(2), 6),
        "moves worth more than the best / exploration are followed",
        low=0.01,
        tune=(1.0, 4.0),
    ),
)
WORKSPACE = [
    ("me", "i8"),
    ("evaluation", "i8"),
    ("depth", "i8"),
    ("exploration", "f8"),
    ("nodes", "i8"),  # positions that were valued
    ("values", "f8", ANSWERS),
    ("choices", "i8", PLAYERS),
    ("answer", "i8", DEEPEST + 1),  # of each level: which is tried, the best value so far, and whose it is
    ("best", "f8", DEEPEST + 1),
    ("chosen", "i8", DEEPEST + 1),
]


def build(game: Game, values: dict[str, Any], seed: int) -> Valuer:
    which = EVALUATIONS.index(values["evaluation"])
    workspace = new_workspace(WORKSPACE, evaluation=which, depth=values["depth"], exploration=values["exploration"])

    def run(states: np.ndarray) -> None:
        game.kernels.link(template).search(game.context, states, workspace)

    return Valuer(game, "odin", run, workspace)


ODIN = AgentType("odin", "looks ahead over own moves, by the areas around the heads", lambda game: PARAMS, build)
