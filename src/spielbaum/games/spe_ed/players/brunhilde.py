"""Brunhilde: minimax with alpha-beta against the nearest opponent, while the others ride straight on.

The search is `kernels/spe_ed_brunhilde.py`. The report names no depth; 2 rounds answer in about a millisecond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.agents.registry import AgentType
from spielbaum.game import Game
from spielbaum.games.spe_ed.evaluate import EVALUATIONS
from spielbaum.games.spe_ed.kernels import brunhilde as template
from spielbaum.games.spe_ed.players.valued import Valuer, new_workspace
from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.params import Param

DEEPEST = 4
PARAMS = (
    Param("evaluation", "area", "what a position is worth", choices=EVALUATIONS),
    Param("depth", 2, "rounds to look ahead", low=1, high=DEEPEST),
)
PLIES = 2 * DEEPEST
WORKSPACE = [
    ("me", "i8"),
    ("rival", "i8"),
    ("evaluation", "i8"),
    ("depth", "i8"),
    ("nodes", "i8"),  # rounds that happened
    ("values", "f8", ANSWERS),
    ("choices", "i8", PLAYERS),
    ("next", "i8", PLIES),  # of each ply: the answer to try next, and how many there are
    ("count", "i8", PLIES),
    ("move", "i8", PLIES),  # the answer that is tried
    ("alpha", "f8", PLIES),
    ("beta", "f8", PLIES),
    ("best", "f8", PLIES),
    ("chosen", "i8", PLIES),
]


def build(game: Game, values: dict[str, Any], seed: int) -> Valuer:
    workspace = new_workspace(WORKSPACE, evaluation=EVALUATIONS.index(values["evaluation"]), depth=values["depth"])

    def run(states: np.ndarray) -> None:
        game.kernels.link(template).search(game.context, states, workspace)

    return Valuer(game, "brunhilde", run, workspace)


BRUNHILDE = AgentType(
    "brunhilde", "minimax with alpha-beta against the nearest opponent, by the own area", lambda game: PARAMS, build
)
