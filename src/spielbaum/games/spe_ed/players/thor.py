"""Thor: Monte Carlo tree search over own moves, valued by the share of the free cells that it can reach.

It is the general search with components of `components/`: own moves in the tree, drawn moves of the others
(`open_loop_rounds.py`), a leaf valued at once (`area.py`), the five answers (`answers.py`), chosen by UCB1
(`ucb1_living.py`), and a tree that is kept and valued once more (`reevaluate.py`). The answer with the largest mean is
played.

Where report and program of Team Valhalla differ, both can be had: `reuse=reevaluate` is what the program does,
`reuse=one` lets all visits of the last round count as one, as the report says. With `revive=off` a child whose values
were all 0 counts 0, with `revive=on` it gets the exploration term like all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents import mcts
from spielbaum.agents.registry import AgentType
from spielbaum.agents.searching import SearchAgent
from spielbaum.agents.weights import weight_values
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.components.ucb1_living import REVIVE
from spielbaum.games.spe_ed.evaluate import EVALUATIONS
from spielbaum.games.spe_ed.kernels import thor as template
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.policies import SPURT, TURN
from spielbaum.games.spe_ed.rules import ACROSS, ALONG
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search.budget import Budget
from spielbaum.search.mcts import Mcts
from spielbaum.search.report import SearchReport, TreeNode

REUSE = {"reevaluate": "reevaluate", "one": "normalise", "keep": "keep", "fresh": "fresh"}  # as the search has it
PARAMS = (
    Param("iterations", None, "simulations per decision (1000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("margin", 0.0, "seconds to spare before a deadline; the original keeps 0.3 to 0.5", low=0),
    Param("c", 0.0, "exploration constant C of Q + C*sqrt(ln n_p / n)", low=0, tune=(0.0, 2.0)),
    REVIVE,
    Param("evaluation", "area", "what a position is worth", choices=EVALUATIONS),
    Param("reuse", "reevaluate", "the tree of the last round: kept and valued once more, with visits that count as "
          "one, as it is, or dropped", choices=tuple(REUSE)),
    Param("memory", 512, "hard cap on tree memory in MB; at it the search goes on without growing", low=1),
)  # fmt: skip
COMPONENTS = {
    "select": "ucb1-living",
    "expand": "answers",
    "opponents": "open-loop-rounds",
    "decide": "max",
}
OWN_LINES, SAMPLES, ROUNDS_AHEAD = 32, 12, 3  # of what is shown
PLANS = 0x7405  # keeps the draws for a picture apart from those of a search


class ThorAgent(SearchAgent):
    """Plays what its search finds a margin before a deadline, and shows what it has in mind."""

    search: Mcts

    def budget(self, clock: Clock) -> Budget:
        """The agent's own limits and those of the clock, less its margin."""
        budget = super().budget(clock)
        if budget.deadline is None:
            return budget
        return replace(budget, deadline=budget.deadline - self.values["margin"])

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far."""
        found = super().report(tree_nodes)
        return None if found is None else replace(found, algorithm="thor")

    def lines(self) -> list[Line]:
        """The most visited own lines, and what the opponents were seen to do meanwhile, in some draws."""
        report = self.report(tree_nodes=OWN_LINES + 1)
        if report is None or report.tree is None or self.root is None:
            return []
        s, me = self.root.record, self.root.player
        total, head = max(sum(edge.visits for edge in report.edges), 1.0), (int(s.x[me]), int(s.y[me]))
        ways = sorted(ways_down(report.tree), key=lambda way: -way[1])
        own = [Line(me, [head, *steered(s, me, path)], visits / total) for path, visits in ways]
        return own + self.others(self.root, report.principal_variation[:ROUNDS_AHEAD])

    def others(self, state: State, plan: list[int]) -> list[Line]:
        """What the opponents do during a plan, as often as in some draws."""
        game, s, me = state.game, state.record, state.player
        ride_along = game.kernels.link(template).ride_along
        context, choices, answers = game.new_context(), np.zeros(PLAYERS, np.int64), np.array(plan, np.int64)
        rng = random_stream(self.search.seed, self.search.decision, PLANS)
        counts = Counter[tuple[int, tuple[tuple[int, int], ...]]]()
        for _ in range(SAMPLES):
            places = np.zeros((len(plan) + 1, PLAYERS, 2), np.int64)
            places[0, :, 0], places[0, :, 1] = s.x, s.y
            made = ride_along(context, state.array.copy(), me, choices, answers, places, rng)
            for p in range(game.players):
                if p != me and s.died[p] == 0:
                    counts[p, tuple(map(tuple, places[: made + 1, p].tolist()))] += 1
        return [Line(p, list(points), count / SAMPLES) for (p, points), count in counts.items()]


def ways_down(node: TreeNode, path: tuple[int, ...] = ()) -> Iterator[tuple[list[int], float]]:
    """The answers that lead to each node below one, and its visits."""
    for child in node.children:
        way = (*path, child.action)
        yield list(way), child.visits
        yield from ways_down(child, way)


def steered(s: Any, player: int, answers: list[int]) -> Iterator[tuple[int, int]]:
    """The cells at which a player's moves would end."""
    x, y, direction, speed = int(s.x[player]), int(s.y[player]), int(s.direction[player]), int(s.speed[player])
    for answer in answers:
        direction, speed = (direction + TURN[answer]) % 4, speed + SPURT[answer]
        x, y = x + speed * ACROSS[direction], y + speed * ALONG[direction]
        yield x, y


def build(game: Game, values: dict[str, Any], seed: int) -> ThorAgent:
    chosen = {param.name: param.default for param in mcts.params(game)} | values | COMPONENTS
    chosen["reuse"] = REUSE[values["reuse"]]
    chosen["value"] = values["evaluation"].replace("_", "-")
    return ThorAgent(Mcts(game, chosen, weight_values(game, chosen), seed=seed), chosen)


THOR = AgentType(
    "thor", "tree search over own moves, by the share of free cells that it can reach", lambda game: PARAMS, build
)
