"""One tree of MCTS and the arrays that its thread works with."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.game import Game, State
from spielbaum.networks.net import with_net
from spielbaum.rounds import NO_CHOICE
from spielbaum.rules import FIRST_KEY, mix
from spielbaum.search.mcts.halving import scores
from spielbaum.search.mcts.parts import Structure, declaration
from spielbaum.search.mcts.settings import tree_layout, work_fields
from spielbaum.search.mcts.tree import APART, OPEN, PROVEN, ROOT, STARVED, clear, find_slot, grow, new_tree
from spielbaum.search.mcts.work import ROOT_STATE, STATES, new_work, words_of

MEGABYTE = 1 << 20
TRIAL, RARE = 256, 64
"""Where iterations begin with the game: after how many to see whether one in how many has met the decision."""


class Grower:
    """One tree; `run` makes it grow, `keep` makes a part of it the tree."""

    def __init__(
        self,
        game: Game,
        structure: Structure,
        p: np.ndarray,
        weights: np.ndarray,
        chances: np.ndarray,
        cap: int,
        net: dict[str, np.ndarray] | None = None,
    ):
        self.game, self.structure, self.p, self.cap = game, structure, p, cap
        self.kernels = game.kernels.linked("mcts", structure)
        self.context: Any = game.new_context() if net is None else with_net(game.new_context(), net)
        self.rng = np.zeros(APART, np.uint64)[:1]
        self.layout = tree_layout(structure)
        self.tree = new_tree(self.layout)
        self.states = np.zeros(STATES, game.rules.STATE)
        self.raw = words_of(self.states)
        self.work = new_work(game, work_fields(game, structure), int(p["me"][0]), weights, chances)
        self.done = 0
        self.restart()

    @property
    def rounds(self) -> bool:
        """Whether the decisions of a round have nodes side by side."""
        return "ROUNDS" in self.structure.flags

    def restart(self) -> None:
        """Begin with an empty tree."""
        clear(self.tree)
        if self.rounds:
            self.work["root_key"] = FIRST_KEY

    def prepare(self, rng: np.ndarray, world: np.ndarray) -> None:
        """Set the dice and the position of a decision."""
        self.rng[:] = rng
        if "plan" in (self.work.dtype.names or ()):
            self.work["plan"] = rng
        self.work["cut"] = 0
        self.done = 0
        self.states[ROOT_STATE] = world
        if "WHOLE_GAME" in self.structure.flags:
            self.work["whole"] = True

    def plan(self, iterations: int) -> None:
        """Tell the tree how many iterations a decision has; 0 where nobody knows."""
        if "planned" in (self.work.dtype.names or ()):
            self.work["planned"], self.work["field"] = iterations, 0

    def halved(self, values: dict[str, Any]) -> dict[int, float] | None:
        """How far each root action has come in sequential halving, the better ones of equals further; None without."""
        if "planned" not in (self.work.dtype.names or ()) or not self.work["field"][0]:
            return None
        edges = self.tree.edges[self.children(ROOT)]
        luck, chosen = (self.work[name][0, : len(edges)] for name in ("noise", "chosen"))
        found = scores(edges, luck, values["gumbel-scale"])
        order = np.argsort(np.argsort(found, kind="stable"), kind="stable")
        return dict(zip(edges["action"].tolist(), (chosen + order / len(edges)).tolist(), strict=True))

    def run(self, iterations: int) -> int:
        """Grow the tree by that many iterations."""
        done = 0
        while done < iterations and not self.proven:
            left = iterations - done
            trial = TRIAL - self.done - done if self.whole else 0
            done += self.run_kernel(min(left, trial) if trial > 0 else left)
            if self.tree.used[STARVED]:
                self.tree = grow(self.tree, self.cap)
            if self.whole and self.done + done == TRIAL:
                self.work["whole"] = self.visits_of_decision() * RARE >= TRIAL
        self.done += done
        return done

    def run_kernel(self, iterations: int) -> int:
        arguments = (self.context, self.tree, self.states, self.raw, self.work, self.p, self.rng, iterations)
        done = int(self.kernels.run(*arguments))
        if self.whole or "DOUBTED" in self.structure.flags:  # then iterations begin with other decisions, too
            self.tree.edges["node"][ROOT] = self.decision
        return done

    def finish(self) -> None:
        """Whatever is still under way when the iterations are done: nothing, where values are known at once."""

    @property
    def proven(self) -> bool:
        """Whether the result of the root is certain, so that nothing is left to search."""
        found = self.field("proven", [ROOT])
        return found is not None and bool(found[0] == PROVEN)

    @property
    def whole(self) -> bool:
        """Whether iterations begin with the game and not with the decision."""
        return "WHOLE_GAME" in self.structure.flags and bool(self.work["whole"][0])

    @property
    def decision(self) -> int:
        """The node of the decision that is searched, by what its player sees; -1 where it was not met."""
        key = self.view_key(self.states[ROOT_STATE : ROOT_STATE + 1], int(self.p["me"][0]))
        return int(self.tree.slots[find_slot(self.tree, key)])

    def view_key(self, state: np.ndarray, mover: int) -> np.uint64:
        """The key of what a mover sees, as kernels compute it: in a round before anybody has chosen."""
        seen = state.copy()
        if self.rounds:
            seen["round_choices"], seen["round_asked"] = NO_CHOICE, 0
        self.game.kernels.face.conceal(self.context, seen, mover)
        if self.rounds:
            seen["round_first"] = 0
        key: np.uint64 = declaration("nodes/view").key_of_words(words_of(seen)[0], self.work["salts"][0], mover)
        return key

    def visits_of_decision(self) -> float:
        return float(self.tree.nodes["visits"][self.decision]) if self.decision >= 0 else 0.0

    def keep(self, actions: list[int], normalise: bool) -> None:
        """Make the subtree behind some actions of the tree the tree; an empty one where they lead nowhere."""
        edge = ROOT
        for action in actions:
            edge = next((e for e in self.children(edge) if self.tree.edges[e].action == action), -1)
            if edge < 0:
                self.restart()
                return
        kept, reuse = new_tree(self.layout, len(self.tree.edges)), self.game.kernels.linked("reuse", self.structure)
        reuse.keep(self.context, self.tree, kept, edge, normalise)
        self.tree = kept
        if self.proven and not self.children(ROOT):
            self.tree.edges["proven"][ROOT] = OPEN  # that it is decided does not say what to play

    def keep_rounds(self, joint_actions: list[list[int]], normalise: bool) -> None:
        """The same behind some rounds, each given by the choices of its movers."""
        key = self.root_key
        for choices in joint_actions:
            key = next_round(key, choices)
        kept, reuse = new_tree(self.layout, len(self.tree.edges)), self.game.kernels.linked("reuse", self.structure)
        reuse.keep_rounds(self.context, self.tree, kept, key, normalise)
        self.tree = kept
        self.work["root_key"] = key

    @property
    def root_key(self) -> np.uint64:
        return np.uint64(self.work["root_key"][0])

    def children(self, edge: int) -> list[int]:
        """The edges below an edge."""
        return self.edges_of(int(self.tree.edges[edge].node))

    def decisions(self, key: np.uint64, state: State) -> list[int]:
        """The edges of the mover who is asked in a round."""
        by_view, mover = "BY_VIEW" in self.structure.flags, state.player
        slot = find_slot(self.tree, self.view_key(state.array, mover) if by_view else mix(key, mover))
        return self.edges_of(int(self.tree.slots[slot]))

    def edges_of(self, node: int) -> list[int]:
        if node < 0:
            return []
        edge, count = int(self.tree.nodes[node].first), int(self.tree.nodes[node].count)
        if "CHAINED" not in self.structure.flags:
            return list(range(edge, edge + count))
        chain = []
        for _ in range(count):
            chain.append(edge)
            edge = int(self.tree.edges[edge].next)
        return chain

    def field(self, name: str, edges: list[int]) -> np.ndarray | None:
        """What the edges hold under a name, None where the parts of this search keep no such thing."""
        fields: Any = self.tree.edges.dtype.names
        return self.tree.edges[name][edges] if name in fields else None


def next_round(key: np.uint64, choices: list[int]) -> np.uint64:
    """The key of the round that a joint action leads to."""
    for action in choices:
        key = mix(key, action)
    return key
