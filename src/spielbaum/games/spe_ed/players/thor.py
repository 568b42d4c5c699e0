"""Thor: Monte Carlo tree search over own moves, valued by the share of the free cells that it can reach.

The search is `kernels/spe_ed_thor.py`. It has a kernel of its own because it values a leaf at once, which the general
search does only after a move, values it for nobody else, and chooses its way before it replays it.

Where text and code of Team Valhalla differ, both can be had: `reuse=one` lets all visits of the last round count as
one, as the report says, `reuse=keep` leaves them as they are; with `revive=off` a child whose values were all 0 counts
0, with `revive=on` it gets the exploration term like all others.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.agents.kinds import Kind
from spielbaum.agents.searching import SearchAgent
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.players.valued import new_desk
from spielbaum.games.spe_ed.policies import SPURT, TURN
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, ANSWERS, CHANGE_NOTHING
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.params import Param
from spielbaum.rules import random_stream
from spielbaum.search.budget import Budget, slices
from spielbaum.search.report import EVALUATION, Edge, SearchReport, TreeNode, marked

DEFAULT_ITERATIONS = 1000
PARAMS = (
    Param("iterations", None, "simulations per decision (1000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
    Param("margin", 0.0, "seconds to spare before a deadline; the original keeps 0.3 to 0.5", low=0),
    Param("c", 0.0, "exploration constant C of Q + C*sqrt(ln n_p / n)", low=0, tune=(0.0, 2.0)),
    Param("revive", False, "children whose values were all 0 get the exploration term as well"),
    Param("reuse", "one", "the tree of the last round: its visits count as one, are kept, or it is dropped",
          choices=("one", "keep", "fresh")),
    Param("memory", 512, "hard cap on tree memory in MB; at it the search goes on without growing", low=1),
)  # fmt: skip
FEWEST, MEGABYTE = 1 << 16, 1 << 20
PLANS = 0x7405  # keeps the draws for a picture apart from those of a search


class Thor:
    """The search with its parameters set; it keeps its tree between rounds."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.game, self.values, self.seed = game, values, seed
        self.kernels, self.context = game.kernels.spe_ed_thor, game.new_context()
        self.desk = new_desk(self.kernels.DESK, c=values["c"], revive=values["revive"])
        self.nodes, self.spare = self.room(FEWEST), self.room(0)
        self.states = np.zeros(2, game.rules.STATE)
        self.state: State | None = None
        self.decision, self.action, self.iterations = 0, CHANGE_NOTHING, 0
        self.rng = random_stream(seed)
        self.begin: float | None = None
        self.seconds = 0.0

    # --- thinking -------------------------------------------------------------------------------

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """The answer with the largest mean value."""
        self.prepare(state)
        self.run(0)  # compiles at the very first time, before the clock starts
        self.begin = time.monotonic()
        if budget.iterations is None and budget.seconds is None and budget.deadline is None and budget.stop is None:
            budget = replace(budget, iterations=DEFAULT_ITERATIONS)
        if budget.deadline is not None:
            budget = replace(budget, deadline=budget.deadline - self.values["margin"])
        slices(self.run, budget, budget.end(), watch)
        self.seconds, self.begin = time.monotonic() - self.begin, None
        self.action = self.best()
        return self.action

    def ponder(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> None:
        """Nothing: what the opponents will do is drawn, so there is no next position to think about."""

    def prepare(self, state: State) -> None:
        """Set the position, with the tree below the last answer if it was the move that led here."""
        if self.values["reuse"] != "fresh" and self.follows(state):
            self.keep(self.values["reuse"] == "one")
        else:
            self.nodes[: ANSWERS + 1] = 0
            self.nodes["first"][0] = 1
            self.desk["used"], self.desk["deepest"] = ANSWERS + 1, 0
        self.desk["full"] = False
        self.desk["me"] = state.player
        self.state = state.copy()
        self.states[0] = state.record
        self.rng = random_stream(self.seed, self.decision)
        self.decision, self.iterations = self.decision + 1, 0

    def follows(self, state: State) -> bool:
        """Whether a position is one round after the last one, with our answer played."""
        if self.state is None or self.state.player != state.player:
            return False
        before, now, me = self.state.record, state.record, state.player
        same_game = all((before[name] == now[name]).all() for name in ("from_x", "from_y", "width", "height"))
        arrived = next(steered(before, me, [self.action])) == (now.x[me], now.y[me])
        return bool(same_game and arrived and now.rounds == before.rounds + 1)

    def keep(self, as_one: bool) -> None:
        if len(self.spare) < len(self.nodes):
            self.spare = self.room(len(self.nodes))
        child = int(self.nodes["first"][0]) + self.action
        self.kernels.keep(self.context, self.nodes, self.spare, self.desk, child, as_one)
        self.nodes, self.spare = self.spare, self.nodes

    def run(self, iterations: int) -> int:
        """Grow the tree by that many iterations."""
        done = 0
        while True:
            arguments = (self.context, self.states, self.nodes, self.desk, self.rng, iterations - done)
            done += int(self.kernels.run(*arguments))
            if done == iterations:
                self.iterations += done
                return done
            self.grow()

    def grow(self) -> None:
        """Double the room for the tree, up to the cap."""
        most = self.values["memory"] * MEGABYTE // self.nodes.itemsize
        room = min(2 * len(self.nodes), most)
        if room <= len(self.nodes):
            self.desk["full"] = True
        else:
            self.nodes = np.concatenate([self.nodes, self.room(room - len(self.nodes))])

    def room(self, nodes: int) -> np.ndarray:
        """Room for so many nodes."""
        return np.zeros(nodes, self.kernels.NODE)

    # --- results --------------------------------------------------------------------------------

    def children(self, node: int = 0) -> list[int]:
        """The children of a node, in the order of the answers; none of a leaf."""
        first = int(self.nodes["first"][node])
        return list(range(first, first + ANSWERS)) if first else []

    def visits(self, node: int) -> int:
        return int(self.nodes["visits"][node])

    def mean(self, node: int) -> float:
        return float(self.nodes["total"][node]) / max(self.visits(node), 1)

    def known(self, node: int) -> float | None:
        return self.mean(node) if self.visits(node) else None

    def best(self) -> int:
        """The answer with the largest mean; of equals the first."""
        means = [self.mean(child) for child in self.children()]
        return means.index(max(means))

    def plan(self) -> list[int]:
        """The chosen answer, and after it the best one of each node."""
        line, node = [self.best()], 0
        while self.children(node):
            node = self.children(node)[line[-1]]
            children = [child for child in self.children(node) if self.visits(child)]
            if not children:
                break
            line.append(max(children, key=self.mean) - self.children(node)[0])
        return line

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far."""
        if self.state is None:
            return None
        state, chosen, line, children = self.state, self.best(), self.plan(), self.children()
        edges = [
            Edge(answer, state.format(answer), float(self.visits(child)), self.known(child))
            for answer, child in enumerate(children)
        ]
        return SearchReport(
            algorithm="thor",
            player=state.player,
            action=chosen,
            value=self.mean(children[chosen]),
            edges=sorted(edges, key=lambda edge: -edge.visits),
            principal_variation=line,
            line=state.formats(line),
            nodes=self.iterations,
            depth=int(self.desk["deepest"][0]),
            seconds=self.seconds if self.begin is None else time.monotonic() - self.begin,
            memory=self.nodes.nbytes + self.spare.nbytes,
            full=bool(self.desk["full"][0]),
            unit=EVALUATION,
            tree=self.picture(tree_nodes) if tree_nodes else None,
        )

    def most_visited(self, nodes: int) -> Iterator[tuple[int, list[int]]]:
        """Some nodes with the answers that lead to them, always the most visited of those next to the ones before."""
        waiting = [(-self.visits(child), [answer], child) for answer, child in enumerate(self.children())]
        heapq.heapify(waiting)
        while waiting and nodes > 0:
            visits, path, node = heapq.heappop(waiting)
            if visits == 0:
                return
            yield node, path
            nodes -= 1
            for answer, child in enumerate(self.children(node)):
                heapq.heappush(waiting, (-self.visits(child), [*path, answer], child))

    def drawn(self, answer: int, node: int) -> TreeNode:
        """A node without what lies below."""
        assert self.state is not None
        move = self.state.format(answer) if node else ""
        return TreeNode(answer, move, self.state.player, float(self.visits(node)), self.known(node) if node else None)

    def picture(self, nodes: int) -> TreeNode:
        """The most visited part of the tree."""
        shown: dict[tuple[int, ...], tuple[int, TreeNode]] = {(): (0, self.drawn(-1, 0))}
        for node, path in self.most_visited(nodes - 1):
            shown[tuple(path)] = node, self.drawn(path[-1], node)
            shown[tuple(path[:-1])][1].children.append(shown[tuple(path)][1])
        hiding = {
            id(picture)
            for node, picture in shown.values()
            if len(picture.children) < sum(self.visits(child) > 0 for child in self.children(node))
        }
        return marked(shown[()][1], hiding)

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """The `top` most visited children of each node below a path of own answers, and the position there.

        Before the next own answer everybody else is supposed to change nothing.
        """
        assert self.state is not None
        node, state = 0, self.state.copy()
        for answer in path:
            while state.asked:
                state.play(CHANGE_NOTHING)
            if not 0 <= answer < len(self.children(node)) or state.over or state.player != self.state.player:
                raise SpielbaumError(f"the tree has no node {path}")
            node = self.children(node)[answer]
            state.play(answer)
        return self.below(path[-1] if path else -1, node, depth, top), state

    def below(self, answer: int, node: int, depth: int, top: int) -> TreeNode:
        visited = sorted((child for child in self.children(node) if self.visits(child)), key=self.visits, reverse=True)
        shown = visited[:top] if depth > 0 else []
        children = [self.below(child - self.children(node)[0], child, depth - 1, top) for child in shown]
        return replace(self.drawn(answer, node), children=children, more=len(visited) > len(shown))

    # --- pictures over the board ----------------------------------------------------------------

    def lines(self, own: int = 32, samples: int = 12, rounds: int = 3) -> list[Line]:
        """The most visited own lines, and what the opponents were seen to do meanwhile, in some draws."""
        if self.state is None:
            return []
        s, me = self.state.record, self.state.player
        total = max(sum(map(self.visits, self.children())), 1)
        head = (int(s.x[me]), int(s.y[me]))
        found = [
            Line(me, [head, *steered(s, me, path)], self.visits(node) / total) for node, path in self.most_visited(own)
        ]
        answers = np.array(self.plan()[:rounds], np.int64)
        states, desk = self.states.copy(), self.desk.copy()  # whoever looks may be another thread than who searches
        rng, counts = random_stream(self.seed, self.decision, PLANS), Counter[tuple[int, tuple[tuple[int, int], ...]]]()
        for _ in range(samples):
            places = np.zeros((len(answers) + 1, PLAYERS, 2), np.int64)
            places[0, :, 0], places[0, :, 1] = s.x, s.y
            made = self.kernels.ride_along(self.context, states, desk, answers, places, rng)
            for p in range(self.game.players):
                if p != me and s.died[p] == 0:
                    counts[p, tuple(map(tuple, places[: made + 1, p].tolist()))] += 1
        return found + [Line(p, list(points), count / samples) for (p, points), count in counts.items()]


def steered(s: Any, player: int, answers: list[int]) -> Iterator[tuple[int, int]]:
    """The cells at which a player's moves would end."""
    x, y, direction, speed = int(s.x[player]), int(s.y[player]), int(s.direction[player]), int(s.speed[player])
    for answer in answers:
        direction, speed = (direction + TURN[answer]) % 4, speed + SPURT[answer]
        x, y = x + speed * ACROSS[direction], y + speed * ALONG[direction]
        yield x, y


class ThorAgent(SearchAgent):
    """Plays what Thor finds, and shows what it has in mind."""

    search: Thor

    def lines(self) -> list[Line]:
        """Own plans, and what is expected of the others."""
        return self.search.lines()


def build(game: Game, values: dict[str, Any], seed: int) -> ThorAgent:
    return ThorAgent(Thor(game, values, seed), values)


THOR = Kind(
    "thor", "tree search over own moves, by the share of free cells that it can reach", lambda game: PARAMS, build
)
