"""Monte Carlo tree search from Python: budgets, threads, determinizations, tree re-use and the report.

The search itself is `kernels/iterate.py`. Hidden information is treated in one of two ways:

- *Determinization*: the budget is divided over sampled worlds, one tree each, and the results of each root action
  are summed (as the Scotland Yard thesis does for its detectives).
- *Information sets* (`ismcts`): every iteration draws a world of its own and all share one tree (Cowling, Powley &
  Whitehouse 2012).

Root parallel: each thread grows its own tree, and the root statistics are summed (Chaslot et al. 2008).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.rules import below, random_stream
from spielbaum.search.budget import SLICE, Budget, slices
from spielbaum.search.mcts import picture
from spielbaum.search.mcts.batched_search_tree import BatchedSearchTree
from spielbaum.search.mcts.decide import LOST, WON, decide_proven, sample_index
from spielbaum.search.mcts.host import DecideHost, Host, ReuseHost
from spielbaum.search.mcts.places import Place, root_of
from spielbaum.search.mcts.policies import parse_filters, parse_guess, parse_opponent_policy
from spielbaum.search.mcts.search_tree import MEGABYTE, SearchTree
from spielbaum.search.mcts.settings import check_fit, chosen_components, settings, variant_of
from spielbaum.search.mcts.tree import DEEPEST, FULL, tree_bytes
from spielbaum.search.mcts.workspace import ROOT_STATE
from spielbaum.search.report import Edge, SearchReport, TreeNode, Unit, notation, unit_of
from spielbaum.search.sides import OWN, sides

DEFAULT_ITERATIONS = 1000
GUESSED, MIXED = 0x6E55, 0x313D  # keep the guesses of a decision, and its last draw, apart from its searches
LONGEST_LINE = 64


class Trees(NamedTuple):
    """Trees, others that can be used again, and the position that they stand for."""

    trees: list[SearchTree]
    spare: list[SearchTree]
    state: State | None


class Mcts:
    """A Monte Carlo tree search with its parameters set; it keeps its tree between decisions if told to."""

    def __init__(
        self, game: Game, values: dict[str, Any], weights: np.ndarray, *, information_sets: bool = False, seed: int = 0
    ):
        self.game, self.values, self.weights = game, values, weights
        self.information_sets = information_sets
        self.seed = seed
        self.decision = 0
        self.filters = parse_filters(game, values["filter"])
        self.opponent_policy = parse_opponent_policy(game, values.get("opponent-policy", ""))
        self.guess = parse_guess(game, values["guess"])
        self.trees: list[SearchTree] = []
        self.spare: list[SearchTree] = []
        self.state: State | None = None
        self.ahead: Trees | None = None  # what was pondered
        self.action = -1
        self.begin: float | None = None
        self.seconds = 0.0
        check_fit(game, values, information_sets=information_sets)
        self.variant = variant_of(game, values, information_sets=information_sets)
        chosen = chosen_components(game, values, information_sets=information_sets)
        self.hosts: list[Host] = [each.host(game, values, each.record) for each in chosen]

    @property
    def iterations(self) -> int:
        """How many iterations the last search has made, or this one so far."""
        return sum(tree.done for tree in self.trees)

    @property
    def decide(self) -> DecideHost:
        return next(host for host in self.hosts if isinstance(host, DecideHost))

    @property
    def reuse(self) -> ReuseHost:
        return next(host for host in self.hosts if isinstance(host, ReuseHost))

    # --- thinking -------------------------------------------------------------------------------

    def think(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> int:
        """Search a position, as its mover sees it, and answer the action to play."""
        if self.ahead is not None and is_same(self.ahead.state, state):
            self.trees, self.spare, self.state = self.ahead
            self.decision += 1
        else:
            self.prepare(state)
        self.ahead = None
        return self.search(state, budget, watch)

    def ponder(self, state: State, budget: Budget, watch: Callable[[], None] | None = None) -> None:
        """Grow trees for a position that may come up; if it does, the search goes on with them."""
        before, decision = Trees(self.trees, self.spare, self.state), self.decision
        if self.ahead is None or not is_same(self.ahead.state, state):
            self.trees, self.spare, self.state = [], [], None
            self.prepare(state)
        else:
            self.trees, self.spare, self.state = self.ahead
        self.search(state, budget, watch)
        self.ahead = Trees(self.trees, self.spare, self.state)
        (self.trees, self.spare, self.state), self.decision = before, decision

    def search(self, state: State, budget: Budget, watch: Callable[[], None] | None) -> int:
        """Grow the trees until the budget is used up; the action to play."""
        self.trees[0].run_kernel(0)  # compiles at the very first time, before the clock starts
        self.begin, end = time.monotonic(), budget.end()
        per_tree = self.per_tree(budget)
        if per_tree == 0:
            return self.any_action(state)
        for tree in self.trees:
            tree.plan(per_tree or 0)
        with ThreadPoolExecutor(self.values["threads"]) as pool:
            done = self.grow(pool, per_tree, budget, end, watch)
            self.finish()
            if time.monotonic() < end and not self.settled():
                stop = Budget(stop=lambda: budget.stopped() or self.settled())
                self.grow(pool, done // len(self.trees), stop, end, watch)
                self.finish()
        self.seconds = time.monotonic() - self.begin
        self.begin = None
        self.action = self.best()
        return self.action

    def any_action(self, state: State) -> int:
        """A random action, where there are more worlds than iterations."""
        self.seconds, self.begin = 0.0, None
        self.action = state.actions[int(below(self.trees[0].rng, len(state.actions)))]
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
        shares = [self.trees[number :: self.values["threads"]] for number in range(self.values["threads"])]
        if len(shares) == 1:
            return slices(in_turn(shares[0]), Budget(per_tree, stop=budget.stopped), end, watch) * len(shares[0])
        stop = threading.Event()
        limits = Budget(per_tree, stop=stop.is_set)
        futures = [pool.submit(slices, in_turn(share), limits, end) for share in shares]
        try:
            while wait(futures, SLICE).not_done:
                if watch is not None:
                    watch()
                if budget.stopped() or (per_tree is None and any(tree.settled for tree in self.trees)):
                    stop.set()
        finally:
            stop.set()
        return sum(future.result() * len(share) for future, share in zip(futures, shares, strict=True))

    def finish(self) -> None:
        for tree in self.trees:
            tree.finish()

    def per_tree(self, budget: Budget) -> int | None:
        """The iterations of each tree: divided evenly, the remainder dropped."""
        total = budget.iterations
        if total is None:
            if budget.seconds is not None or budget.deadline is not None or budget.stop is not None:
                return None
            total = DEFAULT_ITERATIONS
        if self.values.get("determinizations") == 0:
            return total // len(self.trees)
        return max(1, total // len(self.trees))

    # --- before a decision ----------------------------------------------------------------------

    def prepare(self, state: State) -> None:
        """Set up trees and root states for a decision."""
        p = settings(
            self.game,
            self.variant,
            self.values,
            filters=self.filters,
            guess=self.guess,
            opponent_policy=self.opponent_policy,
            me=state.player,
            players=self.game.players,
        )
        worlds = self.determinizations(state)
        trees = max(len(worlds), self.values["threads"])
        kept = self.actions_since(state)
        if len(self.trees) != trees or self.trees[0].p != p:
            self.trees = self.enough_trees(trees, p)
            kept = None
        for number, tree in enumerate(self.trees):
            world = worlds[number % len(worlds)][0]
            self.prepare_tree(tree, kept, world)
            tree.prepare(random_stream(self.seed, self.decision, number), world)
        self.state = state.copy()
        self.decision += 1

    def prepare_tree(self, tree: SearchTree, kept: list[int] | None, world: np.ndarray) -> None:
        """What of a tree, and of what was learned besides, lives on from one decision to the next."""
        if kept is None or self.state is None:
            tree.restart()
        else:
            self.reuse.carry_over(tree, self.state, kept)
        if self.decision > 0:
            for host in self.hosts:
                host.between_decisions(tree, world)

    def enough_trees(self, trees: int, p: np.ndarray) -> list[SearchTree]:
        """So many trees; those of earlier decisions are taken again, because their trees are large."""
        cap = self.values["memory"] * MEGABYTE // trees
        if self.spare and self.spare[0].p != p:
            self.spare = []
        for tree in self.spare:
            tree.cap = cap
        missing = range(trees - len(self.spare))
        self.spare += [self.new_tree(p, cap) for _ in missing]
        return self.spare[:trees]

    def new_tree(self, p: np.ndarray, cap: int) -> SearchTree:
        kind = BatchedSearchTree if "BATCHED" in self.variant.flags else SearchTree
        return kind(self.game, self.variant, self.hosts, p, self.weights, cap)

    def determinizations(self, state: State) -> list[np.ndarray]:
        """What each tree begins from: the state, or possible ones where something of it is hidden."""
        if self.information_sets or not self.game.hidden:
            return [state.array]
        if self.values["determinizations"] == 0:
            return self.all_worlds(state)
        worlds = []
        for number in range(max(self.values["determinizations"], self.values["threads"])):
            worlds.append(self.guessed(state, random_stream(self.seed, self.decision, number, GUESSED)))
            if worlds[0].tobytes() == state.array.tobytes():
                break  # this player sees everything
        return worlds

    def guessed(self, state: State, rng: np.ndarray) -> np.ndarray:
        """A state that may be behind a view, STATE[1]."""
        world, game_api, t = state.array.copy(), self.game.kernels.game_api, self.game.context
        if self.guess < 0:
            game_api.determinize(t, world, state.player, rng)
        else:
            game_api.guess(t, world, self.guess, state.player, rng)
        return world

    def all_worlds(self, state: State) -> list[np.ndarray]:
        """All states that may be behind a view."""
        worlds: list[np.ndarray] = []
        while True:
            world = state.array.copy()
            count = self.game.kernels.game_api.enumerate_worlds(self.game.context, world, state.player, len(worlds))
            worlds.append(world)
            if len(worlds) >= count:
                return worlds

    def actions_since(self, state: State) -> list[int] | None:
        """What was played in the tree since the last decision; None where the tree is of no use."""
        if not self.reuse.keeps or self.state is None:
            return None
        before, now = self.state.history, state.history
        if before is None or now is None or now[: len(before)] != before:
            return None
        played = now[len(before) :]
        return self.own_actions(state, played) if "OWN_ONLY" in self.variant.flags else played

    def own_actions(self, state: State, played: list[int]) -> list[int] | None:
        """Those of our side among what was played since the last decision; None where that leads somewhere else."""
        assert self.state is not None
        if self.game.chance:
            return [self.action]  # others' dice can't be rolled again
        at, side, own = self.state.copy(), sides(self.game, state.player), []
        for action in played:
            if side[at.player] == OWN:
                own.append(action)
            at.play(action)
        reached = at.view(state.player) if not at.over else at
        return own if reached.array.tobytes() == state.array.tobytes() else None

    # --- results --------------------------------------------------------------------------------

    def root(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Actions at the root with visits, mean values and priors (NaN without), summed over all trees."""
        assert self.state is not None
        codes = self.game.module.ACTION_CODES
        visits, totals, priors = np.zeros(codes), np.zeros(codes), np.full(codes, np.nan)
        order: dict[int, None] = {}
        for tree in self.trees:
            children = root_of(tree, self.state).children()
            edges = tree.arrays.edges[children]
            np.add.at(visits, edges["action"], edges["visits"])
            np.add.at(totals, edges["action"], edges["total"])
            found = tree.priors(children)
            if found is not None:
                priors[edges["action"]] = found
            order.update(dict.fromkeys(edges["action"].tolist()))
        legal = set(self.state.actions)
        actions = np.array([a for a in order if a in legal] or self.state.actions, np.int64)
        means = totals[actions] / np.maximum(visits[actions], 1e-12)
        for action, value in self.proofs().items():
            means[actions == action] = value
        return actions, visits[actions], means, priors[actions]

    def proofs(self) -> dict[int, float]:
        """The root actions whose results are proven in any tree, with their exact values."""
        assert self.state is not None
        found: dict[int, float] = {}
        for tree in self.trees:
            found |= root_of(tree, self.state).proofs()
        return found

    def proven(self) -> bool:
        """Whether the result of the position is certain: a win, or whatever all actions together leave."""
        assert self.state is not None
        proofs = self.proofs()
        return max(proofs.values(), default=LOST) >= WON or proofs.keys() >= set(self.state.actions)

    def strategy(self) -> tuple[np.ndarray, np.ndarray]:
        """Actions at the root, and how often each should be played: by visits, or by the average strategy."""
        assert self.state is not None
        actions, visits, _, _ = self.root()
        weights = dict.fromkeys(actions.tolist(), 0.0)
        for tree in self.trees:
            children = root_of(tree, self.state).children()
            strategies = [host.strategy(tree, children) for host in self.hosts]
            strategy = next((found for found in strategies if found is not None), None)
            if strategy is None:
                weights = dict(zip(actions.tolist(), visits.tolist(), strict=True))
                break
            for edge, weight in zip(children, strategy, strict=True):
                weights[int(tree.arrays.edges[edge].action)] += float(weight)
        total = np.array([weights[action] for action in actions.tolist()])
        return actions, total / total.sum() if total.sum() > 0 else np.full(len(total), 1 / len(total))

    def best(self) -> int:
        if self.decide.draws:
            actions, strategy = self.strategy()
            return int(actions[sample_index(strategy, random_stream(self.seed, self.decision, MIXED))])
        actions, visits, means, _ = self.root()
        proven = np.isin(actions, list(self.proofs()))
        for ranking in (host.ranking(self.trees[0]) for host in self.hosts):
            if ranking is not None:
                visits = np.array([ranking[action] for action in actions.tolist()])
        return int(actions[decide_proven(self.decide, visits, means, proven)])

    def settled(self) -> bool:
        actions, visits, means, _ = self.root()
        open_ = ~np.isin(actions, list(self.proofs()))
        return self.proven() or self.decide.is_decided(visits[open_], means[open_])

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far; with `tree_nodes` the most visited part of its tree."""
        if self.state is None or not self.trees:
            return None
        actions, visits, means, priors = self.root()
        chosen = self.best()
        line = self.principal_variation(chosen)
        names = self.names(line)
        order, proofs = np.argsort(-visits, kind="stable"), self.proofs()
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
                    prior=None if np.isnan(priors[i]) else float(priors[i]),
                    proven=int(actions[i]) in proofs,
                )
                for i in order
            ],
            principal_variation=line[: len(names)],
            line=names,
            nodes=self.iterations,
            depth=max(int(tree.arrays.used[DEEPEST]) for tree in self.trees),
            seconds=self.seconds if self.begin is None else time.monotonic() - self.begin,
            memory=sum(tree_bytes(tree.arrays) for tree in self.trees),
            full=any(bool(tree.arrays.used[FULL]) for tree in self.trees),
            cut_off=self.cut_off(),
            proven=self.proven(),
            unit=self.unit(),
            tree=picture.most_visited(self.first_place(), tree_nodes) if tree_nodes else None,
        )

    def unit(self) -> Unit:
        """What values are counted in: results, or evaluations where simulations are valued by those."""
        assert self.state is not None
        hook = next((hook for hook in (host.value_hook() for host in self.hosts) if hook is not None), "returns")
        return unit_of(self.state, hook, self.weights)

    def cut_off(self) -> float | None:
        """The share of simulations that were ended before the game was; None where all are meant to be valued so."""
        simulations: int = self.iterations * self.values["simulations"]
        if self.values["value"] != "result" or not simulations:
            return None
        return sum(int(tree.work["cut"][0]) for tree in self.trees) / simulations

    def principal_variation(self, first: int) -> list[int]:
        """The chosen action and then the most visited ones, in the tree that knows it best."""
        place, line = self.first_place(), [first]
        edge = place.child(first)
        while edge >= 0 and len(line) < LONGEST_LINE:
            place = place.after(edge)
            edge = place.likeliest()
            if edge >= 0:
                line.append(int(place.tree.arrays.edges[edge].action))
        return line

    def names(self, line: list[int]) -> list[str]:
        """A line of the tree in the game's notation, as far as it can be played from what is known."""
        if "OWN_ONLY" not in self.variant.flags:
            return notation(self.world(), line)
        place, names = self.first_place(), list[str]()
        for action in line:
            edge = place.child(action)
            if edge < 0 or action not in place.before(edge).actions:
                break
            names.append(place.before(edge).format(action))
            place = place.after(edge)
        return names

    def branch(self, path: list[int], depth: int = 1, top: int = 8) -> tuple[TreeNode, State]:
        """The `top` most visited children of each node, some levels down from the end of a path of actions.

        Also the position there, as the first tree supposes it to be.
        """
        place = self.first_place()
        node = picture.node_of(place, place.edge)
        for action in path:
            edge = place.child(action)
            if edge < 0 or action not in place.before(edge).actions:
                raise SpielbaumError(f"the tree has no node {path}")
            node, place = picture.node_of(place, edge), place.after(edge)
        return picture.below(place, node, depth, top), place.state

    def first_place(self) -> Place:
        """The root of the first tree."""
        return root_of(self.trees[0], self.world())

    def world(self) -> State:
        """The position as the first tree supposes it to be: rules can't play on from blanks."""
        assert self.state is not None
        world = self.state.copy()
        if self.game.hidden:
            world.array[0] = self.trees[0].states[ROOT_STATE]
            rng = random_stream(self.seed, self.decision)
            self.game.kernels.game_api.determinize(self.game.context, world.array, self.state.player, rng)
        return world


def is_same(one: State | None, other: State) -> bool:
    """Whether two positions of a game are the same, and were reached in the same way."""
    return one is not None and one.history == other.history and one.array.tobytes() == other.array.tobytes()


def in_turn(trees: list[SearchTree]) -> Callable[[int], int]:
    """How one slice runs: every tree by the same number of iterations."""
    return lambda n: max(tree.run(n) for tree in trees)
