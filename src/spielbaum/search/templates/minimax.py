"""Plain minimax and max^n to a fixed depth, for comparison and for several players.

`paranoid` sees the position with the searching side's eyes: it maximises the evaluation, everybody
else minimises it; with two players that is minimax. `max^n` (Luckhardt & Irani 1986) lets every
player maximise the evaluation of their own. Nothing is pruned, so every root action has its exact
value. A player may move again: nothing here depends on whose turn it was.
"""

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, rule
from spielbaum.search.frames import OWN, final_value, out_of_time, remember


@kernel
def root(t, states, frames, desks, depth, values, nodes):
    """Value every root action; how many were done before the search was stopped."""
    desk = desks[0]
    n = hooks.legal(t, states[0], frames[0].moves)
    for i in range(n):
        before = desk.nodes
        states[1] = states[0]
        rules.play(t, states[1], frames[0].moves[i], desk.rng)
        search(t, states, frames, desk, 1, depth - 1)
        if desk.stop:
            return i
        values[i] = frames[1].values[desk.me]
        nodes[i] = desk.nodes - before
        if i == 0 or better(frames[1].values, frames[0].values, desk.me, desk):
            keep(frames, 0, frames[0].moves[i], desk)
    return n


@rule
def search(t, states, frames, desk, ply, depth):
    """The values of a position for all players, into frames[ply].values."""
    desk.nodes += 1
    frame = frames[ply]
    frame.length = 0
    player = rules.player(t, states[ply])
    if player == TERMINAL:
        rules.returns(t, states[ply], desk.results)
        for q in range(desk.players):
            frame.values[q] = final_value(desk.results[q], ply)
        return
    if depth == 0:
        desk.horizon = True
        for q in range(desk.players):
            frame.values[q] = hooks.evaluate(t, states[ply], desk.weights, q)
        return
    n = hooks.legal(t, states[ply], frame.moves)
    for i in range(n):
        if out_of_time(desk):
            return
        states[ply + 1] = states[ply]
        rules.play(t, states[ply + 1], frame.moves[i], desk.rng)
        search(t, states, frames, desk, ply + 1, depth - 1)
        if i == 0 or better(frames[ply + 1].values, frame.values, player, desk):
            keep(frames, ply, frame.moves[i], desk)


@rule
def better(values, best, player, desk):
    """Whether the player whose decision it is prefers `values`."""
    if desk.max_n:
        return values[player] > best[player]
    if desk.side[player] == OWN:
        return values[desk.me] > best[desk.me]
    return values[desk.me] < best[desk.me]


@rule
def keep(frames, ply, action, desk):
    """What the next ply found is the best so far."""
    for q in range(desk.players):
        frames[ply].values[q] = frames[ply + 1].values[q]
    remember(frames, ply, action)
