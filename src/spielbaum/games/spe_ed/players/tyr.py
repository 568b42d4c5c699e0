"""`tyr`: our best player of spe_ed.

While somebody else can come to where it is, it fights: `kernels/duel.py`. Alone it fills its room: `filling.py`.
All time is used, in short slices, on as many threads as it is given, each with trees of its own whose roots are added
up (root parallel: Chaslot et al. 2008).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents.agent import Watch
from spielbaum.agents.registry import AgentType
from spielbaum.agents.searching import SearchAgent
from spielbaum.clock import Clock
from spielbaum.compile.link import prepared_seconds
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.kernels import duel
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.players.filling import Filling
from spielbaum.games.spe_ed.players.finalist import nearest, own_part
from spielbaum.games.spe_ed.players.judgement import PARTS
from spielbaum.games.spe_ed.players.thor import steered
from spielbaum.games.spe_ed.players.trees import CELLS, HORIZON, NODE, WORKSPACE
from spielbaum.games.spe_ed.rules import STATE
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.games.spe_ed.voronoi import VORONOI
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search import shallow
from spielbaum.search.budget import SLICE, Budget, slices
from spielbaum.search.report import EVALUATION, Edge, SearchReport, TreeNode

Run = Callable[[int], int]

DEFAULT_ITERATIONS = 1000
MOST_NODES = 1 << 20  # of all trees of a thread
WALKS = 40  # random rides of each far opponent
FORGETTING = 0.95  # of a delay, per decision
LONGEST_LINE, LEAST_SHARE = 48, 0.03  # of what is shown

PARAMS = (
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("iterations", None, "iterations per decision (1000 when nothing else is set)", low=1, kind=int),
    Param("threads", 1, "threads that search", low=1, high=64),
    Param("margin", 0.01, "seconds before a deadline at which to answer", low=0),
    Param("window", 24, "opponents further away than so many steps are not searched", low=0, tune=(5, 60)),
    Param("enemies", 3, "opponents to search, at most, the nearest first", low=0, high=PLAYERS - 1, tune=(1, 3)),
    Param("c", 0.15, "exploration", low=0, tune=(0.01, 1.0), log=True),
    Param(
        "caution",
        0.1,
        "how often opponents are expected to do anything that they survive",
        low=0,
        high=1,
        tune=(0.0, 0.5),
    ),
    Param("pace", 2, "speed at which territories grow, at most", low=1, high=10, tune=(1, 4)),
    *(replace(part, name=f"weight.{part.name}") for part in PARTS),
)


class Fight:
    """One thread's trees."""

    def __init__(self, game: Game):
        self.game, self.context = game, game.new_context()
        self.states, self.room = np.zeros(2, STATE), np.zeros(1, VORONOI)
        self.workspace, self.nodes = np.zeros(1, WORKSPACE), np.zeros(MOST_NODES, NODE)
        self.rng = random_stream(0)

    def set_position(
        self, array: np.ndarray, me: int, near: list[int], values: dict[str, Any], rng: np.ndarray
    ) -> None:
        """Fresh trees for a position."""
        self.states[0] = array[0]
        self.workspace[:] = np.zeros(1, WORKSPACE)
        self.rng = rng
        for name, value in {
            "me": me,
            "near": sum(1 << q for q in [me, *near]),
            "used": PLAYERS,
            "c": values["c"],
            "caution": values["caution"],
            "free": max(1, int(np.bitwise_count(array["free"]).sum())),
            "pace": values["pace"],
        }.items():
            self.workspace[name] = value
        self.workspace["root"] = np.arange(PLAYERS)
        self.nodes[:PLAYERS] = np.zeros(1, NODE)

    def run(self, chance: np.ndarray, weights: np.ndarray, n: int) -> int:
        run = self.game.kernels.link(duel).run
        return int(run(self.context, self.states, self.nodes, self.workspace, self.room, chance, weights, self.rng, n))

    def most_visited(self, player: int) -> list[tuple[list[int], float]]:
        """A line for each first action of a player that was looked at, and its share of the visits."""
        first = self.nodes["visits"][player]
        return [
            (self.line(player, action), float(visits / first.sum()))
            for action, visits in enumerate(first.tolist())
            if visits > LEAST_SHARE * first.sum()
        ]

    def line(self, node: int, action: int) -> list[int]:
        """An action at a node, and then the most visited ones."""
        found = [action]
        while (node := int(self.nodes["child"][node, action])) and self.nodes["visits"][node].any():
            action = int(np.argmax(self.nodes["visits"][node]))
            found.append(action)
        return found


