"""Path-sum minimax from Python: gains of moves summed along a line, weighted by ply.

A game says what a move gains in its rule `gain`, in multiples of a quarter. With `fading` a gain at ply d
counts 1/(d + 1); to keep all sums exact the weights are multiplied by a number that all of them divide.
The search is `kernels/pathsum.py`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from spielbaum.game import Game, State
from spielbaum.rules import below, random_stream
from spielbaum.search import walk
from spielbaum.search.budget import Budget, slices
from spielbaum.search.frames import NO_MOVE, room
from spielbaum.search.kernels import pathsum as template
from spielbaum.search.report import Edge, SearchReport, TreeNode, Unit, notation
from spielbaum.search.search_log import WORKSPACE, new_log, open_log
from spielbaum.search.sides import sides

POINTS = Unit("points")
GRAIN = template.GRAIN
DEEPEST = 16


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
        self.seed, self.decision = seed, 0
        self.scale = math.lcm(*range(1, depth + 1)) if fading else 1
        self.frames, self.workspace = new_frames(game, depth), new_workspace(game, weights, depth)
        self.workspace["ply_weights"][0, :depth] = [self.scale / (ply + 1) if fading else 1.0 for ply in range(depth)]
        self.workspace["prune"], self.workspace["ordered"] = prune, prune and order
        self.states = np.zeros(depth + 1, game.rules.STATE)
        self.found, self.effort = np.zeros(room(game.module)), np.zeros(room(game.module), np.int64)
        self.log = new_log()
        self.lines = np.zeros((room(game.module), depth), np.int64)
        self.state: State | None = None
        self.choice = NO_MOVE
        self.begin: float | None = None
        self.seconds = 0.0

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """The chosen action: one of the best at the full depth, or of those that were valued in time."""
        self.prepare(state)
        self.slice(0)  # compiles at the very first time, before the clock starts
        self.begin = time.monotonic()
        slices(self.slice, Budget(stop=budget.stopped), budget.end(), watch)
        best = self.best()
        rng = random_stream(self.seed, self.decision)
        self.choice = best[int(below(rng, len(best)))] if best else int(self.frames[0]["moves"][0])
        self.decision += 1
        self.seconds, self.begin = time.monotonic() - self.begin, None
        return self.choice

    def ponder(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> None:
        """Nothing: it keeps nothing that a later search could use."""

    def prepare(self, state: State) -> None:
        self.state, self.choice = state.copy(), NO_MOVE
        self.states[0] = state.record
        self.workspace["side"] = sides(self.game, state.player)
        self.workspace["ply"], self.workspace["nodes"] = template.UNOPENED, 0
        open_log(self.workspace)
        self.frames["next"] = 0
        self.lines[:] = NO_MOVE

    def slice(self, nodes: int) -> int:
        run = self.game.kernels.link(template).run
        written = (self.log, self.found, self.effort, self.lines)
        return int(run(self.game.context, self.states, self.frames, self.workspace, *written, nodes))

    def valued(self) -> dict[int, float]:
        """The root moves that are valued so far, in the order in which they were tried."""
        done = int(self.frames[0]["next"])
        moves = self.frames[0]["moves"][:done].tolist()
        return dict(zip(moves, (self.found[:done] / self.scale).tolist(), strict=True))

    def best(self) -> list[int]:
        """The best of the root moves so far, all that are exactly as good."""
        values = self.valued()
        top = max(values.values(), default=0.0)
        return [action for action, value in values.items() if value == top]

    def line_of(self, action: int) -> list[int]:
        """What is expected after a root move, from that move on."""
        number = list(self.valued()).index(action)
        return [int(step) for step in self.lines[number] if step != NO_MOVE]

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far; without pruning every value is exact."""
        values = self.valued()
        action = self.choice if self.choice != NO_MOVE else next(iter(self.best()), NO_MOVE)
        if self.state is None or action == NO_MOVE:
            return None
        top = max(values.values(), default=0.0)
        edges = [
            Edge(move, self.state.format(move), float(nodes), value, exact=value == top or not self.prune)
            for (move, value), nodes in zip(values.items(), self.effort, strict=False)
        ]
        unvalued = Edge(action, self.state.format(action), 0.0, None, exact=False)
        line = self.line_of(action) if values else [action]
        report = SearchReport(
            algorithm="path-sum minimax",
            player=self.state.player,
            action=action,
            value=top,
            edges=sorted(edges, key=lambda edge: (edge.action != action, -(edge.value or 0.0))) or [unvalued],
            principal_variation=line,
            line=notation(self.state, line),
            nodes=int(self.workspace["nodes"][0]),
            depth=int(self.workspace["depth"][0]),
            seconds=self.seconds if self.begin is None else time.monotonic() - self.begin,
            memory=int(self.frames.nbytes + self.states.nbytes + self.log.nbytes),
            unit=POINTS,
        )
        tree = walk.most_visited(self.books(), self.state, report, tree_nodes) if tree_nodes else None
        return replace(report, tree=tree)

    def branch(self, path: list[int], depth: int = 1, top: int = 8) -> tuple[TreeNode, State]:
        """The best children of each node, some levels down from the end of a path, and the position there."""
        return walk.branch(self.books(), self.state, self.report(), path, depth, top)

    def books(self) -> list[np.ndarray]:
        """The log of the search: what a move and those that follow it gain for who makes it."""
        book = self.log[: int(self.workspace["logged"][0])].copy()
        book["value"] /= self.scale
        return [book]


def new_frames(game: Game, depth: int) -> np.ndarray:
    """FRAME[depth]: the moves of each ply with what they are worth by themselves."""
    size = room(game.module)
    fields = [
        ("moves", "i8", size),
        ("terms", "f8", size),
        ("count", "i8"),
        ("next", "i8"),
        ("began", "i8"),  # nodes of the search when the move was tried
        ("maximise", "?"),
        ("low", "f8"),
        ("high", "f8"),
        ("best", "f8"),
        ("line", "i8", DEEPEST),  # the best moves from here on
        ("length", "i8"),
    ]
    return np.zeros(depth, np.dtype((np.record, fields), align=True))


def new_workspace(game: Game, weights: np.ndarray, depth: int) -> np.ndarray:
    """WORKSPACE[1]: where the search is, and what it needs to know."""
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
        *WORKSPACE,
    ]
    workspace = np.zeros(1, np.dtype((np.record, fields), align=True))
    workspace["depth"], workspace["weights"], workspace["rng"] = depth, weights, 1
    return workspace
