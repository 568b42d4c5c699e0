"""MCTS, phase 3: simulate. Play on from a leaf and value what comes out.

What players do is a component in `playout`, what a simulation is worth is one in `value`. A simulation ends with the
game, when its result is certain (`decided`), or after so many moves or rounds; a round of a game in turns is over when
the turn comes to a lower seat.
"""

from spielbaum.kernels import hooks
from spielbaum.linked import (
    AT_ONCE,
    DEPTH_IN_ROUNDS,
    NETWORK,
    SEES_ACTIONS,
    UNIFORM,
    components,
    rules,
)
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.workspace import LEAF, NOW

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
        if not AT_ONCE:
            play_on(t, states, work, p, rng)
        components.value.value_of(t, states[NOW], work, p)
        for q in range(p.players):
            work.values[q] += work.result[q]
    for q in range(p.players):
        work.values[q] /= p.simulations


@inlined
def ask_network(t, states, work, p, rng):
    """What a network says, mixed with how a simulation ends."""
    components.value.ask(t, states[NOW], p, work.values)
    if p.playouts > 0.0 and rules.player(t, states[NOW]) != TERMINAL:
        play_on(t, states, work, p, rng)
        components.value.value_of(t, states[NOW], work, p)
        for q in range(p.players):
            work.values[q] += p.playouts * (work.result[q] - work.values[q])


@inlined
def play_on(t, states, work, p, rng):
    """Play NOW to the end of the game or of the simulation."""
    if UNIFORM and not SEES_ACTIONS and not DEPTH_IN_ROUNDS:
        play_at_random(t, states, work, p, rng)
        return
    components.playout.start_playout(work, p, rng)
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
        action = components.playout.playout_action(t, states, work, player, p, rng)
        components.on_action(work, action, player, p)
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
