"""What minimax and alpha-beta work with: one frame per ply and one record of everything else."""

from __future__ import annotations

import numpy as np

from spielbaum.game import Game, buffer_size
from spielbaum.rules import rule
from spielbaum.search.work import OTHERS, OWN

__all__ = ["MAX_PLY", "OTHERS", "OWN", "SURE", "final_value", "new_desk", "new_frames", "out_of_time", "remember"]

MAX_PLY = 128
SURE = 1e6  # a won game: larger than any evaluation
ENDLESS = 1 << 62


def new_frames(game: Game) -> np.ndarray:
    """FRAME[MAX_PLY]: the actions of each ply, their order, and the best line from there."""
    size = buffer_size(game.module)
    fields = [
        ("moves", "i8", size),
        ("scores", "i8", size),
        ("values", "f8", game.module.PLAYERS),
        ("line", "i4", MAX_PLY),
        ("length", "i8"),
        ("killers", "i8", 2),
    ]
    return np.zeros(MAX_PLY, np.dtype((np.record, fields)))


def new_desk(game: Game, me: int, weights: np.ndarray) -> np.ndarray:
    """DESK[1]: counters, flags and tables of a search by player `me`."""
    module = game.module
    fields = [
        ("nodes", "i8"),
        ("limit", "i8"),  # nodes after which to stop
        ("stop", "?"),  # set from outside, or at the limit
        ("horizon", "?"),  # an evaluation was needed: the result is not proven
        ("probes", "i8"),
        ("hits", "i8"),
        ("me", "i8"),
        ("players", "i8"),
        ("max_n", "?"),
        ("use_table", "?"),
        ("prefer_depth", "?"),
        ("ordered", "?"),
        ("side", "i8", module.PLAYERS),
        ("weights", "f8", max(1, len(weights))),
        ("results", "f8", module.PLAYERS),
        ("history", "i8", (module.PLAYERS, module.ACTION_CODES)),
        ("rng", "u8", 1),  # for `play`, which does not use it in games without chance
    ]
    desk = np.zeros(1, np.dtype((np.record, fields), align=True))
    desk["limit"] = ENDLESS
    desk["me"] = me
    desk["players"] = game.players
    desk["side"] = np.where(game.teams == game.teams[me], OWN, OTHERS)[: module.PLAYERS]
    desk["weights"][0, : len(weights)] = weights
    desk["rng"] = 1
    return desk


@rule
def out_of_time(desk):
    """Whether to give up: somebody said so, or the node limit is reached."""
    if desk.nodes >= desk.limit:
        desk.stop = True
    return desk.stop


@rule
def final_value(result, ply):
    """The value of a finished game: the sooner the better for who wins, the later for who loses."""
    if result > 0.0:
        return SURE * result - ply
    if result < 0.0:
        return SURE * result + ply
    return 0.0


@rule
def remember(frames, ply, action):
    """The principal variation: this action, then what the next ply found best."""
    here, below = frames[ply], frames[ply + 1]
    here.line[0] = action
    here.length = 1 + below.length
    for i in range(below.length):
        here.line[i + 1] = below.line[i]
