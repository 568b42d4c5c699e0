"""Path-sum minimax, linked with a game: moves have gains, and a line of play is worth the sum of its gains.

The search of a bachelor thesis on Latrunculi (Trier 2021). It does not evaluate positions but moves, from
their mover's view; the searching player adds what they gain and subtracts what the others gain, each gain
weighted by its ply. There is no value at the horizon. With alpha-beta the window of a move is shifted by what
the move itself is worth, and the moves with the largest gains come first; the result is the same.

Terms are multiples of GRAIN (see `spielbaum.search.pathsum`): sums of them are exact, whatever their order.
"""

import math

from spielbaum.link import kernel
from spielbaum.linked import hooks, rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.notes import AT_LEAST, AT_MOST, EXACT, note, turned
from spielbaum.search.pathsum import GRAIN, UNOPENED
from spielbaum.search.sides import OWN


@kernel
def run(t, states, frames, desks, notes, found, effort, lines, nodes):
    """Go on with the search for so many moves; how many it was, fewer when the search is finished."""
    desk = desks[0]
    begin = desk.nodes
    if desk.ply == UNOPENED:
        desk.ply = 0
        frames[0].low, frames[0].high = -math.inf, math.inf
        open_frame(t, states, frames[0], desk)
    while desk.ply >= 0 and desk.nodes - begin < nodes:
        frame = frames[desk.ply]
        if frame.next < frame.count and (frame.low < frame.high or not desk.prune):
            try_next(t, states, frames, desk, notes, found, effort, lines)
        else:
            come_up(frames, desk, notes, found, effort, lines)
    return desk.nodes - begin


@inlined
def open_frame(t, states, frame, desk):
    """List the moves of the position at this ply with their terms; the best for who moves first."""
    s, trial = states[desk.ply], states[desk.ply + 1]
    frame.maximise = desk.side[rules.player(t, s)] == OWN
    weight = desk.ply_weights[desk.ply] if frame.maximise else -desk.ply_weights[desk.ply]
    frame.count = hooks.legal(t, s, frame.moves)
    for i in range(frame.count):
        states[desk.ply + 1] = s
        rules.play(t, trial, frame.moves[i], desk.rng)
        frame.terms[i] = weight * rules.gain(t, s, trial, frame.moves[i], desk.weights)
        if desk.ordered:
            move_up(frame, i)
    frame.next = 0
    frame.length = 0
    frame.best = -math.inf if frame.maximise else math.inf


@rule
def move_up(frame, i):
    """Insert a move among those before it, the largest gain first."""
    move, term = frame.moves[i], frame.terms[i]
    while i > 0 and (term > frame.terms[i - 1] if frame.maximise else term < frame.terms[i - 1]):
        frame.moves[i], frame.terms[i] = frame.moves[i - 1], frame.terms[i - 1]
        i -= 1
    frame.moves[i], frame.terms[i] = move, term


@inlined
def try_next(t, states, frames, desk, notes, found, effort, lines):
    """The next move: its term alone at the end of the game or of the search, or else with what follows."""
    ply = desk.ply
    frame = frames[ply]
    term = frame.terms[frame.next]
    frame.began = desk.nodes
    desk.nodes += 1
    if ply + 1 < desk.depth:
        states[ply + 1] = states[ply]
        rules.play(t, states[ply + 1], frame.moves[frame.next], desk.rng)
        if rules.player(t, states[ply + 1]) != TERMINAL:
            below = frames[ply + 1]
            below.low, below.high = frame.low - term, frame.high - term
            desk.ply += 1
            open_frame(t, states, below, desk)
            return
    keep(frames, desk, notes, found, effort, lines, term, 0, EXACT)


@rule
def come_up(frames, desk, notes, found, effort, lines):
    """All moves are tried, or one has refuted the position: the move above gets its term and this value."""
    value, length = frames[desk.ply].best, frames[desk.ply].length
    desk.ply -= 1
    if desk.ply >= 0:
        above = frames[desk.ply]
        total = above.terms[above.next] + value
        keep(frames, desk, notes, found, effort, lines, total, length, within(above, desk, total))


@rule
def within(frame, desk, value):
    """Whether the worth of a move is exact, by the window in which it was searched."""
    if not desk.prune:
        return EXACT
    return AT_MOST if value <= frame.low else (AT_LEAST if value >= frame.high else EXACT)


@inlined
def keep(frames, desk, notes, found, effort, lines, value, length, bound):
    """Take down the value of the current move, and the line of so many moves after it.

    At the root a move that is exactly as good must not be cut off.
    """
    frame = frames[desk.ply]
    action, nodes = frame.moves[frame.next], desk.nodes - frame.began
    if frame.maximise:
        note(notes, desk, desk.ply + 1, action, value, nodes, bound)
    else:
        note(notes, desk, desk.ply + 1, action, 0.0 - value, nodes, turned(bound))  # not -0.0, which prints as such
    better = value > frame.best if frame.maximise else value < frame.best
    if desk.ply == 0:
        found[frame.next] = value
        effort[frame.next] = nodes
        remember(frames, desk.ply, lines[frame.next], length)
    elif better:
        remember(frames, desk.ply, frame.line, length)
        frame.length = 1 + length
    frame.next += 1
    if better:
        frame.best = value
    if frame.maximise:
        frame.low = max(frame.low, value - GRAIN / 2 if desk.ply == 0 else value)
    else:
        frame.high = min(frame.high, value)


@rule
def remember(frames, ply, line, length):
    """Write down the current move of a ply, then what the next ply found best."""
    line[0] = frames[ply].moves[frames[ply].next]
    for i in range(length):
        line[i + 1] = frames[ply + 1].line[i]
