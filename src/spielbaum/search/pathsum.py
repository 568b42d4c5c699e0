"""Path-sum minimax from Python: gains of moves summed along a line, weighted by ply.

A game says what a move gains in its rule `gain`, in multiples of a quarter. With `fading` a gain at ply d
counts 1/(d + 1); to keep all sums exact the weights are multiplied by a number that all of them divide.
The search is `kernels/pathsum.py`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from spielbaum.game import Game, State, buffer_size
from spielbaum.rules import below, random_stream
from spielbaum.search.budget import Budget, slices
from spielbaum.search.report import Edge, SearchReport
from spielbaum.search.sides import sides

GRAIN = 0.25
DEEPEST = 16
UNOPENED = -2  # the ply of a search that has not begun


class PathSum:
    """Every root move valued by the best line from it; one of the best at random."""

    def __init__(
        self,
        game: Game,
        weights: np.ndarray,
        *,
        depth: int,
        fading: bool = True,
        prune: bool = True,
        order: bool = True,
        seed: int = 0,
    ):
        self.game, self.prune = game, prune
        self.rng = random_stream(seed)
        self.scale = math.lcm(*range(1, depth + 1)) if fading else 1
        self.frames, self.desk = new_frames(game, depth), new_desk(game, weights, depth)
        self.desk["ply_weights"][0, :depth] = [self.scale / (ply + 1) if fading else 1.0 for ply in range(depth)]
        self.desk["prune"], self.desk["ordered"] = prune, prune and order
        self.states = np.zeros(depth + 1, game.rules.STATE)
        self.found = np.zeros(buffer_size(game.module))
        self.last: SearchReport | None = None

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """The chosen action. The search goes to its depth: what it has seen of a part is of no use, also to watch."""
        self.states[0] = state.record
        self.desk["side"] = sides(self.game, state.player)
        self.desk["ply"], self.desk["nodes"] = UNOPENED, 0
        self.slice(0)  # compiles at the very first time, before the clock starts
        begin = time.monotonic()
        slices(self.slice, Budget(stop=budget.stop), math.inf)
        count = int(self.frames[0]["count"])
        actions, values = self.frames[0]["moves"][:count], self.found[:count] / self.scale
        best = np.flatnonzero(values == values.max())
        chosen = int(actions[best[int(below(self.rng, len(best)))]])
        self.last = self.summary(state, actions, values, chosen, time.monotonic() - begin)
        return chosen

    def slice(self, nodes: int) -> int:
        run = self.game.kernels.pathsum.run
        return int(run(self.game.context, self.states, self.frames, self.desk, self.found, nodes))

    def summary(
        self, state: State, actions: np.ndarray, values: np.ndarray, chosen: int, seconds: float
    ) -> SearchReport:
        top = values.max()
        edges = [
            Edge(int(action), state.format(int(action)), 1.0, float(value), exact=bool(value == top or not self.prune))
            for action, value in zip(actions, values, strict=True)
        ]
        return SearchReport(
            algorithm="path-sum minimax",
            player=state.player,
            action=chosen,
            value=float(top),
            edges=sorted(edges, key=lambda edge: (edge.action != chosen, -(edge.value or 0.0))),
            principal_variation=[chosen],
            line=[state.format(chosen)],
            nodes=int(self.desk["nodes"][0]),
            depth=int(self.desk["depth"][0]),
            seconds=seconds,
            memory=int(self.frames.nbytes + self.states.nbytes),
        )

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the last search found; without pruning every value is exact."""
        return self.last


def new_frames(game: Game, depth: int) -> np.ndarray:
    """FRAME[depth]: the moves of each ply with what they are worth by themselves."""
    size = buffer_size(game.module)
    fields = [
        ("moves", "i8", size),
        ("terms", "f8", size),
        ("count", "i8"),
        ("next", "i8"),
        ("maximise", "?"),
        ("low", "f8"),
        ("high", "f8"),
        ("best", "f8"),
    ]
    return np.zeros(depth, np.dtype((np.record, fields), align=True))


def new_desk(game: Game, weights: np.ndarray, depth: int) -> np.ndarray:
    """DESK[1]: where the search is, and what it needs to know."""
    fields = [
        ("ply", "i8"),  # -1 when the search is finished
        ("depth", "i8"),
        ("nodes", "i8"),  # moves that were tried
        ("prune", "?"),
        ("ordered", "?"),
        ("side", "i8", game.module.PLAYERS),
        ("ply_weights", "f8", DEEPEST),
        ("weights", "f8", len(weights)),
        ("rng", "u8", 1),
    ]
    desk = np.zeros(1, np.dtype((np.record, fields), align=True))
    desk["depth"], desk["weights"], desk["rng"] = depth, weights, 1
    return desk
