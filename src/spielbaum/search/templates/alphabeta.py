"""Alpha-beta with a transposition table, linked with a game (Knuth & Moore 1975).

Values are the searching side's, who maximises; all others minimise. That is minimax for two players
and the paranoid reduction for more (Sturtevant & Korf 2000), and a player who moves again needs no
special case. The order of moves: the table's move, captures, the two killers of the ply, then by
history (Schaeffer 1989). The same depth gives the same value as plain minimax.
"""

import math

import numpy as np

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, rule
from spielbaum.search.frames import OWN, SURE, final_value, out_of_time, remember
from spielbaum.search.table import EMPTY, EXACT, LOWER, SOLVED, UPPER, slot_of, store

NO_MOVE = -1
FIRST, CAPTURE, KILLER = 1 << 40, 1 << 30, 1 << 20


@kernel
def root(t, states, frames, desks, table, depth, n, values, nodes):
    """Search the n actions in frames[0].moves in their order; how many were done in time.

    The value of an action that turns out worse than the best is only an upper bound.
    """
    desk = desks[0]
    alpha = -math.inf
    for i in range(n):
        before = desk.nodes
        states[1] = states[0]
        rules.play(t, states[1], frames[0].moves[i], desk.rng)
        value = search(t, states, frames, desk, table, 1, depth - 1, alpha, math.inf)
        if desk.stop:
            return i
        values[i] = value
        nodes[i] = desk.nodes - before
        if value > alpha:
            alpha = value
            remember(frames, 0, frames[0].moves[i])
    return n


@rule
def search(t, states, frames, desk, table, ply, depth, alpha, beta):
    """The value of the position at a ply within the window; outside it a bound (fail soft)."""
    desk.nodes += 1
    s = states[ply]
    frames[ply].length = 0
    player = rules.player(t, s)
    if player == TERMINAL:
        rules.returns(t, s, desk.results)
        return final_value(desk.results[desk.me], ply)
    if depth == 0:
        desk.horizon = True
        return float(hooks.evaluate(t, s, desk.weights, desk.me))
    key, move = np.uint64(0), NO_MOVE
    if desk.use_table:
        key = hooks.key(t, s)
        desk.probes += 1
        entry = table[slot_of(table, key)]
        if entry.bound != EMPTY and entry.key == key:
            desk.hits += 1
            move = entry.move
            if entry.depth >= depth and settles(entry, ply, alpha, beta):
                desk.horizon |= entry.depth != SOLVED
                return from_table(entry.value, ply)
    return search_moves(t, states, frames, desk, table, ply, depth, alpha, beta, player, key, move)


@rule
def search_moves(t, states, frames, desk, table, ply, depth, alpha, beta, player, key, move):
    """Try the moves of a position, best first, until one refutes it."""
    frame = frames[ply]
    n = hooks.legal(t, states[ply], frame.moves)
    if desk.ordered:
        score_moves(t, states[ply], frame, desk, player, n, move)
    horizon, desk.horizon = desk.horizon, False
    maximise = desk.side[player] == OWN
    best, best_move = -math.inf if maximise else math.inf, NO_MOVE
    low, high = alpha, beta
    for i in range(n):
        if out_of_time(desk):
            return 0.0
        if desk.ordered:
            bring_forward(frame, i, n)
        action = frame.moves[i]
        states[ply + 1] = states[ply]
        rules.play(t, states[ply + 1], action, desk.rng)
        value = search(t, states, frames, desk, table, ply + 1, depth - 1, low, high)
        if (maximise and value > best) or (not maximise and value < best):
            best, best_move = value, action
            if maximise:
                low = max(low, value)
            else:
                high = min(high, value)
            remember(frames, ply, action)
            if low >= high:
                note_cut(frame, desk, player, action, depth)
                break
    if desk.use_table and not desk.stop:
        known = depth if desk.horizon else SOLVED
        bound = UPPER if best <= alpha else (LOWER if best >= beta else EXACT)
        store(table, key, to_table(best, ply), best_move, known, bound, desk.prefer_depth)
    desk.horizon |= horizon
    return best


@rule
def settles(entry, ply, alpha, beta):
    """Whether a stored value answers the question that the window asks."""
    value = from_table(entry.value, ply)
    if entry.bound == LOWER:
        return value >= beta
    if entry.bound == UPPER:
        return value <= alpha
    return True


@rule
def to_table(value, ply):
    """Count a won or lost game from the position, not from the root."""
    if value > SURE / 2:
        return value + ply
    if value < -SURE / 2:
        return value - ply
    return value


@rule
def from_table(value, ply):
    if value > SURE / 2:
        return value - ply
    if value < -SURE / 2:
        return value + ply
    return value


@rule
def score_moves(t, s, frame, desk, player, n, move):
    """How promising each move is."""
    for i in range(n):
        action = frame.moves[i]
        score = desk.history[player, action]
        if action == move:
            score = FIRST
        elif hooks.capture(t, s, action):
            score += CAPTURE
        elif action == frame.killers[0] or action == frame.killers[1]:
            score += KILLER
        frame.scores[i] = score


@rule
def bring_forward(frame, i, n):
    """Put the most promising of the moves from i on in place i."""
    best = i
    for j in range(i + 1, n):
        if frame.scores[j] > frame.scores[best]:
            best = j
    frame.moves[i], frame.moves[best] = frame.moves[best], frame.moves[i]
    frame.scores[i], frame.scores[best] = frame.scores[best], frame.scores[i]


@rule
def note_cut(frame, desk, player, action, depth):
    """A move that refuted a position is tried early elsewhere."""
    desk.history[player, action] += depth * depth
    if frame.killers[0] != action:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = action
