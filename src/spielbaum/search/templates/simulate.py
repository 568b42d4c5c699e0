"""MCTS, phase 3: simulate. Play on from a leaf and value what comes out.

Each side follows a policy or a mixture of policies, drawn for every move or once a simulation. The
value of a simulation is the game's `result`, the `evaluation` E of where it stopped, or, as in the
Quick Civ thesis, its `difference` to the root. With ΔE = E(end) - E(root), winner bias w, the best
opponent * and N players:

    V = ΔE_self - w·ΔE_* - Σ over the other opponents of ((1 - w) / N)·ΔE_i      (w = 0: ΔE_self;
    w = 1: ΔE_self - ΔE_*)

With `coalition` r a player whose team-mate made the win gets 1 - r of it, so that it does not wait for
others to do the work (coalition reduction: Nijssen & Winands 2012).

A simulation that is cut off has no result; there tanh E stands in for it, or a draw in a game
without an evaluation.
"""

import math

from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, below, inlined, rule, uniform
from spielbaum.search.backup import note
from spielbaum.search.settings import DIFFERENCE, RESULT
from spielbaum.search.work import LEAF, NOW, TRY

UNIFORM, ONE_PLY = 0, 1  # policies of every game; its own come after them
SURE = 1e9


@inlined
def simulate(t, states, work, p, rng):
    """Value the position NOW for every player, into work.values."""
    for q in range(p.players):
        work.values[q] = 0.0
    if p.simulations > 1:
        states[LEAF] = states[NOW]
    for number in range(p.simulations):
        if number > 0:
            states[NOW] = states[LEAF]
        play_on(t, states, work, p, rng)
        value_of(t, states[NOW], work, p)
        for q in range(p.players):
            work.values[q] += work.result[q]
    for q in range(p.players):
        work.values[q] /= p.simulations


@inlined
def play_on(t, states, work, p, rng):
    """Play NOW to the end of the game or of the simulation."""
    draw_policies(work, p, rng)
    s = states[NOW]
    if p.rave == 0.0 and are_all_uniform(work):
        hooks.playout(t, s, work.buffer, rng, p.limit)
        return
    for _ in range(p.limit):
        player = rules.player(t, s)
        if player == TERMINAL:
            return
        action = choose(t, states, work, player, rng)
        note(work, action, player, p)
        rules.play(t, s, action, rng)


@rule
def draw_policies(work, p, rng):
    """Each party's policy for one simulation; -1 where a mixture is drawn for every move."""
    for party in range(work.parties):
        work.policy[party] = only_policy(work.chances, party)
        if work.policy[party] < 0 and not p.per_move:
            work.policy[party] = drawn_policy(work.chances, party, rng)


@rule
def are_all_uniform(work):
    for party in range(work.parties):
        if work.policy[party] != UNIFORM:
            return False
    return True


@rule
def only_policy(chances, party):
    """The policy that has all the weight, or -1 in a mixture."""
    for which in range(chances.shape[1]):
        if chances[party, which] > 0.0:
            return which if chances[party, which] >= 1.0 else -1
    return -1


@rule
def drawn_policy(chances, party, rng):
    u = uniform(rng)
    for which in range(chances.shape[1]):
        if u < chances[party, which]:
            return which
    return chances.shape[1] - 1


@rule
def choose(t, states, work, player, rng):
    """The action of the player's policy in the position NOW."""
    party = work.party[player]
    which = work.policy[party]
    if which < 0:
        which = drawn_policy(work.chances, party, rng)
    if which == UNIFORM:
        return hooks.sample(t, states[NOW], work.spare, rng)
    if which == ONE_PLY:
        return best_next(t, states, work, player, rng)
    return hooks.policy(t, states[NOW], which - 2, rng)


@rule
def best_next(t, states, work, player, rng):
    """The action after which the evaluation is best for its player; ties at random."""
    n = hooks.count_actions(t, states[NOW], work.spare)
    best, ties, chosen = -math.inf, 0, work.spare[0]
    for i in range(n):
        states[TRY] = states[NOW]
        s = states[TRY]
        rules.play(t, s, work.spare[i], rng)
        value = worth(t, s, work, player)
        if value > best:
            best, ties, chosen = value, 1, work.spare[i]
        elif value == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = work.spare[i]
    return chosen


@rule
def worth(t, s, work, player):
    """The evaluation of a position for a player; at the end of the game the result outweighs it."""
    value = float(hooks.evaluate(t, s, work.weights, player))
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, work.result)
        value += SURE * work.result[player]
    return value


@inlined
def value_of(t, s, work, p):
    """The value of the simulation that ended in s, for every player, into work.result."""
    if p.value == RESULT:
        if rules.player(t, s) == TERMINAL:
            rules.returns(t, s, work.result)
            if p.coalition > 0.0:
                reduce_by_coalition(t, s, work, p)
        else:
            for q in range(p.players):
                work.result[q] = math.tanh(hooks.evaluate(t, s, work.weights, q))
        return
    for q in range(p.players):
        work.result[q] = hooks.evaluate(t, s, work.weights, q)
    if p.value == DIFFERENCE:
        to_differences(work, p)


@rule
def reduce_by_coalition(t, s, work, p):
    """A win that is owed to others of the team counts less: 1 - r between losing (0) and winning (1)."""
    for q in range(p.players):
        if work.result[q] > 0.0 and not hooks.credit(t, s, q):
            work.result[q] *= 1.0 - 2.0 * p.coalition


@rule
def to_differences(work, p):
    """Replace evaluations by gains over the root, less those of the opponents."""
    for q in range(p.players):
        work.gains[q] = work.result[q] - work.at_root[q]
    for q in range(p.players):
        best, others = -math.inf, 0.0
        for other in range(p.players):
            if other != q:
                best = max(best, work.gains[other])
                others += work.gains[other]
        value = work.gains[q]
        if p.winner_bias > 0.0 and p.players > 1:
            value -= p.winner_bias * best
            value -= (1.0 - p.winner_bias) / p.players * (others - best)
        work.result[q] = value
