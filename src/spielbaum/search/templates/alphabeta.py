"""Alpha-beta with a transposition table, linked with a game (Knuth & Moore 1975).

Values are the searching side's, who maximises; all others minimise. That is minimax for two players
and the paranoid reduction for more (Sturtevant & Korf 2000), and a player who moves again needs no
special case. The order of moves: the table's move, captures, the two killers of the ply, then by
history (Schaeffer 1989). The same depth gives the same value as plain minimax.
"""

import math

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.frames import NO_MOVE, SURE, come_up, final_value, go_down, remember
from spielbaum.search.table import EMPTY, EXACT, LOWER, SOLVED, UPPER, slot_of, store
from spielbaum.search.work import OWN

FIRST, CAPTURE, KILLER = 1 << 40, 1 << 30, 1 << 20
TABLE_DEPTH = 2  # a look-up costs more than searching one ply


@kernel
def run(t, states, frames, desks, table, found, effort, nodes):
    """Go on with the search for so many positions; how many it was, fewer when the search is finished.

    What is found for a root move that is worse than the best is only an upper bound.
    """
    desk = desks[0]
    begin = desk.nodes
    while desk.ply >= 0 and desk.nodes - begin < nodes:
        frame = frames[desk.ply]
        if desk.arriving:
            arrive(t, states, frames, desk, table, found, effort)
        elif frame.next < frame.count and frame.low < frame.high:
            try_next(t, states, frame, desk)
        else:
            leave(frames, desk, table, found, effort)
    return desk.nodes - begin


@inlined
def arrive(t, states, frames, desk, table, found, effort):
    """Value the position if that is possible at once; otherwise open its frame."""
    ply = desk.ply
    s, frame, above = states[ply], frames[ply], frames[ply - 1]
    desk.nodes += 1
    frame.length = 0
    frame.depth = above.depth - 1
    frame.player = rules.player(t, s)
    if frame.player == TERMINAL:
        rules.returns(t, s, desk.results)
        hand_up(frames, desk, found, effort, final_value(desk.results[desk.me], ply))
    elif frame.depth == 0:
        desk.horizon = True
        hand_up(frames, desk, found, effort, float(hooks.evaluate(t, s, desk.weights, desk.me)))
    else:
        move = NO_MOVE
        if desk.use_table and frame.depth >= TABLE_DEPTH:
            frame.key = hooks.key(t, s)
            desk.probes += 1
            entry = table[slot_of(table, frame.key)]
            if entry.bound != EMPTY and entry.key == frame.key:
                desk.hits += 1
                move = entry.move
                value = from_table(entry.value, ply)
                if entry.depth >= frame.depth and settles(entry.bound, value, above.low, above.high):
                    desk.horizon |= entry.depth != SOLVED
                    hand_up(frames, desk, found, effort, value)
                    return
        open_frame(t, s, frame, above, desk, move)


@inlined
def open_frame(t, s, frame, above, desk, move):
    """List the moves of a position and begin with the window from above."""
    frame.count = hooks.legal(t, s, frame.moves)
    frame.next = 0
    if desk.ordered:
        score_moves(t, s, frame, desk, move)
    frame.maximise = desk.side[frame.player] == OWN
    frame.alpha = frame.low = above.low
    frame.beta = frame.high = above.high
    frame.best = -math.inf if frame.maximise else math.inf
    frame.best_move = NO_MOVE
    frame.horizon = desk.horizon
    desk.horizon = False
    desk.arriving = False


@inlined
def try_next(t, states, frame, desk):
    """Play the most promising move that is left, and go down."""
    if desk.ordered and desk.ply > 0:
        bring_forward(frame)
    states[desk.ply + 1] = states[desk.ply]
    rules.play(t, states[desk.ply + 1], frame.moves[frame.next], desk.rng)
    frame.next += 1
    go_down(desk)


@inlined
def leave(frames, desk, table, found, effort):
    """All moves are tried, or one has refuted the position: store the result and hand it up."""
    frame = frames[desk.ply]
    if desk.ply > 0 and desk.use_table and frame.depth >= TABLE_DEPTH:
        known = SOLVED if not desk.horizon else frame.depth
        bound = UPPER if frame.best <= frame.alpha else (LOWER if frame.best >= frame.beta else EXACT)
        value = to_table(frame.best, desk.ply)
        store(table, frame.key, value, frame.best_move, known, bound, desk.prefer_depth)
    desk.horizon |= frame.horizon and desk.ply > 0
    hand_up(frames, desk, found, effort, frame.best)


@rule
def hand_up(frames, desk, found, effort, value):
    """Give a value to the ply above, which keeps it if it is its best."""
    come_up(desk, found, effort, value)
    if desk.ply < 0:
        return
    frame = frames[desk.ply]
    if (frame.maximise and value > frame.best) or (not frame.maximise and value < frame.best):
        action = frame.moves[frame.next - 1]
        frame.best = value
        frame.best_move = action
        remember(frames, desk.ply, action)
        if frame.maximise:
            frame.low = max(frame.low, value)
        else:
            frame.high = min(frame.high, value)
        if frame.low >= frame.high:
            note_cut(frame, desk, action)


@rule
def settles(bound, value, low, high):
    """Whether a stored value answers the question that the window asks."""
    if bound == LOWER:
        return value >= high
    if bound == UPPER:
        return value <= low
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
def score_moves(t, s, frame, desk, move):
    """How promising each move is."""
    for i in range(frame.count):
        action = frame.moves[i]
        score = desk.history[frame.player, action]
        if action == move:
            score = FIRST
        elif hooks.capture(t, s, action):
            score += CAPTURE
        elif action == frame.killers[0] or action == frame.killers[1]:
            score += KILLER
        frame.scores[i] = score


@rule
def bring_forward(frame):
    """Put the most promising move that is left in the next place."""
    first = best = frame.next
    for i in range(first + 1, frame.count):
        if frame.scores[i] > frame.scores[best]:
            best = i
    frame.moves[first], frame.moves[best] = frame.moves[best], frame.moves[first]
    frame.scores[first], frame.scores[best] = frame.scores[best], frame.scores[first]


@rule
def note_cut(frame, desk, action):
    """A move that refuted a position is tried early elsewhere."""
    desk.history[frame.player, action] += frame.depth * frame.depth
    if frame.killers[0] != action:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = action
