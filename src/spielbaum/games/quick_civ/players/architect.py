"""architect."""
from __future__ import annotations
import time
from typing import Any
import numpy as np
from spielbaum.agents.agent import Watch
from spielbaum.agents.kinds import Kind
from spielbaum.agents.searching import SearchAgent
from spielbaum.game import Game, State
from spielbaum.games.quick_civ.planning import FARTHEST, PLAN, LONGEST
from spielbaum.games.quick_civ.rules import ACTION_CODES, STATE, WAIT
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search.budget import Budget, slices
from spielbaum.search.report import EVALUATION, Edge, SearchReport, TreeNode

PARAMS = (
    Param("iterations", None, "plans", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("horizon", 12, "rounds", low=1, high=FARTHEST),
    Param("tail", 3, "rounds", low=0, high=8),
    Param("draws", 12, "", low=1),
    Param("envy", 0.3, "", low=0),
    Param("heat", 0.0, "", low=0),
    Param("theme", 20, "", low=0, high=100),
    Param("gain", 18.0, "", low=0), Param("means", 120.0, "", low=1), Param("land", 60.0, "", low=1), Param("free", 0.4, "", low=0), Param("tile", 40.0, "", low=0),
)

def own_part(state):
    array = np.zeros(1, STATE)
    for field in STATE.names or ():
        array[field] = state.array[field]
    return array

class Architect:
    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game, self.values, self.seed, self.decision = game, values, seed, 0
        self.kernels, self.context = game.kernels.quick_civ_evolution, game.new_context()
        self.trail, self.states, self.plans = np.zeros(FARTHEST + 1, STATE), np.zeros(2, STATE), np.zeros(3, PLAN)
        self.desk = np.zeros(1, self.kernels.DESK)
        for name in ("horizon", "tail", "draws", "envy", "heat", "theme"):
            self.desk[name] = values[name]
        self.rates = np.array([values[k] for k in ("gain", "means", "land", "free", "tile")], float)
        self.soldiers = np.flatnonzero(game.tables.military)
        of = game.tables.of_tiles[:, :, 1, :]
        self.themes = np.array([(a, b) for a in range(28) for b in range(28) if (of[a, :, b] > 0).any()])
        self.tried, self.best = np.zeros(ACTION_CODES, np.int64), np.zeros(ACTION_CODES)
        self.state = None
        self.seconds = 0.0

    def think(self, state: State, budget: Budget, watch: Watch | None = None) -> int:
        self.state = state.copy()
        self.decision += 1
        self.trail[0] = own_part(state)[0]
        self.desk["me"] = state.player
        self.desk["iterations"] = 0
        self.rng = random_stream(self.seed, self.decision)
        self.tried[:] = 0
        self.best[:] = -1e300
        self.shift()
        self.kernels.begin(self.context, self.trail, self.states, self.plans, self.desk, self.rates)
        begin = time.monotonic()
        slices(self.run, budget, budget.end(), watch)
        self.seconds = time.monotonic() - begin
        self.action = int(self.plans["now"][2])
        return self.action

    def shift(self):
        p = self.plans[2]
        if self.decision > 1 and p["now"] != WAIT:
            p["build"][:-1] = p["build"][1:].copy()
            p["length"] = max(p["length"] - 1, 0)
        self.plans[0] = p

    def run(self, n: int) -> int:
        return int(self.kernels.run(self.context, self.trail, self.states, self.plans, self.desk, self.rates, self.soldiers, self.themes, self.tried, self.best, self.rng, n))

    def ponder(self, state, budget, watch=None): pass
    def report(self, tree_nodes=0): return None
    def branch(self, path, depth, top): raise NotImplementedError


def build(game: Game, values: dict[str, Any], seed: int) -> SearchAgent:
    return SearchAgent(Architect(game, values, seed), values)


ARCHITECT = Kind("architect", "x", lambda game: PARAMS, build)
