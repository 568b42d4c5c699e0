"""Monte Carlo tree search from Python: budgets, threads, worlds, tree re-use and the report.

The search itself is `templates/mcts.py`. Hidden information is treated in one of two ways:

- *Determinization*: the budget is divided over sampled worlds, one tree each, and the results of
  each root action are summed (as the Scotland Yard thesis does for its detectives).
- *Information sets* (`ismcts`): every iteration draws a world of its own and all share one tree
  (Cowling, Powley & Whitehouse 2012).

Root parallel: each thread grows its own tree, and the root statistics are summed (Chaslot et al. 2008).
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.rules import below, random_stream
from spielbaum.search import settings as declared
from spielbaum.search.budget import SLICE, Budget, slices
from spielbaum.search.decide import decide, is_settled
from spielbaum.search.policies import parse_filters, parse_guess, parse_policies
from spielbaum.search.report import Edge, SearchReport, TreeNode, notation
from spielbaum.search.tree import APART, DEEPEST, FULL, ROOT, STARVED, clear, grow, new_tree, tree_bytes
from spielbaum.search.work import ROOT_STATE, new_work, words_of

MEGABYTE = 1 << 20
DEFAULT_ITERATIONS = 1000
GUESSED = 0x6E55  # keeps the guesses of a decision apart from its searches


class Grower:
    """One tree and the arrays that its thread works with."""

    def __init__(self, game: Game, p: np.ndarray, weights: np.ndarray, chances: np.ndarray, cap: int):
        self.game, self.p, self.cap = game, p, cap
        self.rng = np.zeros(APART, np.uint64)[:1]
        self.tree = new_tree(bool(p["extras"][0]), bool(p["share"][0] or p["by_view"][0]))
        self.states = np.zeros(4, game.module.STATE)
        self.raw = words_of(self.states)
        self.work = new_work(game, int(p["me"][0]), weights, chances)
        self.done = 0

    def run(self, iterations: int) -> int:
        """Grow the tree by that many iterations."""
        done = 0
        while done < iterations:
            done += self.run_kernel(iterations - done)
            if self.tree.used[STARVED]:
                self.tree = grow(self.tree, self.cap)
        self.done += done
        return done

    def run_kernel(self, iterations: int) -> int:
        run, t = self.game.kernels.mcts.run, self.game.tables
        return int(run(t, self.tree, self.states, self.raw, self.work, self.p, self.rng, iterations))

    def keep(self, actions: list[int], normalise: bool) -> None:
        """Make the subtree behind some actions the tree; an empty one where they lead nowhere."""
        edge = ROOT
        for action in actions:
            edge = next((e for e in self.children(edge) if self.tree.edges[e].action == action), -1)
            if edge < 0:
                clear(self.tree)
                return
        kept = new_tree(len(self.tree.extras) > 1, False, len(self.tree.edges))
        self.game.kernels.reuse.keep(self.game.tables, self.tree, kept, edge, normalise)
        self.tree = kept

    def children(self, edge: int) -> range:
        """The edges below an edge."""
        node = self.tree.edges[edge].node
        if node < 0:
            return range(0)
        first = int(self.tree.nodes[node].first)
        return range(first, first + int(self.tree.nodes[node].count))


def in_turn(growers: list[Grower]) -> Callable[[int], int]:
    """How one slice runs: every tree by the same number of iterations."""
    return lambda n: max(grower.run(n) for grower in growers)


class Mcts:
    """A Monte Carlo tree search with its parameters set; it keeps its tree between decisions if told to."""

    def __init__(
        self, game: Game, values: dict[str, Any], weights: np.ndarray, *, information_sets: bool = False, seed: int = 0
    ):
        self.game, self.values, self.weights = game, values, weights
        self.information_sets = information_sets
        self.seed = seed
        self.decision = 0
        self.chances = parse_policies(game, values["simulate"])
        self.filters = parse_filters(game, values["filter"])
        self.guess = parse_guess(game, values["guess"])
        self.growers: list[Grower] = []
        self.spare: list[Grower] = []
        self.state: State | None = None
        self.action = -1
        self.begin: float | None = None
        self.seconds = 0.0
        check_fit(game, values)

    @property
    def iterations(self) -> int:
        """How many iterations the last search has made, or this one so far."""
        return sum(grower.done for grower in self.growers)

    @property
    def reuse(self) -> str:
        return str(self.values.get("reuse", "fresh"))

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """Search a position, as its mover sees it, and answer the action to play."""
        self.prepare(state)
        self.growers[0].run_kernel(0)  # compiles at the very first time, before the clock starts
        self.begin, end = time.monotonic(), budget.end()
        per_tree = self.per_tree(budget)
        if per_tree == 0:
            return self.any_action(state)
        with ThreadPoolExecutor(self.values["threads"]) as pool:
            done = self.grow(pool, per_tree, budget, end, watch)
            if time.monotonic() < end and not self.settled():
                stop = Budget(stop=lambda: budget.stopped() or self.settled())
                self.grow(pool, done // len(self.growers), stop, end, watch)
        self.seconds = time.monotonic() - self.begin
        self.begin = None
        self.action = self.best()
        return self.action

    def any_action(self, state: State) -> int:
        """A random action, where there are more worlds than iterations."""
        self.seconds, self.begin = 0.0, None
        self.action = state.actions[int(below(self.growers[0].rng, len(state.actions)))]
        return self.action

    def grow(
        self,
        pool: ThreadPoolExecutor,
        per_tree: int | None,
        budget: Budget,
        end: float,
        watch: Callable[[], None] | None,
    ) -> int:
        """Grow all trees, each thread its share of them in turn; how many iterations it was."""
        shares = [self.growers[number :: self.values["threads"]] for number in range(self.values["threads"])]
        if len(shares) == 1:
            return slices(in_turn(shares[0]), Budget(per_tree, stop=budget.stopped), end, watch) * len(shares[0])
        stop = threading.Event()
        limits = Budget(per_tree, stop=stop.is_set)
        futures = [pool.submit(slices, in_turn(share), limits, end) for share in shares]
        try:
            while wait(futures, SLICE).not_done:
                if watch is not None:
                    watch()
                if budget.stopped():
                    stop.set()
        finally:
            stop.set()
        return sum(future.result() * len(share) for future, share in zip(futures, shares, strict=True))

    def per_tree(self, budget: Budget) -> int | None:
        """The iterations of each tree: divided evenly, the remainder dropped."""
        total = budget.iterations
        if total is None:
            if budget.seconds is not None or budget.deadline is not None or budget.stop is not None:
                return None
            total = DEFAULT_ITERATIONS
        if self.values.get("worlds") == 0:
            return total // len(self.growers)
        return max(1, total // len(self.growers))

    def prepare(self, state: State) -> None:
        """Set up trees and root states for a decision."""
        p = declared.settings(
            self.values,
            filters=self.filters,
            guess=self.guess,
            hidden=self.information_sets and self.game.hidden,
            chance=self.game.chance,
            me=state.player,
            players=self.game.players,
        )
        worlds = self.worlds(state)
        trees = max(len(worlds), self.values["threads"])
        kept = self.actions_since(state)
        if len(self.growers) != trees or self.growers[0].p != p:
            self.growers = self.enough_growers(trees, p)
            kept = None
        for number, grower in enumerate(self.growers):
            grower.rng[:] = random_stream(self.seed, self.decision, number)
            grower.work["plan"] = grower.rng
            grower.done = 0
            grower.states[ROOT_STATE] = worlds[number % len(worlds)][0]
            if kept is None:
                clear(grower.tree)
            else:
                grower.keep(kept, self.reuse == "normalise")
        self.state = state.copy()
        self.decision += 1

    def enough_growers(self, trees: int, p: np.ndarray) -> list[Grower]:
        """So many growers; those of earlier decisions are taken again, because their trees are large."""
        cap = self.values["memory"] * MEGABYTE // trees
        if self.spare and self.spare[0].p != p:
            self.spare = []
        for grower in self.spare:
            grower.cap = cap
        missing = range(trees - len(self.spare))
        self.spare += [Grower(self.game, p, self.weights, self.chances, cap) for _ in missing]
        return self.spare[:trees]

    def worlds(self, state: State) -> list[np.ndarray]:
        """What each tree begins from: the state, or possible ones where something of it is hidden."""
        if self.information_sets or not self.game.hidden:
            return [state.array]
        if self.values["worlds"] == 0:
            return self.all_worlds(state)
        worlds = []
        for number in range(max(self.values["worlds"], self.values["threads"])):
            worlds.append(self.guessed(state, random_stream(self.seed, self.decision, number, GUESSED)))
            if worlds[0].tobytes() == state.array.tobytes():
                break  # this player sees everything
        return worlds

    def guessed(self, state: State, rng: np.ndarray) -> np.ndarray:
        """A state that may be behind a view, STATE[1]."""
        world, face, t = state.array.copy(), self.game.kernels.face, self.game.tables
        if self.guess < 0:
            face.determinize(t, world, state.player, rng)
        else:
            face.guess(t, world, self.guess, state.player, rng)
        return world

    def all_worlds(self, state: State) -> list[np.ndarray]:
        """All states that may be behind a view."""
        worlds: list[np.ndarray] = []
        while True:
            world = state.array.copy()
            count = self.game.kernels.face.possibility(self.game.tables, world, state.player, len(worlds))
            worlds.append(world)
            if len(worlds) >= count:
                return worlds

    def actions_since(self, state: State) -> list[int] | None:
        """What was played in the tree since the last decision; None where the tree is of no use."""
        if self.reuse == "fresh" or self.state is None:
            return None
        before, now = self.state.history, state.history
        if before is None or now is None or now[: len(before)] != before:
            return None
        return [self.action] if self.values["opponents"] == "resample" else now[len(before) :]

    # --- results --------------------------------------------------------------------------------

    def root(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Actions at the root with visits, mean values and priors, summed over all trees."""
        assert self.state is not None
        codes = self.game.module.ACTION_CODES
        visits, totals, priors = np.zeros(codes), np.zeros(codes), np.zeros(codes)
        order: dict[int, None] = {}
        for grower in self.growers:
            edges = grower.tree.edges[list(grower.children(ROOT))]
            np.add.at(visits, edges["action"], edges["visits"])
            np.add.at(totals, edges["action"], edges["total"])
            priors[edges["action"]] = edges["prior"]
            order.update(dict.fromkeys(edges["action"].tolist()))
        legal = set(self.state.actions)
        actions = np.array([a for a in order if a in legal] or self.state.actions, np.int64)
        means = totals[actions] / np.maximum(visits[actions], 1e-12)
        return actions, visits[actions], means, priors[actions]

    def best(self) -> int:
        actions, visits, means, _ = self.root()
        return int(actions[decide(self.values["decide"], visits, means, self.values["secure"])])

    def settled(self) -> bool:
        _, visits, means, _ = self.root()
        return is_settled(self.values["decide"], visits, means)

    def report(self, tree_nodes: int = 0) -> SearchReport:
        """What the search has found, at its end or so far; with `tree_nodes` the most visited part of its tree."""
        assert self.state is not None
        actions, visits, means, priors = self.root()
        chosen = self.best()
        line = self.principal_variation(chosen)
        names = notation(self.world(), line)
        order = np.argsort(-visits, kind="stable")
        return SearchReport(
            algorithm="ismcts" if self.information_sets else "mcts",
            player=self.state.player,
            action=chosen,
            value=float(means[actions.tolist().index(chosen)]),
            edges=[
                Edge(
                    action=int(actions[i]),
                    move=self.state.format(int(actions[i])),
                    visits=float(visits[i]),
                    value=float(means[i]) if visits[i] > 0 else None,
                    prior=float(priors[i]),
                )
                for i in order
            ],
            principal_variation=line[: len(names)],
            line=names,
            nodes=self.iterations,
            depth=max(int(grower.tree.used[DEEPEST]) for grower in self.growers),
            seconds=self.seconds if self.begin is None else time.monotonic() - self.begin,
            memory=sum(tree_bytes(grower.tree) for grower in self.growers),
            full=any(bool(grower.tree.used[FULL]) for grower in self.growers),
            tree=self.picture(tree_nodes) if tree_nodes else None,
        )

    def principal_variation(self, first: int) -> list[int]:
        """The chosen action and then the most visited ones, in the tree that knows it best."""
        grower, edges = self.growers[0], self.growers[0].tree.edges
        line, edge = [first], self.child_of(ROOT, first)
        while edge >= 0 and len(line) < 64:
            children = grower.children(edge)
            edge = max(children, key=lambda e: float(edges["visits"][e]), default=-1)
            if edge < 0 or edges["visits"][edge] == 0:
                break
            line.append(int(edges["action"][edge]))
        return line

    def child_of(self, edge: int, action: int) -> int:
        grower = self.growers[0]
        return next((e for e in grower.children(edge) if grower.tree.edges[e].action == action), -1)

    def picture(self, nodes: int) -> TreeNode:
        """The most visited nodes of the first tree, for drawing."""
        assert self.state is not None
        grower = self.growers[0]
        shown = most_visited(grower, nodes)
        return draw(grower, ROOT, "", self.world(), shown)

    def branch(self, path: list[int], depth: int = 1, top: int = 8) -> tuple[TreeNode, State]:
        """The `top` most visited children of each node, some levels down from the end of a path of actions.

        Also the position there, as the first tree supposes it to be.
        """
        grower, state, edge, move = self.growers[0], self.world(), ROOT, ""
        for action in path:
            edge = self.child_of(edge, action)
            if edge < 0 or action not in state.actions:
                raise SpielbaumError(f"the tree has no node {path}")
            move = state.format(action)
            state.play(action)
        shown, level = {edge}, [edge]
        for _ in range(depth):
            level = [child for parent in level for child in most_visited_children(grower, parent)[:top]]
            shown.update(level)
        return draw(grower, edge, move, state.copy(), shown), state

    def world(self) -> State:
        """The position as the first tree supposes it to be: rules can't play on from blanks."""
        assert self.state is not None
        world = self.state.copy()
        if self.game.hidden:
            world.array[0] = self.growers[0].states[ROOT_STATE]
            rng = random_stream(self.seed, self.decision)
            self.game.kernels.face.determinize(self.game.tables, world.array, self.state.player, rng)
        return world


