"""The thesis' player as an agent: `thesis:points=defensive,version=2,depth=3`, or with points of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.agents.registry import AgentType
from spielbaum.agents.searching import PONDER, SearchAgent
from spielbaum.game import Game
from spielbaum.games.latrunculi.thesis.points import CHARACTERS, Points
from spielbaum.params import Param
from spielbaum.search.pathsum import DEEPEST, PathSum

PARAMS = (
    Param("points", "balanced", "the character", choices=tuple(CHARACTERS)),
    Param("version", 2, "version of the evaluation; in version 1 every ply counts the same", low=1, high=2),
    Param("depth", 3, "plies to look ahead", low=1, high=DEEPEST),
    Param("prune", True, "alpha-beta: leave out moves that can't change the choice"),
    Param("order", True, "with alpha-beta: try the moves with the largest gains first"),
    PONDER,
    *(
        Param(name, None, f"points for {name}, instead of the character's", kind=int, tune=(-100, 100))
        for name in Points._fields
    ),
)


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    given = {name: values[name] for name in Points._fields if values[name] is not None}
    points = CHARACTERS[values["points"]]._replace(**given)
    weights = np.array([values["version"], *points], np.float64)
    search = PathSum(
        game,
        weights,
        depth=values["depth"],
        fading=values["version"] == 2,
        prune=values["prune"],
        order=values["order"],
        seed=seed,
    )
    return SearchAgent(search, values)


THESIS = AgentType("thesis", "the thesis' player: points for moves, summed along a line", lambda game: PARAMS, build)
