"""The minimax family from Python: iterative deepening under a clock, and the report.

The searches are `kernels/minimax.py` and `kernels/alphabeta.py`, which run in slices. What an
iteration that was cut short has found out by then still counts, because its first move was the best
of the iteration before.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.networks import files
from spielbaum.networks.net import with_kept
from spielbaum.params import Param
from spielbaum.rules import below, random_stream
from spielbaum.search import walk
from spielbaum.search.budget import NEVER, Budget, slices
from spielbaum.search.frames import MAX_PLY, SURE, new_frames, new_workspace, open_root, room
from spielbaum.search.kernels import alphabeta as template
from spielbaum.search.kernels import minimax
from spielbaum.search.mcts.components import Variant
from spielbaum.search.mcts.tree import NOBODY
from spielbaum.search.report import CHANCE, Edge, SearchReport, TreeNode, Unit, notation, unit_of
from spielbaum.search.search_log import new_log
from spielbaum.search.table import BUCKET, GENERATIONS, KEPT, new_table

DEEPEST = MAX_PLY - 2
DEFAULT_DEPTH = 6

MINIMAX = (
    Param("depth", 3, "moves to look ahead", low=1, high=DEEPEST),
    Param(
        "model", "max^n", "three and more: everybody for themselves, or all against us", choices=("max^n", "paranoid")
    ),
)
ALPHABETA = (
    Param("depth", None, "moves to look ahead at most (6 when no other budget is set)", low=1, high=DEEPEST, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("nodes", None, "positions per decision", low=1, kind=int),
    Param("table", 64, "size of the transposition table in MB; 0 is off", low=0, high=65536),
    Param("replace", "bucket", "entries that stay in the table: the newest, the deepest, or both", choices=tuple(KEPT)),
    Param("order", True, "try promising moves first: captures, killers, history"),
    Param("reduce", False, "look less deeply at moves that come late in this order"),
    Param("quiescence", 0, "plies for which captures go on beyond the depth; 0 is off", low=0, high=64, tune=(0, 8)),
    Param("contempt", 0.0, "how much worse than 0 a draw is", low=0, high=1, tune=(0.0, 0.5)),
    Param(
        "adjudication",
        0.0,
        "what a win by adjudication is worth, if less than any win; 0 is off",
        low=0,
        high=1,
        tune=(0.01, 1.0),
        when="adjudication",
    ),
    Param(
        "evaluate",
        "",
        "the network that evaluates positions, a file or the name of one; else the game's own rule",
        file=True,
    ),
    Param(
        "trap-depth",
        0,
        "the depth whose choice stays unless a better one is found deeper; 0 is off",
        low=0,
        high=DEEPEST,
    ),
    Param(
        "trap-margin",
        0.05,
        "with `trap-depth`: by how much it must be better",
        low=0,
        tune=(0.0, 0.5),
        when="trap-depth",
    ),
)


class Result(NamedTuple):
    """What a search found out about a root action."""

    action: int
    value: float
    nodes: int
    exact: bool


class Searched(abc.ABC):
    """What both searches share: running under a clock, and the report."""

    algorithm = ""
    prunes_nothing = False

    def __init__(self, game: Game, values: dict[str, Any], weights: np.ndarray, *, seed: int = 0):
        self.game, self.values, self.weights = game, values, weights
        self.seed, self.decision = seed, 0
        self.frames = new_frames(game)
        self.states = np.zeros(MAX_PLY, game.rules.STATE)
        size = room(game.module)
        self.found, self.effort = np.zeros(size), np.zeros(size, np.int64)
        self.log, self.earlier = new_log(), new_log()[:0]
        self.results: list[Result] = []
        self.state: State | None = None
        self.line: list[int] = []
        self.depth = 0
        self.begin: float | None = None
        self.seconds = 0.0
        self.proven = False

    @abc.abstractmethod
    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """Search a position, as its mover sees it, and answer the action to play."""

    def ponder(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> None:
        """Think about a position that may come up: what stays is in the table."""
        decision = self.decision
        self.think(state, budget, watch)
        self.decision = decision  # it was none: random numbers go on as if nothing had been pondered

    def prepare(self, state: State) -> None:
        self.state = state.copy()
        self.rng = random_stream(self.seed, self.decision)
        self.decision += 1
        self.workspace = new_workspace(self.game, state.player, self.weights)
        self.states[0] = state.record
        self.frames["length"] = 0
        self.frames["killers"] = -1
        self.results, self.line, self.depth, self.proven = [], [], 0, False
        self.earlier = self.log[:0]

    def finished(self) -> bool:
        return bool(self.workspace["ply"][0] < 0)

    def valued(self, actions: list[int]) -> dict[int, Result]:
        """The root actions that the current iteration has valued, in their order."""
        done = int(self.workspace["done"][0])
        results: dict[int, Result] = {}
        for action, value, nodes in zip(actions[:done], self.found, self.effort, strict=False):
            exact = self.prunes_nothing or all(value > result.value for result in results.values())
            results[action] = Result(action, float(value), int(nodes), exact)
        return results

    def best_line(self) -> list[int]:
        frame = self.frames[0]
        return [int(action) for action in frame["line"][: int(frame["length"])]]

    def branch(self, path: list[int], depth: int = 1, top: int = 8) -> tuple[TreeNode, State]:
        """The best children of each node, some levels down from the end of a path, and the position there."""
        books = [] if self.state is None else self.books()
        return walk.branch(books, self.state, self.report(), path, depth, top)

    def books(self) -> list[np.ndarray]:
        """The log of this iteration, and of the one before for moves that this one has not come to."""
        return [self.log[: int(self.workspace["logged"][0])], self.earlier]

    def guess(self, action: int) -> None:
        """Answer something where not even one move was valued in time."""
        self.results, self.line = [Result(action, 0.0, 0, exact=False)], [action]

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far; with `tree_nodes` the most visited part of its tree."""
        if self.state is None or not self.results:
            return None
        best = max(self.results, key=lambda result: result.value)
        action = self.line[0] if self.line else best.action
        names = notation(self.state, self.line)
        ranked = sorted(self.results, key=lambda result: (result.action != action, -result.value))
        probes = int(self.workspace["probes"][0])
        report = SearchReport(
            algorithm=self.algorithm,
            player=self.state.player,
            action=action,
            value=best.value,
            edges=[Edge(r.action, self.state.format(r.action), float(r.nodes), r.value, exact=r.exact) for r in ranked],
            principal_variation=self.line[: len(names)],
            line=names,
            nodes=int(self.workspace["nodes"][0]),
            depth=self.depth,
            seconds=self.seconds if self.begin is None else time.monotonic() - self.begin,
            memory=self.memory(),
            table_hits=int(self.workspace["hits"][0]) / probes if probes else None,
            proven=self.proven or abs(best.value) > SURE / 2,
            unit=self.unit(),
        )
        tree = walk.most_visited(self.books(), self.state, report, tree_nodes) if tree_nodes else None
        return replace(report, tree=tree)

    def unit(self) -> Unit:
        """What evaluations are counted in."""
        assert self.state is not None
        return unit_of(self.state, "evaluate", self.weights)

    def memory(self) -> int:
        rooms = (self.frames, self.states, self.workspace, self.found, self.effort, self.log, self.earlier)
        return sum(int(room.nbytes) for room in rooms)


