"""Self-play: whole games of a network against itself inside one kernel call, and what there is to learn from them.

A search with a network is made for every move. A share of the moves is searched fully and learned from, the others
with fewer simulations only go on with the game (playout-cap randomisation: D. Wu, "Accelerating self-play learning in
Go", 2019). At the root iterations are divided by sequential halving, with Gumbel noise (`gumbel` of
`spielbaum.search.mcts.modify`). What is learned of a full search is the improved policy of Danihelka et al. ("Policy
improvement by planning with Gumbel", 2022), with q the mean values and n the visits:

    π'(a) ∝ P(a) exp(σ(q(a)))        σ(q) = S (50 + max n) (1 + q) / 2

An action that was not tried counts as v' = (v + Σn q') / (1 + Σn), with the root's own value v and q' the mean of those
that were, weighted by their priors. The value to learn is Σ π'(a) q(a), or the exact one where it is proven.

In a share of the games one seat is a past's, an earlier net from whose moves nothing is learned: who plays only
against itself forgets how to answer what it no longer plays.
"""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import SOLVES, rules
from spielbaum.networks.kernels import network
from spielbaum.rules import TERMINAL, below, inlined, rule, uniform
from spielbaum.search.mcts.halving import AT_FIRST, most_visits, worth
from spielbaum.search.mcts.kernels import iterate
from spielbaum.search.mcts.tree import NOBODY, PROVEN, ROOT, USED_EDGES, USED_NODES
from spielbaum.search.mcts.workspace import ROOT_STATE, ZEROS

PLAYERS = rules.PLAYERS
HEADS = 1 if PLAYERS == 2 else PLAYERS
SURE = 1e6  # more than any other reason to choose an action


@kernel
def play(t, past, tree, zeros, states, raw, works, settings, configs, samples, rng, games):
    """Play some games; how many samples they gave. A game whose samples may find no room is not begun.

    `zeros` are an edge and a node of zeros, for a tree that is used again.
    """
    config, used = configs[0], 0
    for _ in range(games):
        if used + config.limit > len(samples):
            break
        first = used
        states[ROOT_STATE] = states[ZEROS]
        ply = random_opening(t, states[ROOT_STATE], works[0], config, rng)
        foreign = below(rng, settings[0].players) if uniform(rng) < config.against_past else NOBODY
        while rules.player(t, states[ROOT_STATE]) != TERMINAL and ply < config.limit:
            own = rules.player(t, states[ROOT_STATE]) != foreign
            full = own and uniform(rng) < config.share
            search(t if own else past, tree, zeros, states, raw, works[0], settings[0], config, rng, full)
            if full:
                note(t, tree, states[ROOT_STATE], works[0], settings[0], samples[used])
                samples[used].left = -ply
                used += 1
            rules.play(t, states[ROOT_STATE], chosen(tree, works[0], settings[0]), rng)
            ply += 1
        config.moves += ply
        config.games += 1
        settle(t, states[ROOT_STATE], works[0], settings[0].players, samples, first, used, ply)
    return used


@rule
def random_opening(t, s, work, config, rng):
    """Games begin with random moves, so that the net learns what to do where it would not have come."""
    hooks.start(t, s, rng)
    wanted = below(rng, config.random + 1)
    ply = 0
    while ply < wanted and rules.player(t, s) != TERMINAL:
        rules.play(t, s, hooks.sample(t, s, work.spare, rng), rng)
        ply += 1
    return ply


@inlined
def search(t, tree, zeros, states, raw, work, p, config, rng, full):
    """A tree for the position, fresh."""
    for edge in range(tree.used[USED_EDGES]):
        tree.edges[edge] = zeros[0][0]
    for node in range(tree.used[USED_NODES]):
        tree.nodes[node] = zeros[1][0]
    tree.used[:] = 0
    tree.used[USED_EDGES] = 1
    root = tree.edges[ROOT]
    root.node, root.action, root.mover = -1, -1, NOBODY
    p.gumbel_noise = config.noise
    work.gumbel.planned = config.simulations if full else config.few
    work.gumbel.field = 0
    iterate.iterate(t, tree, states, raw, work, p, rng, work.gumbel.planned)


