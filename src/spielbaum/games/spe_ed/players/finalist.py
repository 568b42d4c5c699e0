"""`finalist`: a sparring partner of the kind that came far in 2021, multi-minimax over territories.

It deepens round by round until its time is up, and looks only at opponents within a window around its head. The search
is `kernels/spe_ed_finalist.py`.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spielbaum.agents.agent import Watch
from spielbaum.agents.registry import AgentType
from spielbaum.agents.searching import SearchAgent
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.kernels import finalist as template
from spielbaum.games.spe_ed.rules import ANSWERS, STATE
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.games.spe_ed.voronoi import VORONOI
from spielbaum.params import Param
from spielbaum.search import shallow
from spielbaum.search.budget import NEVER, Budget, slices
from spielbaum.search.report import EVALUATION, Edge, SearchReport, TreeNode

DEEPEST = 16
DEFAULT_DEPTH = 3

PARAMS = (
    Param("depth", None, "rounds to look ahead at most (3 when no time is given)", low=1, high=DEEPEST, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("window", 5, "opponents further away than so many steps are left out", low=0, tune=(2, 40)),
    Param("enemies", 3, "opponents to look at, at most, the nearest first", low=0, high=PLAYERS - 1, tune=(1, 3)),
    Param("pace", 2, "speed at which territories grow, at most", low=1, high=10, tune=(1, 4)),
    Param(
        "haste",
        0.45,
        "what each cell of speed above the first costs, as a share of the free cells",
        low=0,
        tune=(0.01, 1.0),
        log=True,
    ),
)


def own_part(state: State) -> np.ndarray:
    """The position without what the engine keeps about the round."""
    array = np.zeros(1, STATE)
    for field in STATE.names or ():
        array[field] = state.array[field]
    return array


def nearest(array: np.ndarray, me: int, players: int, window: float, most: int) -> list[int]:
    """The active opponents within so many steps, the nearest first."""
    s = array[0]
    steps = {
        q: abs(int(s["x"][q]) - int(s["x"][me])) + abs(int(s["y"][q]) - int(s["y"][me]))
        for q in range(players)
        if q != me and s["died"][q] == 0
    }
    return sorted((q for q in steps if steps[q] <= window), key=lambda q: (steps[q], q))[:most]


class MultiMinimax:
    """Iterative deepening of the search in the kernel."""

    def __init__(self, game: Game, values: dict[str, Any]):
        self.game, self.values = game, values
        self.frames, self.workspace = np.zeros(DEEPEST + 1, template.FRAME), np.zeros(1, template.WORKSPACE)
        self.states, self.room = np.zeros(DEEPEST + 1, STATE), np.zeros(1, VORONOI)
        self.found = np.zeros(ANSWERS)
        self.state: State | None = None
        self.values_of: dict[int, float] = {}
        self.depth, self.seconds = 0, 0.0

    def think(self, state: State, budget: Budget, watch: Watch | None = None) -> int:
        """The action whose worst case is best."""
        me, kernels = state.player, self.game.kernels.link(template)
        self.state = state.copy()
        self.states[0] = own_part(state)[0]
        self.workspace[:] = np.zeros(1, template.WORKSPACE)
        enemies = nearest(self.states, me, self.game.players, self.values["window"], self.values["enemies"])
        self.workspace["me"], self.workspace["enemies"] = me, len(enemies)
        self.workspace["pace"], self.workspace["haste"] = self.values["pace"], self.values["haste"]
        self.workspace["enemy"][0, : len(enemies)] = enemies
        buffer = np.zeros(ANSWERS, np.int64)
        self.workspace["depth"] = -1
        self.run(0)  # compiles at the very first time, before the clock starts
        begin, end = time.monotonic(), budget.end()
        n = kernels.alive(self.game.context, self.states, me, buffer)
        self.values_of, self.depth = dict.fromkeys(buffer[:n].tolist(), 0.0), 0
        for depth in range(1, self.deepest(end) + 1):
            if n == 1 or not self.deepen(depth, budget, end, watch):
                break
        self.seconds = time.monotonic() - begin
        return self.best()

    def deepest(self, end: float) -> int:
        if self.values["depth"] is not None:
            return int(self.values["depth"])
        return DEFAULT_DEPTH if end == NEVER else DEEPEST

    def deepen(self, depth: int, budget: Budget, end: float, watch: Watch | None) -> bool:
        """Search to a depth; whether there was time for all of it. What was valued until then counts in any case."""
        order = sorted(self.values_of, key=lambda action: -self.values_of[action])
        self.frames["action"][0, : len(order)] = order
        self.frames["moves"][0] = len(order)
        self.workspace["horizon"] = depth
        self.game.kernels.link(template).root(self.game.context, self.states, self.frames, self.workspace)
        slices(self.run, Budget(stop=budget.stopped), end, watch)
        valued = order[: int(self.workspace["valued"][0])]
        finished = bool(self.workspace["depth"][0] < 0)
        if finished or valued:
            self.values_of = {action: float(self.found[action]) for action in valued} | {
                action: self.values_of[action] for action in order if not finished and action not in valued
            }
            best = max(valued, key=lambda action: self.values_of[action])
            for action in order:  # what was not looked at in this depth does not compare with what was
                if action not in valued:
                    self.values_of[action] = min(self.values_of[action], self.values_of[best] - 1e-9)
        self.depth = depth if finished else self.depth
        return finished

    def run(self, nodes: int) -> int:
        kernels = self.game.kernels.link(template)
        return int(
            kernels.run(self.game.context, self.states, self.frames, self.workspace, self.room, self.found, nodes)
        )

    def best(self) -> int:
        return max(self.values_of, key=lambda action: self.values_of[action])

    def ponder(self, state: State, budget: Budget, watch: Watch | None = None) -> None:
        """Nothing: nothing is kept between decisions."""

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """The worst case of each action that is not deadly for certain; of all but the best a bound."""
        if self.state is None or not self.values_of:
            return None
        chosen, state = self.best(), self.state
        ranked = sorted(self.values_of, key=lambda action: -self.values_of[action])
        found = SearchReport(
            algorithm="multi-minimax",
            player=state.player,
            action=chosen,
            value=self.values_of[chosen],
            edges=[Edge(a, state.format(a), 1.0, self.values_of[a], exact=a == chosen) for a in ranked],
            principal_variation=[chosen],
            line=[state.format(chosen)],
            nodes=int(self.workspace["nodes"][0]),
            depth=self.depth,
            seconds=self.seconds,
            unit=EVALUATION,
        )
        return shallow.with_tree(found, tree_nodes)

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """The actions at the root: lines further down are not kept."""
        report = self.report()
        assert report is not None and self.state is not None
        return shallow.branch(report, self.state, path, depth, top)


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(MultiMinimax(game, values), values)


HELP = "multi-minimax over territories, as finalists of 2021 played"
FINALIST = AgentType("finalist", HELP, lambda game: PARAMS, build)