class Minimax(Searched):
    """Every root action valued exactly at a fixed depth; one of the best at random."""

    algorithm = "minimax"
    prunes_nothing = True

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        self.prepare(state)
        self.slice(0)  # compiles at the very first time, before the clock starts
        self.begin = time.monotonic()
        self.workspace["max_n"] = self.values["model"] == "max^n" and self.game.players > 2
        self.depth = self.values["depth"]
        actions = state.actions
        open_root(self.frames, self.workspace, actions, self.depth)
        slices(self.slice, Budget(stop=budget.stopped), budget.end(), self.watched(actions, watch))
        self.take(actions)
        if not self.results:
            self.guess(actions[0])
        self.proven = self.finished() and not self.workspace["horizon"][0]
        best = max(result.value for result in self.results)
        ties = [result.action for result in self.results if result.value == best]
        choice = ties[int(below(self.rng, len(ties)))]
        self.line = self.line if self.line[0] == choice else [choice]
        self.seconds, self.begin = time.monotonic() - self.begin, None
        return choice

    def watched(self, actions: list[int], watch: Callable[[], None] | None) -> Callable[[], None] | None:
        def look() -> None:
            self.take(actions)
            if watch is not None:
                watch()

        return look if watch is not None else None

    def take(self, actions: list[int]) -> None:
        """Keep what is known so far."""
        self.results, self.line = list(self.valued(actions).values()), self.best_line()

    def slice(self, nodes: int) -> int:
        return int(
            self.game.kernels.link(minimax).run(
                self.game.context, self.states, self.frames, self.workspace, self.log, self.found, self.effort, nodes
            )
        )


