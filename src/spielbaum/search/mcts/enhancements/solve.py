"""`solve=on`: won, lost and drawn subtrees are backed up exactly and not searched again (MCTS-Solver: Winands,
Björnsson & Saito 2008).

An edge is proven when it ends the game or leads to a node that is proven; a node is proven when its mover has a
proven win, or when all its edges are proven:

    v(node) = max of v(edge)        v(edge) = v(node below), negated where the other player moves there

The paper knows wins and losses only. Here every result can be proven, which leaves nodes whose mover holds a draw in
hand while other edges are still open. Iterations go on through the open ones, to find something better or to
complete the proof; but as long as such an edge has a mean below that of the draw, nobody would play it, and on all
edges above the iteration counts as the draw.

Only results that sum to zero prove anything: then what one of two players gets tells what the other one gets.
"""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.decide import LOST, WON
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.tree import HELD, OPEN, PROVEN, ROOT
from spielbaum.search.mcts.workspace import PATH


class SolveHost(Host):
    """Tells what is proven."""

    def proven(self, tree, edges):
        known = [edge for edge in edges if tree.arrays.edges["solve"]["proven"][edge] == PROVEN]
        found = tree.arrays.edges[known]
        return dict(zip(known, (found["total"] / found["visits"]).tolist(), strict=True))

    def is_settled(self, tree):
        return bool(tree.arrays.edges["solve"]["proven"][ROOT] == PROVEN)

    def on_reuse(self, tree):
        if self.is_settled(tree) and not tree.children(ROOT):
            tree.arrays.edges["solve"]["proven"][ROOT] = OPEN  # that it is decided does not say what to play


COMPONENT = Component(
    "enhancement",
    params=(Param("solve", False, "prove won, lost and drawn subtrees, and search none of them again"),),
    edge=(("proven", "i4"),),  # OPEN, HELD or PROVEN; the mean of a proven edge is its exact value
    thread=lambda game, flags: [
        ("certain", "?"),  # whether this iteration has ended with the game
        ("held", "i8"),  # how many edges of the path, from the root, are above a result that somebody holds in hand
        ("in_hand", "f8", PATH),  # that result, for the mover of each of them
    ],
    provides={"solves"},
    requires={"all-decisions", "results", "all-edges"},  # nodes that belong to one position and have all their edges
    excludes={"shared-nodes", "filtered", "mixed-selection", "mixed-decision"},  # of which the best is wanted
    needs=("two players", "turns", "full information", "no dice"),
    host=SolveHost,
)


@inlined
def is_closed(e):
    return e.solve.proven == PROVEN


# --- what is held in hand -------------------------------------------------------------------------


@inlined
def on_leaf(t, s, tree, work, own):
    own.certain = work.length > 0 and (rules.player(t, s) == TERMINAL or hooks.decided(t, s, work.result))
    own.held = 0
    for path_index in range(1, work.length):
        if tree.edges[work.path[path_index - 1]].solve.proven == HELD:
            compare(tree, work, own, path_index)


@rule
def compare(tree, work, own, path_index):
    """An edge of the path whose mover could have a proven result instead; on edges above the better one counts."""
    e = tree.edges[work.path[path_index]]
    _, value = best_proven(tree, work.path_nodes[path_index])
    if e.visits > 0.0 and e.total < value * e.visits:
        for above in range(own.held, path_index):
            own.in_hand[above] = value if tree.edges[work.path[above]].mover == e.mover else -value
        own.held = path_index


@inlined
def on_backup(e, path_index, value, weight, own):
    if path_index < own.held:
        e.total += (own.in_hand[path_index] - value) * weight


# --- proofs ---------------------------------------------------------------------------------------


@inlined
def on_iteration_end(tree, work, own):
    if own.certain and work.values[0] + work.values[1] == 0.0:
        prove(tree, work)


@rule
def prove(tree, work):
    """The last edge of the path is proven, and of those above it as many as that proves."""
    path_index = np.int64(work.length - 1)
    value = work.values[tree.edges[work.path[path_index]].mover]
    while path_index >= 0:
        e = tree.edges[work.path[path_index]]
        e.solve.proven = PROVEN
        e.total = value * e.visits
        complete, value = best_proven(tree, work.path_nodes[path_index])
        above = tree.edges[work.path[path_index - 1] if path_index > 0 else ROOT]
        if not complete and value < WON:
            if value > LOST:
                above.solve.proven = HELD
            return
        value = value if above.mover == e.mover else -value
        path_index -= 1
    tree.edges[ROOT].solve.proven = PROVEN


@rule
def best_proven(tree, node):
    """Whether all edges of a node are proven, and the best of those that are."""
    n = tree.nodes[node]
    complete, best = True, LOST
    for edge in range(n.first, n.first + n.count):
        e = tree.edges[edge]
        if e.solve.proven == PROVEN:
            best = max(best, e.total / e.visits)
        else:
            complete = False
    return complete, best