@rule
def chosen(tree, work, p):
    """The action to play: a proven win, else the best one of those that were left at the end."""
    n = tree.nodes[tree.edges[ROOT].node]
    visits, level = most_visits(tree, n), 0
    for i in range(n.count):
        level = max(level, work.gumbel.chosen[i])
    best, highest = np.int64(n.first), -math.inf
    for i in range(n.count):
        e = tree.edges[n.first + i]
        if work.gumbel.chosen[i] < level and not is_proven(e):
            continue
        score = worth(tree, n, i, visits, work.gumbel.noise[i], p.gumbel_scale)
        if is_proven(e) and e.total != 0.0:
            score += math.copysign(SURE, e.total)
        if score > highest:
            best, highest = n.first + i, score
    return np.int64(tree.edges[best].action)


@inlined
def is_proven(e):
    return e.solve.proven == PROVEN if SOLVES else False


@rule
def note(t, tree, s, work, p, sample):
    """What the mover sees, and what the search found."""
    n = tree.nodes[tree.edges[ROOT].node]
    mover = rules.player(t, s)
    sample.mover, sample.actions = mover, n.count
    sample.active = rules.features(t, s, mover, work.spare_features)
    for i in range(sample.active):
        sample.feature[i] = work.spare_features[i]
    network.values(t, s, mover, p.players, work.result)
    untried, most = completed(tree, n, work.result[mover]), most_visits(tree, n)
    largest = -math.inf
    for i in range(n.count):
        e = tree.edges[n.first + i]
        q = e.total / e.visits if e.visits > 0.0 else untried
        sample.action[i] = e.action
        sample.chance[i] = math.log(max(e.prior, 1e-9)) + p.gumbel_scale * (AT_FIRST + most) * (1.0 + q) / 2.0
        largest = max(largest, np.float64(sample.chance[i]))
    total, mean = 0.0, 0.0
    for i in range(n.count):
        e = tree.edges[n.first + i]
        sample.chance[i] = math.exp(sample.chance[i] - largest)
        total += sample.chance[i]
        mean += sample.chance[i] * (e.total / e.visits if e.visits > 0.0 else untried)
    for i in range(n.count):
        sample.chance[i] /= total
    sample.mean = mean / total
    sample.certain = is_proven(tree.edges[ROOT])
    if sample.certain:
        sample.mean = best_mean(tree, n)


@rule
def completed(tree, n, value):
    """What an action counts as that was not tried."""
    visits, weighted, likely = 0.0, 0.0, 0.0
    for edge in range(n.first, n.first + n.count):
        e = tree.edges[edge]
        if e.visits > 0.0:
            visits += e.visits
            likely += e.prior
            weighted += e.prior * e.total / e.visits
    return (value + visits * weighted / likely) / (1.0 + visits) if likely > 0.0 else value


@rule
def best_mean(tree, n):
    """The exact value of a proven root: that of the best proven action."""
    best = -1.0
    for edge in range(n.first, n.first + n.count):
        e = tree.edges[edge]
        if is_proven(e):
            best = max(best, e.total / e.visits)
    return best


@rule
def settle(t, s, work, players, samples, first, last, plies):
    """The result of a game and its end in all its samples, from the mover's seat on; one that was cut off is a draw."""
    for q in range(PLAYERS):
        work.result[q] = 0.0
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, work.result)
    for i in range(first, last):
        samples[i].left += plies
        for q in range(min(HEADS, players)):
            samples[i].result[q] = work.result[(samples[i].mover + q) % players]
        if samples[i].certain:
            samples[i].result[0] = samples[i].mean
