"""`exp3`: drawn by exponential weights of importance-weighted rewards (Auer, Cesa-Bianchi, Freund & Schapire 2002).

With K moves and the rewards X_k that a move has earned, each divided by its probability at that time:

    P_k ~ exp(η·(X_k - max X)),  η = γ/K        drawn from σ = (1 - γ)·P + γ/K        X_k += r / σ_k

Rewards r are values scaled to 0 … 1. Made for games in which all move at once; its average play comes close to
an equilibrium, so `decide=mix` draws the move in proportion to the visits.
"""

import math

from spielbaum.rules import inlined, rule, uniform
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.select import GAMMA
from spielbaum.search.mcts.workspace import PATH

COMPONENT = Component(
    "select",
    params=(GAMMA,),
    edge=(("gain", "f8"),),
    thread=lambda game, flags: [("sigma", "f8", PATH)],
    provides={"mixed-selection"},
)


@rule
def choose(tree, node, path_index, work, own, p, rng):
    n = tree.nodes[node]
    count, most = 0, -math.inf
    edge = int(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            count += 1
            most = max(most, tree.edges[edge].exp3.gain)
        edge = children.after(tree, edge)
    eta, total = p.gamma / count, 0.0
    edge = int(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            total += math.exp(eta * (tree.edges[edge].exp3.gain - most))
        edge = children.after(tree, edge)
    u, chosen = uniform(rng), -1
    edge = int(n.first)
    for _ in range(n.count):
        if u >= 0.0 and children.eligible(tree, edge, work):
            sigma = (1.0 - p.gamma) * math.exp(eta * (tree.edges[edge].exp3.gain - most)) / total + p.gamma / count
            chosen, own.sigma[path_index] = edge, sigma
            u -= sigma
        edge = children.after(tree, edge)
    return chosen


@inlined
def on_backup(e, path_index, value, weight, own):
    e.exp3.gain += 0.5 * (value + 1.0) * weight / own.sigma[path_index]


@inlined
def on_normalise(e, visits):
    e.exp3.gain /= visits