def most_visited(grower: Grower, nodes: int) -> set[int]:
    """The edges to show: from the root, always the most visited neighbour of what is shown already."""
    heap, shown = [(0.0, ROOT)], set[int]()
    while heap and len(shown) < nodes:
        _, edge = heapq.heappop(heap)
        if edge in shown:
            continue
        shown.add(edge)
        for child in grower.children(edge):
            visits = float(grower.tree.edges[child].visits)
            if visits > 0:
                heapq.heappush(heap, (-visits, child))
    return shown


def most_visited_children(grower: Grower, edge: int) -> list[int]:
    visits = grower.tree.edges["visits"]
    return sorted((child for child in grower.children(edge) if visits[child] > 0), key=lambda child: -visits[child])


def draw(grower: Grower, edge: int, move: str, state: State, shown: set[int]) -> TreeNode:
    """The shown part of the tree below an edge; a node that several edges reach is drawn once."""
    shown.discard(edge)
    e = grower.tree.edges[edge]
    children, more = [], False
    for child in grower.children(edge):
        if child not in shown:
            more = more or bool(grower.tree.edges[child].visits > 0)
        else:
            action = int(grower.tree.edges[child].action)
            after, name = state.copy(), state.format(action)
            if action in after.actions:
                after.play(action)
            children.append(draw(grower, child, name, after, shown))
    return TreeNode(
        action=int(e.action),
        move=move,
        player=int(e.mover),
        visits=float(e.visits),
        value=float(e.total / e.visits) if e.visits > 0 and edge != ROOT else None,
        children=sorted(children, key=lambda node: -node.visits),
        more=more,
    )


