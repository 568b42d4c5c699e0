"""MCTS, phase 3: simulate. Play on from a leaf and value what comes out.

Each side follows a policy or a mixture of policies, drawn for every move or once a simulation, and is told only
what its player may see. What a simulation is worth is a part in `value`. A simulation ends with the game, when its
result is certain (`decided`), or after so many moves or rounds; a round of a game in turns is over when the turn
comes to a lower seat.
"""

from spielbaum.linked import (
    BLIND,
    DEPTH_IN_ROUNDS,
    NETWORK,
    NOTED,
    ONE_PLY,
    OWN_POLICIES,
    PER_MOVE,
    UNIFORM,
    hooks,
    parts,
    rules,
)  # fmt: skip
from spielbaum.linked import (
    policies as by,
)
from spielbaum.rules import TERMINAL, inlined, rule, uniform
from spielbaum.search.mcts.work import LEAF, NOW, TRY, VIEW

DECIDES, DECIDED_EVERY, IN_ROUNDS = hooks.DECIDES, hooks.DECIDED_EVERY, hooks.ROUNDS


@inlined
def simulate(t, states, work, p, rng):
    """Value the position NOW for every player, into work.values."""
    for q in range(p.players):
        work.values[q] = 0.0
    if NETWORK:
        ask_network(t, states, work, p, rng)
        return
    if p.simulations > 1:
        states[LEAF] = states[NOW]
    for number in range(p.simulations):
        if number > 0:
            states[NOW] = states[LEAF]
        play_on(t, states, work, p, rng)
        parts.value.value_of(t, states[NOW], work, p)
        for q in range(p.players):
            work.values[q] += work.result[q]
    for q in range(p.players):
        work.values[q] /= p.simulations


@inlined
def ask_network(t, states, work, p, rng):
    """What a network says, mixed with how a simulation ends."""
    parts.value.ask(t, states[NOW], p, work.values)
    if p.playouts > 0.0 and rules.player(t, states[NOW]) != TERMINAL:
        play_on(t, states, work, p, rng)
        parts.value.value_of(t, states[NOW], work, p)
        for q in range(p.players):
            work.values[q] += p.playouts * (work.result[q] - work.values[q])


@inlined
def play_on(t, states, work, p, rng):
    """Play NOW to the end of the game or of the simulation."""
    if UNIFORM and not NOTED and not DEPTH_IN_ROUNDS:
        play_at_random(t, states, work, p, rng)
        return
    draw_policies(work, p, rng)
    s = states[NOW]
    left, before, moves = p.depth, -1, 0
    while moves < p.limit:
        player = rules.player(t, s)
        if DEPTH_IN_ROUNDS:
            left -= is_new_round(s, player, before)
        else:
            left = p.depth - moves
        if player == TERMINAL or left <= 0:
            return
        if DECIDES and moves % DECIDED_EVERY == 0 and hooks.decided(t, s, work.result):
            return
        action = choose(t, states, work, player, rng)
        parts.noted(work, action, player, p)
        rules.play(t, s, action, rng)
        before = player
        moves += 1


@inlined
def is_new_round(s, player, before):
    """Whether a round has gone by: all movers have chosen, or in turns a lower seat is on."""
    if IN_ROUNDS:
        return before >= 0 and s.round_asked == 0
    return player <= before


@inlined
def play_at_random(t, states, work, p, rng):
    """The common case on its own: everybody plays at random."""
    s = states[NOW]
    if not DECIDES:
        hooks.playout(t, s, work.buffer, rng, min(p.depth, p.limit))
        return
    left = min(p.depth, p.limit)
    while left > 0 and rules.player(t, s) != TERMINAL and not hooks.decided(t, s, work.result):
        left -= hooks.playout(t, s, work.buffer, rng, min(left, DECIDED_EVERY))


@rule
def draw_policies(work, p, rng):
    """Each party's policy for one simulation; -1 where a mixture is drawn for every move."""
    if UNIFORM:
        return
    for party in range(work.parties):
        work.policy[party] = only_policy(work.chances, party)
        if work.policy[party] < 0 and not PER_MOVE:
            work.policy[party] = drawn_policy(work.chances, party, rng)


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
    if UNIFORM:
        return hooks.sample_of(t, states[NOW], player, work.spare, rng)
    party = work.party[player]
    which = work.policy[party]
    if which < 0:
        which = drawn_policy(work.chances, party, rng)
    return follow(t, states, work, player, which, rng)


@rule
def follow(t, states, work, player, which, rng):
    """The action of the policy with this number."""
    if which == by.UNIFORM:
        return hooks.sample_of(t, states[NOW], player, work.spare, rng)
    if ONE_PLY and which == by.ONE_PLY:
        return by.look_ahead(
            t, states, NOW, VIEW, TRY, player, work.spare, work.third, work.action_values, work.result,
            work.weights, rng,
        )  # fmt: skip
    if BLIND:
        return parts.policy_of(t, states[NOW], player, which - by.OWN, work.weights, rng)
    if OWN_POLICIES:
        return by.follow(parts.policy_of, t, states, NOW, VIEW, player, which, work.weights, rng)
    return -1