def ridden(s: Any, player: int, answers: list[int], share: float) -> Line:
    """The way over the board that some answers of a player mean."""
    return Line(player, [(int(s.x[player]), int(s.y[player])), *steered(s, player, answers)], share)


class Tyr:
    """Thinks about one position after the other."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game, self.values, self.seed, self.decision = game, values, seed, 0
        self.fights = [Fight(game) for _ in range(values["threads"])]
        self.fillings = [Filling(game) for _ in range(values["threads"])]
        self.alone = False
        self.chance = np.zeros((HORIZON, CELLS), np.float32)
        weights = np.array([float(values[f"weight.{part.name}"]) for part in PARTS])
        self.weights = weights / max(weights.sum(), 1e-9)
        self.state: State | None = None
        self.seconds = 0.0

    def think(self, state: State, budget: Budget, watch: Watch | None = None) -> int:
        """The action to play."""
        self.state = state.copy()
        self.decision += 1
        array, me = own_part(state), state.player
        near = nearest(array, me, self.game.players, self.values["window"], self.values["enemies"])
        for number, fight in enumerate(self.fights):
            fight.set_position(array, me, near, self.values, random_stream(self.seed, self.decision, number))
        first = self.fights[0]
        first.run(self.chance, self.weights, 0)  # compiles at the very first time, before the clock starts
        for number, filling in enumerate(self.fillings):
            filling.set_position(array, me, random_stream(self.seed, self.decision, number))
        begin, end = time.monotonic(), budget.end()
        self.alone = self.is_alone(first, me)
        if self.alone:
            self.grow([filling.run for filling in self.fillings], budget, end, watch)
            self.agree()
        else:
            rng = random_stream(self.seed, self.decision, len(self.fights))
            self.game.kernels.link(duel).foresee(first.context, first.states, first.workspace, self.chance, rng, WALKS)
            self.grow([self.runner(fight) for fight in self.fights], budget, end, watch)
        self.seconds = time.monotonic() - begin
        return self.best()

    def is_alone(self, fight: Fight, me: int) -> bool:
        """Whether nobody else can come to where it is without a jump."""
        self.game.kernels.link(duel).divided(fight.context, fight.states, fight.room)
        return bool(fight.room["border"][0, me] == 0)

    def agree(self) -> None:
        """All threads go on with the longest plan."""
        for filling in self.fillings:
            filling.answer()
        best = max(self.fillings, key=lambda filling: filling.value)
        for filling in self.fillings:
            filling.plan, filling.value = best.plan, best.value

    def grow(self, runs: list[Run], budget: Budget, end: float, watch: Watch | None) -> None:
        """Search in all threads until the budget is used up."""
        total = budget.iterations
        if total is None and budget.seconds is None and budget.deadline is None and budget.stop is None:
            total = DEFAULT_ITERATIONS
        each = None if total is None else max(1, total // len(runs))
        if len(runs) == 1:
            slices(runs[0], Budget(each, stop=budget.stopped), end, watch)
            return
        stop = threading.Event()
        with ThreadPoolExecutor(len(runs)) as pool:
            limits = Budget(each, stop=stop.is_set)
            futures = [pool.submit(slices, run, limits, end) for run in runs]
            try:
                while wait(futures, SLICE).not_done:
                    if watch is not None:
                        watch()
                    if budget.stopped():
                        stop.set()
            finally:
                stop.set()
            for future in futures:
                future.result()

    def runner(self, fight: Fight) -> Run:
        return lambda n: fight.run(self.chance, self.weights, n)

    def root(self) -> tuple[np.ndarray, np.ndarray]:
        """Visits and values of the own actions, of all threads together."""
        assert self.state is not None
        me = int(self.fights[0].workspace["me"][0])
        visits = sum(fight.nodes["visits"][me].astype(np.float64) for fight in self.fights)
        totals = sum(fight.nodes["total"][me] for fight in self.fights)
        return np.asarray(visits), np.asarray(totals)

    def best(self) -> int:
        """The first action of the plan, or the most visited one."""
        if self.alone and self.fillings[0].plan:
            return self.fillings[0].plan[0]
        visits, _ = self.root()
        return int(np.argmax(visits))

    def ponder(self, state: State, budget: Budget, watch: Watch | None = None) -> None:
        """Nothing: what others will do at once is not known before."""

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What is known of each action."""
        if self.state is None:
            return None
        visits, totals = self.root()
        chosen, state = self.best(), self.state
        order = np.argsort(-visits, kind="stable").tolist()
        values = {a: float(2 * totals[a] / visits[a] - 1) if visits[a] else None for a in order}
        found = SearchReport(
            algorithm="tyr",
            player=state.player,
            action=chosen,
            value=values[chosen] or 0.0,
            edges=[Edge(a, state.format(a), float(visits[a]), values[a]) for a in order],
            principal_variation=[chosen],
            line=[state.format(chosen)],
            nodes=int(
                sum(filling.looked for filling in self.fillings)
                if self.alone
                else sum(fight.workspace["iterations"][0] for fight in self.fights)
            ),
            depth=len(self.fillings[0].plan)
            if self.alone
            else max(int(f.workspace["deepest"][0]) for f in self.fights),
            seconds=self.seconds,
            unit=EVALUATION,
        )
        return shallow.with_tree(found, tree_nodes)

    def lines(self) -> list[Line]:
        """The own plans, and what is expected of those near, as far as they were looked at often."""
        if self.state is None:
            return []
        s, fight = self.state.record, self.fights[0]
        me, near = int(fight.workspace["me"][0]), int(fight.workspace["near"][0])
        if self.alone:
            return [ridden(s, me, self.fillings[0].plan[:LONGEST_LINE], 1.0)]
        players = [me, *(q for q in range(self.game.players) if q != me and near >> q & 1)]
        return [ridden(s, p, path, share) for p in players for path, share in fight.most_visited(p)]

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """The actions at the root: the trees hold no positions."""
        report = self.report()
        assert report is not None and self.state is not None
        return shallow.branch(report, self.state, path, depth, top)