def check_fit(game: Game, values: dict[str, Any]) -> None:
    """Refuse combinations of parameters that would be ignored or wrong for this game."""
    opponents, reuse, share = values.get("opponents", "tree"), values.get("reuse", "fresh"), values.get("share")
    evaluates = game.has("evaluate")
    wrong = [
        (share and not game.has("key"), f"share=on needs a rule 'key', which {game.name} does not have"),
        (share and (game.hidden or game.chance), f"share=on needs full information; {game.name} hides or rolls"),
        (share and opponents != "tree", f"share=on goes with opponents=tree, not {opponents}"),
        (share and reuse != "fresh", f"share=on goes with reuse=fresh, not {reuse}"),
        (
            values.get("worlds") == 0 and game.hidden and not game.has("possibility"),
            f"worlds=0 needs a rule 'possibility', which {game.name} does not have",
        ),
        (
            values.get("worlds") == 0 and bool(values["guess"]),
            f"guess={values['guess']} draws some worlds, but worlds=0 takes all; set worlds, or leave guess out",
        ),
        (
            values["coalition"] > 0 and not game.has("credit"),
            f"coalition={values['coalition']} needs a rule 'credit', which {game.name} does not have",
        ),
        (reuse != "fresh" and opponents == "fixed", f"reuse={reuse} does not go with opponents=fixed"),
        (
            reuse != "fresh" and game.hidden and not game.sees_all,
            f"reuse={reuse} needs to know what was played, which {game.name} hides",
        ),
        (
            values["value"] != "result" and not evaluates,
            f"value={values['value']} needs a rule 'evaluate', which {game.name} does not have",
        ),
        (
            values["depth"] > 0 and not evaluates,
            f"depth={values['depth']} needs a rule 'evaluate', which {game.name} does not have",
        ),
    ]
    for broken, message in wrong:
        if broken:
            raise SpielbaumError(message)