class AlphaBeta(Searched):
    """Iterative deepening; the table lives on from one decision to the next."""

    algorithm = "alphabeta"

    def __init__(self, game: Game, values: dict[str, Any], weights: np.ndarray, *, seed: int = 0):
        super().__init__(game, values, weights, seed=seed)
        self.context = context_with(game, values["evaluate"])
        self.variant = Variant(components=(), flags=("NETWORK",) if values["evaluate"] else ())
        self.table = new_table(values["table"] if game.has("key") else 0)
        self.table_owner = NOBODY
        self.generation = 0

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        self.prepare(state)
        self.slice(0)  # compiles at the very first time, before the clock starts
        self.begin, end = time.monotonic(), budget.end()
        actions = shuffled(state.actions, self.rng)
        for depth in range(1, self.deepest(budget, end) + 1):
            actions = self.deepen(actions, depth, budget, end, watch)
            if not self.finished() or self.proven or abs(self.results[0].value) > SURE / 2:
                break
        self.seconds, self.begin = time.monotonic() - self.begin, None
        return self.line[0]

    def prepare(self, state: State) -> None:
        super().prepare(state)
        self.prepare_table(state.player)
        self.workspace["ordered"] = self.values["order"]
        self.workspace["reduce"] = self.values["reduce"] and self.values["order"]
        self.workspace["quiescence"] = self.values["quiescence"]
        self.workspace["draw"] = 0.0 - self.values["contempt"]  # not -0.0, which prints as such
        self.workspace["adjudication"] = self.values["adjudication"]

    def prepare_table(self, player: int) -> None:
        """Values in the table are those of one player: another one must not find them."""
        if self.table_owner not in (NOBODY, player):
            self.table[:] = np.zeros(1, BUCKET)
        self.table_owner = player
        self.workspace["use_table"] = len(self.table) > 1
        self.workspace["kept"] = KEPT[self.values["replace"]]
        self.generation = (self.generation + 1) % GENERATIONS
        self.workspace["generation"] = self.generation

    def deepest(self, budget: Budget, end: float) -> int:
        if self.values["depth"] is not None:
            return int(self.values["depth"])
        unlimited = end == NEVER and self.values["nodes"] is None and budget.stop is None
        return DEFAULT_DEPTH if unlimited else DEEPEST

    def deepen(
        self, actions: list[int], depth: int, budget: Budget, end: float, watch: Callable[[], None] | None
    ) -> list[int]:
        """One iteration; the actions in the order in which the next one should try them."""

        def look() -> None:
            self.take(actions, depth)
            if watch is not None:
                watch()

        self.earlier = self.books()[0].copy()
        self.workspace["margin"] = self.values["trap-margin"] if 0 < self.values["trap-depth"] < depth else 0.0
        open_root(self.frames, self.workspace, actions, depth)
        limit = self.values["nodes"]
        left = None if limit is None else limit - int(self.workspace["nodes"][0])
        slices(self.slice, Budget(left, stop=budget.stopped), end, look if watch is not None else None)
        return self.take(actions, depth)

    def take(self, actions: list[int], depth: int) -> list[int]:
        """Keep what this iteration has found so far; the order in which the next one should try the actions."""
        fresh = self.valued(actions)
        if not fresh:  # not even one move in time: what is known already must do
            if not self.results:
                self.guess(actions[0])
            return actions
        self.line = self.best_line()
        if self.finished():
            self.depth, self.proven = depth, not self.workspace["horizon"][0]
        known = {result.action: result for result in self.results} | fresh
        rest = [action for action in actions if action != self.line[0]]
        rest.sort(key=lambda action: -fresh[action].nodes if action in fresh else 0)
        order = [self.line[0], *rest]
        self.results = [known[action] for action in order if action in known]
        return order

    def slice(self, nodes: int) -> int:
        written = (self.table, self.log, self.found, self.effort)
        run = self.game.kernels.link(template, self.variant).run
        return int(run(self.context, self.states, self.frames, self.workspace, *written, nodes))

    def unit(self) -> Unit:
        return CHANCE if self.values["evaluate"] else super().unit()

    def memory(self) -> int:
        return super().memory() + int(self.table.nbytes)


def context_with(game: Game, net: str) -> Any:
    """What kernels are given, with a network if there is one to evaluate positions."""
    if not net:
        return game.new_context()
    if not game.has("features"):
        raise SpielbaumError(f"evaluate={net} needs a rule 'features', which {game.name} does not have")
    if game.module.PLAYERS != 2:
        raise SpielbaumError(f"evaluate={net} is for games of two; {game.name} is for up to {game.module.PLAYERS}")
    return with_kept(game.new_context(), files.load(net, game), players=2)


def shuffled(actions: list[int], rng: np.ndarray) -> list[int]:
    """The actions in random order, so that equals are chosen at random."""
    actions = actions.copy()
    for i in range(len(actions) - 1, 0, -1):
        j = int(below(rng, i + 1))
        actions[i], actions[j] = actions[j], actions[i]
    return actions