class TyrAgent(SearchAgent):
    """Answers a safe margin before a deadline, and shows what it has in mind.

    To the margin it adds by how much it was late: slices end when the machine lets them, not when they should.
    """

    search: Tyr

    def __init__(self, search: Tyr, values: dict[str, Any]):
        super().__init__(search, values)
        self.late = 0.0  # how much later than planned it has answered of late, on a machine that others use as well

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        """The action to play."""
        if clock is None or clock.deadline is None:
            return super().act(state, clock, watch=watch)
        begin, prepared = time.monotonic(), prepared_seconds()
        planned = self.planned(begin, clock.deadline)
        action = super().act(state, Clock(planned, clock.left, clock.increment), watch=watch)
        overrun = time.monotonic() - max(planned, begin) - (prepared_seconds() - prepared)
        self.late = max(overrun, FORGETTING * self.late)
        return action

    def planned(self, now: float, deadline: float) -> float:
        """When to answer: half of the time is used in any case."""
        return float(max(deadline - self.values["margin"] - self.late, (now + deadline) / 2))

    def lines(self) -> list[Line]:
        """Own plans, and what is expected of the others."""
        return self.search.lines()


def build(game: Game, values: dict[str, Any], seed: int) -> TyrAgent:
    return TyrAgent(Tyr(game, values, seed), values)


TYR = AgentType("tyr", "our best: decoupled UCT over territories against those near", lambda game: PARAMS, build)
