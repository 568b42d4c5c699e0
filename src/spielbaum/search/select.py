"""MCTS, phase 1: select. Which child to go down to.

With Q the child's mean value for the mover, n its visits, N those of its parent and P its prior:

| select | score |
|---|---|
| `ucb1` | Q + C·sqrt(ln N / n), UCT (Kocsis & Szepesvári 2006); theory C = sqrt 2 |
| `ucb1-tuned` | Q + C·sqrt(ln N / n · min(B, variance + sqrt(2 ln N / n))) (Auer et al. 2002) |
| `puct` | Q + C·P·sqrt(N) / (1 + n) (AlphaGo, AlphaZero: Silver et al. 2016, 2017), Q = 0 unvisited |
| `greedy`, `epsilon-greedy` | Q; with probability epsilon a random child |
| `random` | a uniformly random child |

Added to any score: progressive bias b·P / (n + 1) (Chaslot et al. 2008). Q may first be scaled to
0 … 1 over the children (`normalise`), and is mixed with the all-moves-as-first value under RAVE:
(1 - β)·Q + β·AMAF, β = sqrt(k / (3N + k)) (Gelly & Silver 2011).

B is the largest variance possible: 1 for values from -1 to 1, 1/4 once they are normalised.

Unvisited children come first, except under `puct` and `random`. Children are shuffled once when
they are made, so the first of equals is a random one. In open-loop trees only children that are
legal now are eligible, and N is how often the child was (Cowling, Powley & Whitehouse 2012).
"""

from __future__ import annotations

import math

from spielbaum.rules import below, inlined, rule, uniform
from spielbaum.search.settings import EPSILON_GREEDY, PUCT, RANDOM, UCB1, UCB1_TUNED

WORST = -1e300


@inlined
def select(tree, node, work, p, rng):
    """The edge to follow from a node."""
    count = eligible_count(tree, node, p)
    if p.plain:
        return select_ucb1(tree, node, count, p)
    if p.select == RANDOM or (p.select == EPSILON_GREEDY and uniform(rng) < p.epsilon):
        return random_child(tree, node, count, work, p, rng)
    return best_child(tree, node, count, work, p)


@inlined
def eligible_count(tree, node, p):
    """Progressive widening: how many of the eligible children are in use, preferred ones first."""
    n = tree.nodes[node]
    if p.widen == 0.0:
        return n.count
    return min(n.count, 1 + int(p.widen * math.sqrt(n.visits)))


@inlined
def eligible(tree, edge, work, p):
    return not p.open_loop or is_available(tree, edge, work)


@inlined
def is_available(tree, edge, work):
    """Whether an edge of an open-loop node is legal now, for the player whose turn it is."""
    e = tree.edges[edge]
    return work.stamps[e.action] == work.now and e.mover == work.mover


@rule
def untried_child(tree, node, work, p):
    """The next untried child in use, -1 when each has been tried."""
    n = tree.nodes[node]
    count, seen = eligible_count(tree, node, p), 0
    for edge in range(n.first, n.first + n.count):
        if seen < count and eligible(tree, edge, work, p):
            seen += 1
            if tree.edges[edge].visits == 0.0:
                return edge
    return -1


@inlined
def select_ucb1(tree, node, count, p):
    """The common case on its own: no test inside the loop."""
    n = tree.nodes[node]
    explore = p.c * p.c * math.log(max(n.visits, 1.0))
    best, best_score = n.first, WORST
    for edge in range(n.first, n.first + count):
        e = tree.edges[edge]
        if e.visits == 0.0:
            return edge
        share = 1.0 / e.visits
        score = e.total * share + math.sqrt(explore * share)
        if score > best_score:
            best, best_score = edge, score
    return best


@rule
def random_child(tree, node, count, work, p, rng):
    n = tree.nodes[node]
    chosen, seen = -1, 0
    for edge in range(n.first, n.first + n.count):
        if seen < count and eligible(tree, edge, work, p):
            seen += 1
            if below(rng, seen) == 0:
                chosen = edge
    return chosen


@inlined
def best_child(tree, node, count, work, p):
    n = tree.nodes[node]
    low, width = value_range(tree, node, p)
    visits = max(n.visits, 1.0)
    log_visits = math.log(visits)
    best, best_score, seen = -1, WORST, 0
    for edge in range(n.first, n.first + n.count):
        if seen == count or not eligible(tree, edge, work, p):
            continue
        seen += 1
        if tree.edges[edge].visits == 0.0 and p.select != PUCT:
            return edge
        if p.open_loop and tree.extras[edge].available != visits:
            visits = max(float(tree.extras[edge].available), 1.0)
            log_visits = math.log(visits)
        score = score_of(tree, edge, low, width, visits, log_visits, p)
        if score > best_score:
            best, best_score = edge, score
    return best


@inlined
def score_of(tree, edge, low, width, visits, log_visits, p):
    e = tree.edges[edge]
    mean = 0.0
    if e.visits > 0.0:
        mean = (e.total / e.visits - low) / width
    score = mean
    if p.rave > 0.0:
        score = with_amaf(tree, edge, mean, low, width, visits, p)
    if p.select == UCB1:
        score += p.c * math.sqrt(log_visits / e.visits)
    elif p.select == UCB1_TUNED:
        score += p.c * tuned(tree, edge, log_visits, p)
    elif p.select == PUCT:
        score += p.c * e.prior * math.sqrt(visits) / (1.0 + e.visits)
    return score + p.bias * e.prior / (e.visits + 1.0)


@rule
def value_range(tree, node, p):
    """Smallest mean and spread of the visited children, or 0 and 1 where values stay as they are."""
    if not p.normalise:
        return 0.0, 1.0
    n = tree.nodes[node]
    low, high = -WORST, WORST
    for edge in range(n.first, n.first + n.count):
        e = tree.edges[edge]
        if e.visits > 0.0:
            low = min(low, e.total / e.visits)
            high = max(high, e.total / e.visits)
    return (low, high - low) if high > low else (min(low, high), 1.0)


@rule
def with_amaf(tree, edge, mean, low, width, visits, p):
    x = tree.extras[edge]
    if x.amaf_visits == 0.0:
        return mean
    share = math.sqrt(p.rave / (3.0 * visits + p.rave))
    amaf = (x.amaf_total / x.amaf_visits - low) / width
    return (1.0 - share) * mean + share * amaf


@rule
def tuned(tree, edge, log_visits, p):
    e = tree.edges[edge]
    mean = e.total / e.visits
    variance = tree.extras[edge].squares / e.visits - mean * mean
    variance += math.sqrt(2.0 * log_visits / e.visits)
    largest = 0.25 if p.normalise else 1.0
    return math.sqrt(log_visits / e.visits * max(0.0, min(largest, variance)))
