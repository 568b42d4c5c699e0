"""Self-play: whole games of a network against itself inside one kernel call, and what there is to learn from them.

A search with a network is made for every move. A share of the moves is searched fully and learned from, the others
with fewer simulations only go on with the game (playout-cap randomisation: D. Wu, "Accelerating self-play learning in
Go", 2019). In full searches noise from a Dirichlet distribution is mixed into the priors of the root (Silver et al.
2017). What is learned of a full search is the improved policy of Danihelka et al. ("Policy improvement by planning with
Gumbel", 2022), with q the mean values, completed by the root's mean where an action was not tried, and N the visits:

    π'(a) ∝ P(a) exp(0.1 (50 + max N) (1 + q(a)) / 2)
"""

import math

import numpy as np

from spielbaum.link import kernel
from spielbaum.linked import hooks, iterate, rules
from spielbaum.rules import TERMINAL, below, inlined, rule, uniform
from spielbaum.search.mcts.tree import NOBODY, ROOT, USED_EDGES
from spielbaum.search.mcts.work import ROOT_STATE, ZEROS

PLAYERS = rules.PLAYERS
HEADS = 1 if PLAYERS == 2 else PLAYERS
VISITS_AT_FIRST, SCALE = 50.0, 0.1  # of the improved policy


@kernel
def play(t, tree, states, raw, works, settings, courses, samples, rng, games):
    """Play some games; how many samples they gave. A game whose samples may find no room is not begun."""
    course, used = courses[0], 0
    for _ in range(games):
        if used + course.limit > len(samples):
            break
        first = used
        states[ROOT_STATE] = states[ZEROS]
        ply = begin(t, states[ROOT_STATE], works[0], course, rng)
        while rules.player(t, states[ROOT_STATE]) != TERMINAL and ply < course.limit:
            full = uniform(rng) < course.share
            search(t, tree, states, raw, works[0], settings[0], course, rng, full)
            if full:
                note(t, tree, states[ROOT_STATE], works[0], samples[used])
                used += 1
            rules.play(t, states[ROOT_STATE], chosen(tree, ply < course.opening, rng), rng)
            ply += 1
        course.moves += ply
        course.games += 1
        settle(t, states[ROOT_STATE], works[0], settings[0].players, samples, first, used)
    return used


@rule
def begin(t, s, work, course, rng):
    """Half of the games begin with random moves, so that the net learns what to do where it would not have come."""
    hooks.start(t, s, rng)
    wanted = below(rng, course.random + 1) if below(rng, 2) else 0
    ply = 0
    while ply < wanted and rules.player(t, s) != TERMINAL:
        rules.play(t, s, hooks.sample(t, s, work.spare, rng), rng)
        ply += 1
    return ply


@inlined
def search(t, tree, states, raw, work, p, course, rng, full):
    """A tree for the position, fresh."""
    tree.used[:] = 0
    tree.used[USED_EDGES] = 1
    root = tree.edges[ROOT]
    root.total = root.visits = 0.0
    root.node, root.action, root.mover = -1, -1, NOBODY
    iterate.iterate(t, tree, states, raw, work, p, rng, 1)
    if full:
        mix_noise(tree, work.priors, course.noise, rng)
    iterate.iterate(t, tree, states, raw, work, p, rng, (course.simulations if full else course.few) - 1)


@rule
def mix_noise(tree, noise, share, rng):
    """P = (1 - ε) P + ε η, with η uniform over all distributions: exponential numbers, scaled to add up to 1."""
    n = tree.nodes[tree.edges[ROOT].node]
    total = 0.0
    for i in range(n.first, n.first + n.count):
        tree.edges[i].prior *= 1.0 - share
    for i in range(n.count):
        noise[i] = -math.log(1.0 - uniform(rng))
        total += noise[i]
    for i in range(n.count):
        tree.edges[n.first + i].prior += share * noise[i] / total


@rule
def chosen(tree, draw, rng):
    """The action to play: drawn by visits, or the most visited one."""
    n = tree.nodes[tree.edges[ROOT].node]
    best, most, left = np.int64(n.first), -1.0, 0.0
    for i in range(n.first, n.first + n.count):
        left += tree.edges[i].visits
    left *= uniform(rng)
    for i in range(n.first, n.first + n.count):
        visits = tree.edges[i].visits
        if draw:
            left -= visits
            if left < 0.0:
                return np.int64(tree.edges[i].action)
        if visits > most:
            best, most = i, visits
    return np.int64(tree.edges[best].action)


@rule
def note(t, tree, s, work, sample):
    """What the mover sees, and what the search found."""
    n = tree.nodes[tree.edges[ROOT].node]
    mover = rules.player(t, s)
    sample.mover, sample.actions = mover, n.count
    sample.active = rules.features(t, s, mover, work.spare_features)
    for i in range(sample.active):
        sample.feature[i] = work.spare_features[i]
    most, visits, total = 0.0, 0.0, 0.0
    for i in range(n.first, n.first + n.count):
        e = tree.edges[i]
        most, visits, total = max(most, e.visits), visits + e.visits, total + e.total
    sample.mean = total / visits
    largest = -math.inf
    for i in range(n.count):
        e = tree.edges[n.first + i]
        q = e.total / e.visits if e.visits > 0.0 else sample.mean
        sample.action[i] = e.action
        sample.chance[i] = math.log(max(e.prior, 1e-9)) + SCALE * (VISITS_AT_FIRST + most) * (1.0 + q) / 2.0
        largest = max(largest, np.float64(sample.chance[i]))
    total = 0.0
    for i in range(n.count):
        sample.chance[i] = math.exp(sample.chance[i] - largest)
        total += sample.chance[i]
    for i in range(n.count):
        sample.chance[i] /= total


@rule
def settle(t, s, work, players, samples, first, last):
    """The result of a game in all its samples, from the mover's seat on; a game that was cut off is a draw."""
    for q in range(PLAYERS):
        work.result[q] = 0.0
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, work.result)
    for i in range(first, last):
        for q in range(min(HEADS, players)):
            samples[i].result[q] = work.result[(samples[i].mover + q) % players]
