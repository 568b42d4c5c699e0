"""One tree of MCTS and the arrays that its thread works with."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.compile.rounds import NO_CHOICE
from spielbaum.game import Game, State
from spielbaum.rules import FIRST_KEY, mix
from spielbaum.search.mcts.components import Variant
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import copy_tree, mcts
from spielbaum.search.mcts.nodes import by_view
from spielbaum.search.mcts.settings import tree_layout, work_fields
from spielbaum.search.mcts.tree import APART, ROOT, STARVED, clear, find_slot, grow, new_tree
from spielbaum.search.mcts.workspace import ROOT_STATE, STATES, new_work, words_of

MEGABYTE = 1 << 20
TRIAL, RARE = 256, 64
"""Where iterations begin with the game: after how many to see whether one in how many has met the decision."""


class SearchTree:
    """One tree; `run` makes it grow, `keep_subtree` makes a part of it the tree."""

    def __init__(
        self,
        game: Game,
        variant: Variant,
        hosts: list[Host],
        p: np.ndarray,
        weights: np.ndarray,
        cap: int,
    ):
        self.game, self.variant, self.hosts, self.p, self.cap = game, variant, hosts, p, cap
        self.kernels = game.kernels.link(mcts, variant)
        self.context: Any = game.new_context()
        for host in hosts:
            self.context = host.context(self.context)
        self.rng = np.zeros(APART, np.uint64)[:1]
        self.layout = tree_layout(game, variant)
        self.arrays = new_tree(self.layout)
        self.states = np.zeros(STATES, game.rules.STATE)
        self.raw = words_of(self.states)
        self.work = new_work(game, work_fields(game, variant), int(p["me"][0]), weights)
        self.done = 0
        for host in hosts:
            host.on_new_tree(self)
        self.restart()

    @property
    def rounds(self) -> bool:
        """Whether the decisions of a round have nodes side by side."""
        return "ROUNDS" in self.variant.flags

    def restart(self) -> None:
        """Begin with an empty tree."""
        clear(self.arrays)
        if self.rounds:
            self.root_key = FIRST_KEY

    def prepare(self, rng: np.ndarray, world: np.ndarray) -> None:
        """Set the dice and the position of a decision."""
        self.rng[:] = rng
        self.work["cut"] = 0
        self.done = 0
        self.states[ROOT_STATE] = world
        if "FROM_START" in self.variant.flags:
            self.work["from_start"] = True
        for host in self.hosts:
            host.before_decision(self, rng)

    def plan(self, iterations: int) -> None:
        """Tell the tree how many iterations a decision has; 0 where nobody knows."""
        for host in self.hosts:
            host.on_budget(self, iterations)

    def run(self, iterations: int) -> int:
        """Grow the tree by that many iterations."""
        done = 0
        while done < iterations and not self.settled:
            left = iterations - done
            trial = TRIAL - self.done - done if self.from_start else 0
            done += self.run_kernel(min(left, trial) if trial > 0 else left)
            if self.arrays.used[STARVED]:
                self.arrays = grow(self.arrays, self.cap)
            if self.from_start and self.done + done == TRIAL:
                self.work["from_start"] = self.visits_of_decision() * RARE >= TRIAL
        self.done += done
        return done

    def run_kernel(self, iterations: int) -> int:
        arguments = (self.context, self.arrays, self.states, self.raw, self.work, self.p, self.rng, iterations)
        done = int(self.kernels.run(*arguments))
        if self.from_start or "REDETERMINIZES" in self.variant.flags:  # then iterations begin with other decisions, too
            self.arrays.edges["node"][ROOT] = self.decision
        return done

    def finish(self) -> None:
        """Complete what is still under way when the iterations are done: nothing, where values are known at once."""

    @property
    def settled(self) -> bool:
        """Whether nothing is left to search, as the result of the root is certain."""
        return any(host.is_settled(self) for host in self.hosts)

    def proven(self, edges: list[int]) -> dict[int, float]:
        """Those of some edges whose values are proven, with these values for the mover."""
        found: dict[int, float] = {}
        for host in self.hosts:
            found |= host.proven(self, edges)
        return found

    @property
    def from_start(self) -> bool:
        """Whether iterations begin with the game and not with the decision."""
        return "FROM_START" in self.variant.flags and bool(self.work["from_start"][0])

    @property
    def decision(self) -> int:
        """The node of the decision that is searched, by what its player sees; -1 where it was not met."""
        key = self.view_key(self.states[ROOT_STATE : ROOT_STATE + 1], int(self.p["me"][0]))
        return int(self.arrays.slots[find_slot(self.arrays, key)])

    def view_key(self, state: np.ndarray, mover: int) -> np.uint64:
        """The key of what a mover sees, as kernels compute it: in a round before anybody has chosen."""
        seen = state.copy()
        if self.rounds:
            seen["round_choices"], seen["round_asked"] = NO_CHOICE, 0
        self.game.kernels.game_api.observe(self.context, seen, mover)
        if self.rounds:
            seen["round_first"] = 0
        key: np.uint64 = by_view.key_of_words(words_of(seen)[0], self.own_of_nodes["salts"][0], mover)
        return key

    @property
    def own_of_nodes(self) -> np.ndarray:
        """What the component that finds nodes by views keeps with the thread."""
        return self.work["auto" if "MEETS" in self.variant.flags else "by_view"]

    def visits_of_decision(self) -> float:
        return float(self.arrays.nodes["visits"][self.decision]) if self.decision >= 0 else 0.0

    def keep_subtree(self, actions: list[int], normalise: bool) -> None:
        """Make the subtree behind some actions of the tree the tree; an empty one where they lead nowhere."""
        edge = ROOT
        for action in actions:
            edge = next((e for e in self.children(edge) if self.arrays.edges[e].action == action), -1)
            if edge < 0:
                self.restart()
                return
        kept = new_tree(self.layout, len(self.arrays.edges))
        self.game.kernels.link(copy_tree, self.variant).copy_subtree(self.context, self.arrays, kept, edge, normalise)
        self.arrays = kept
        for host in self.hosts:
            host.on_reuse(self)

    def keep_rounds(self, joint_actions: list[list[int]], normalise: bool) -> None:
        """The same behind some rounds, each given by the choices of its movers."""
        key = self.root_key
        for choices in joint_actions:
            key = next_round(key, choices)
        kept = new_tree(self.layout, len(self.arrays.edges))
        self.game.kernels.link(copy_tree, self.variant).keep_rounds(self.context, self.arrays, kept, key, normalise)
        self.arrays = kept
        self.root_key = key

    @property
    def root_key(self) -> np.uint64:
        """The key of the round with which a tree of rounds begins."""
        return np.uint64(self.work["simultaneous"]["root_key"][0])

    @root_key.setter
    def root_key(self, key: np.uint64) -> None:
        self.work["simultaneous"]["root_key"] = key

    def children(self, edge: int) -> list[int]:
        """The edges below an edge."""
        return self.edges_of(int(self.arrays.edges[edge].node))

    def decisions(self, key: np.uint64, state: State) -> list[int]:
        """The edges of the mover who is asked in a round."""
        is_by_view, mover = "BY_VIEW" in self.variant.flags, state.player
        slot = find_slot(self.arrays, self.view_key(state.array, mover) if is_by_view else mix(key, mover))
        return self.edges_of(int(self.arrays.slots[slot]))

    def edges_of(self, node: int) -> list[int]:
        if node < 0:
            return []
        edge, count = int(self.arrays.nodes[node].first), int(self.arrays.nodes[node].count)
        if "LINKED_EDGES" not in self.variant.flags:
            return list(range(edge, edge + count))
        chain, following = [], self.arrays.edges["next"]  # a column: records of thousands of edges are slow to read
        for _ in range(count):
            chain.append(edge)
            edge = int(following[edge])
        return chain

    def priors(self, edges: list[int]) -> np.ndarray | None:
        """The priors of some edges, None where they have none."""
        return self.arrays.edges["prior"][edges] if "PRIOR" in self.variant.flags else None


def next_round(key: np.uint64, choices: list[int]) -> np.uint64:
    """The key of the round that a joint action leads to."""
    for action in choices:
        key = mix(key, action)
    return key
