"""What players have in common that lay out their next builds: parameters, budgets, and what they report.

How plans are valued stands in `planning.py`. Between decisions the rest of the plan is kept.
"""

from __future__ import annotations

import abc
import time
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents.agent import Watch
from spielbaum.agents.registry import AgentType
from spielbaum.agents.searching import SearchAgent
from spielbaum.game import Game, State
from spielbaum.games.quick_civ.buildings import OWN
from spielbaum.games.quick_civ.kernels import evolution
from spielbaum.games.quick_civ.planning import FARTHEST, LONGEST, PLAN, TASK, step_towards
from spielbaum.games.quick_civ.rules import ACTION_CODES, STATE, WAIT
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search import shallow
from spielbaum.search.budget import Budget, slices
from spielbaum.search.report import Edge, SearchReport, TreeNode, Unit, notation

DEFAULT_ITERATIONS = 10_000
CURRENT, TRIAL, BEST = range(3)
WORTHS = (
    Param("weight.gain", 18.0, "points a round that a build to come adds, at best", low=0, tune=(5.0, 50.0), log=True),
    Param(
        "weight.means",
        80.0,
        "material a round with which such builds are mostly paid",
        low=1,
        tune=(20.0, 320.0),
        log=True,
    ),
    Param(
        "weight.land",
        60.0,
        "food a round with which there is mostly land for them",
        low=1,
        tune=(15.0, 240.0),
        log=True,
    ),
    Param("weight.free", 0.4, "share of them that needs no land", low=0, high=1, tune=(0.0, 1.0)),
    Param("weight.tile", 40.0, "food that a tile is worth", low=0, tune=(0.0, 120.0)),
)
PARAMS = (
    Param("iterations", None, "plans that are tried per decision (10000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("horizon", 12, "rounds that are planned", low=1, high=FARTHEST, tune=(5, 25)),
    Param("tail", 3, "rounds after them in which sieges go on", low=0, tune=(0, 8)),
    Param("draws", 12, "builds that are compared before one of them gets into a plan", low=1, tune=(2, 48), log=True),
    Param("envy", 1.4, "how much of what the others are worth is subtracted", low=0, tune=(0.0, 3.0)),
    *WORTHS,
)
THEMES = Param(
    "themes", 0.2, "share of changes that plan anew with two buildings that go together", low=0, high=1, tune=(0.0, 0.6)
)


class Planner(abc.ABC):
    """Thinks about one position after the other; what a subclass does in an iteration, it says in `run`."""

    name: str

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game, self.values, self.seed, self.decision = game, values, seed, 0
        self.context = game.new_context()
        self.trail, self.states = np.zeros(FARTHEST + 1, STATE), np.zeros(2, STATE)
        self.plans, self.task = np.zeros(3, PLAN), np.zeros(1, TASK)
        for name in set(values) & set(TASK.names or ()) - {"iterations"}:
            self.task[name] = values[name]
        self.weights = np.array([float(values[param.name]) for param in WORTHS])
        self.soldiers = np.flatnonzero(game.tables.military)
        lives_on = (game.tables.of_tiles[:, :, OWN] > 0).any(1)
        self.themes = np.ascontiguousarray(np.argwhere(lives_on))  # as the kernels are compiled for
        self.tried, self.values_of = np.zeros(ACTION_CODES, np.int64), np.zeros(ACTION_CODES)
        self.rng = random_stream(seed)
        self.state: State | None = None
        self.begun: float | None = None
        self.seconds = 0.0

    # --- thinking -------------------------------------------------------------------------------

    def think(self, state: State, budget: Budget, watch: Watch | None = None) -> int:
        """What the best plan begins with."""
        self.set_up(state)
        self.start_search()
        self.run(0)  # compiles at the very first time, before the clock starts
        if budget.iterations is None and budget.seconds is None and budget.deadline is None and budget.stop is None:
            budget = replace(budget, iterations=DEFAULT_ITERATIONS)
        self.begun = time.monotonic()
        self.search(budget, watch)
        self.seconds, self.begun = time.monotonic() - self.begun, None
        return self.chosen()

    def set_up(self, state: State) -> None:
        """A new position, with the rest of the last plan."""
        self.state = state.copy()
        for field in STATE.names or ():  # without what the engine keeps about the round
            self.trail[field][0] = state.array[field][0]
        self.task["me"], self.task["iterations"] = state.player, 0
        self.tried[:], self.values_of[:] = 0, -np.inf
        best = self.plans[BEST]
        if self.decision and best["now"] < WAIT:
            done = int(np.flatnonzero(best["build"] == best["now"])[0]) + 1
            best["build"][: LONGEST - done] = best["build"][done:].copy()
            best["length"] = max(int(best["length"]) - done, 0)
        self.plans[CURRENT] = best
        self.decision += 1
        self.rng = random_stream(self.seed, self.decision)

    def start_search(self) -> None:
        """Value the plan at hand."""
        kernels = self.game.kernels.link(evolution)
        kernels.value_plan(self.context, self.trail, self.states, self.plans, self.task, self.weights)

    def search(self, budget: Budget, watch: Watch | None) -> None:
        slices(self.run, budget, budget.end(), watch)

    @abc.abstractmethod
    def run(self, iterations: int) -> int:
        """So many iterations; how many it was."""

    def chosen(self) -> int:
        return int(self.plans[BEST]["now"])

    def ponder(self, state: State, budget: Budget, watch: Watch | None = None) -> None:  # noqa: B027
        """Nothing: what others will do at once is not known before."""

    # --- results --------------------------------------------------------------------------------

    def planned(self) -> list[int]:
        """The builds of the best plan that happen within the horizon, in their order."""
        plan = self.plans[BEST]
        return [int(action) for action in plan["build"][: min(int(plan["reached"]), int(plan["length"]))]]

    def course(self) -> list[int]:
        """What happens by the plan if everybody else waits, until it is built: the choices of all, in turn."""
        assert self.state is not None
        state, builds, found = self.state.copy(), self.planned(), [self.chosen()]
        for _ in range(self.values["horizon"]):
            for action in (found[-1], *[WAIT] * (self.game.players - 1)):
                state.play(action)
            found += [WAIT] * (self.game.players - 1)
            builds = builds[1:] if builds and builds[0] == found[-self.game.players] else builds
            if state.over or not builds:
                break
            view = state.view(self.state.player)
            step = int(step_towards(self.game.tables, view.record, view.player, builds[0]))
            found.append(step if step in view.actions else WAIT)
        return found

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What is known of each action that was tried: how often, and the best plan that begins with it."""
        if self.state is None:
            return None
        state, chosen, course = self.state, self.chosen(), self.course()
        others = [int(a) for a in np.argsort(-self.tried, kind="stable")[: np.count_nonzero(self.tried)] if a != chosen]
        edges = [(chosen, float(self.plans[BEST]["value"]))] + [(a, float(self.values_of[a])) for a in others]
        found = SearchReport(
            algorithm=self.name,
            player=state.player,
            action=chosen,
            value=edges[0][1],
            edges=[Edge(a, state.format(a), float(self.tried[a]), value) for a, value in edges],
            principal_variation=course,
            line=notation(state, course),
            nodes=int(self.task["iterations"][0]),
            depth=int(self.values["horizon"]),
            seconds=self.seconds if self.begun is None else time.monotonic() - self.begun,
            unit=Unit("points"),
        )
        return shallow.with_tree(found, tree_nodes)

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """The actions at the root: plans have no positions."""
        report = self.report()
        assert report is not None and self.state is not None
        return shallow.branch(report, self.state, path, depth, top)


def kind(player: type[Planner], help: str, params: tuple[Param, ...]) -> AgentType:
    """A planner as a kind of agents."""

    def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
        return SearchAgent(player(game, values, seed), values)

    return AgentType(player.name, help, lambda game: params, build)
