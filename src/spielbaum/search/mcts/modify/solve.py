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

from spielbaum.linked import hooks, rules
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.mcts.decide import LOST, WON
from spielbaum.search.mcts.tree import HELD, PROVEN, ROOT
from spielbaum.search.mcts.work import NOW, PATH

PARAMS = (Param("solve", False, "prove won, lost and drawn subtrees, and search none of them again"),)
SOLVES = True
EDGE = (("proven", "i4"),)  # OPEN, HELD or PROVEN; the mean of a proven edge is its exact value
FITTING = {  # nodes that belong to one position and have all their edges, of which the best is wanted
    "opponents": ("tree",),
    "value": ("result", "network", "onnx"),
    "expand": ("all", "one"),
    "transpositions": (False,),
    "filter": ("",),
    "select": ("ucb1", "ucb1-tuned", "puct", "greedy", "epsilon-greedy", "random"),
    "decide": ("robust", "max", "max-robust", "secure"),
}


def work(game):
    return [
        ("certain", "?"),  # whether this iteration has ended with the game
        ("held", "i8"),  # how many edges of the path, from the root, are above a result that somebody holds in hand
        ("in_hand", "f8", PATH),  # that result, for the mover of each of them
    ]


def objection(game, values):
    if game.players != 2:
        return f"solve=on needs two players, and {game.name} has {game.players}"
    if game.hidden or game.chance or game.simultaneous:
        return f"solve=on needs turns, full information and no dice, not {game.name}"
    for name, fitting in FITTING.items():
        given = values.get(name, fitting[0])
        if given not in fitting:
            instead = f"use {' or '.join(fitting)}" if fitting[0] else "leave it out"
            return f"solve=on does not go with {name}={'on' if given is True else given}; {instead}"
    return None


@inlined
def closed(tree, edge):
    return tree.edges[edge].proven == PROVEN


# --- what is held in hand -------------------------------------------------------------------------


@inlined
def arrived(t, states, tree, work, p):
    s = states[NOW]
    work.certain = work.length > 0 and (rules.player(t, s) == TERMINAL or hooks.decided(t, s, work.result))
    work.held = 0
    for entry in range(1, work.length):
        if tree.edges[work.path[entry - 1]].proven == HELD:
            compare(tree, work, entry)


@rule
def compare(tree, work, entry):
    """An edge of the path whose mover could have a proven result instead; on edges above the better one counts."""
    e = tree.edges[work.path[entry]]
    _, value = best_proven(tree, work.at[entry])
    if e.visits > 0.0 and e.total < value * e.visits:
        for above in range(work.held, entry):
            work.in_hand[above] = value if tree.edges[work.path[above]].mover == e.mover else -value
        work.held = entry


@inlined
def learn(tree, entry, edge, value, share, work, p):
    if entry < work.held:
        tree.edges[edge].total += (work.in_hand[entry] - value) * share


# --- proofs ---------------------------------------------------------------------------------------


@inlined
def finish(tree, work, p):
    if work.certain and work.values[0] + work.values[1] == 0.0:
        prove(tree, work)


@rule
def prove(tree, work):
    """The last edge of the path is proven, and of those above it as many as that proves."""
    entry = np.int64(work.length - 1)
    value = work.values[tree.edges[work.path[entry]].mover]
    while entry >= 0:
        e = tree.edges[work.path[entry]]
        e.proven = PROVEN
        e.total = value * e.visits
        complete, value = best_proven(tree, work.at[entry])
        above = tree.edges[work.path[entry - 1] if entry > 0 else ROOT]
        if not complete and value < WON:
            if value > LOST:
                above.proven = HELD
            return
        value = value if above.mover == e.mover else -value
        entry -= 1
    tree.edges[ROOT].proven = PROVEN


@rule
def best_proven(tree, node):
    """Whether all edges of a node are proven, and the best of those that are."""
    n = tree.nodes[node]
    complete, best = True, LOST
    for edge in range(n.first, n.first + n.count):
        e = tree.edges[edge]
        if e.proven == PROVEN:
            best = max(best, e.total / e.visits)
        else:
            complete = False
    return complete, best
