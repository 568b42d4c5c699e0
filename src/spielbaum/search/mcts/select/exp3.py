"""`exp3`: drawn by exponential weights of importance-weighted rewards (Auer, Cesa-Bianchi, Freund & Schapire 2002).

With K moves and the rewards X_k that a move has earned, each divided by its probability at that time:

    P_k ~ exp(η·(X_k - max X)),  η = γ/K        drawn from σ = (1 - γ)·P + γ/K        X_k += r / σ_k

Rewards r are values scaled to 0 … 1. Made for games in which all move at once; its average play comes close to
an equilibrium, so `decide=mix` draws the move in proportion to the visits.
"""

import math

import numpy as np

from spielbaum.linked import children
from spielbaum.rules import inlined, rule, uniform
from spielbaum.search.mcts.select import GAMMA
from spielbaum.search.mcts.work import PATH

PARAMS = (GAMMA,)
EDGE = (("gain", "f8"),)


def work(game):
    return [("sigma", "f8", PATH)]


@rule
def choose(tree, node, entry, work, p, rng):
    n = tree.nodes[node]
    count, most = 0, -math.inf
    edge = np.int64(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            count += 1
            most = max(most, tree.edges[edge].gain)
        edge = children.after(tree, edge)
    eta, total = p.gamma / count, 0.0
    edge = np.int64(n.first)
    for _ in range(n.count):
        if children.eligible(tree, edge, work):
            total += math.exp(eta * (tree.edges[edge].gain - most))
        edge = children.after(tree, edge)
    u, chosen = uniform(rng), -1
    edge = np.int64(n.first)
    for _ in range(n.count):
        if u >= 0.0 and children.eligible(tree, edge, work):
            sigma = (1.0 - p.gamma) * math.exp(eta * (tree.edges[edge].gain - most)) / total + p.gamma / count
            chosen, work.sigma[entry] = edge, sigma
            u -= sigma
        edge = children.after(tree, edge)
    return chosen


@inlined
def learn(tree, entry, edge, value, share, work, p):
    tree.edges[edge].gain += 0.5 * (value + 1.0) * share / work.sigma[entry]


@inlined
def normalised(e, visits):
    e.gain /= visits
