"""Path-sum minimax, linked with a game: moves have gains, and a line of play is worth the sum of its gains.

The search of a bachelor thesis on Latrunculi (Trier 2021). It does not evaluate positions but moves, from
their mover's view; the searching player adds what they gain and subtracts what the others gain, each gain
weighted by its ply. There is no value at the horizon. With alpha-beta the window of a move is shifted by what
the move itself is worth, and the moves with the largest gains come first; the result is the same.

Terms are multiples of GRAIN (see `spielbaum.search.pathsum`): sums of them are exact, whatever their order.
"""

import math

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.search_log import AT_LEAST, AT_MOST, EXACT, log_move, turned
from spielbaum.search.sides import OWN

GRAIN = 0.25  # all terms are multiples of it
UNOPENED = -2  # the ply of a search that has not begun


@kernel
def run(t, states, frames, workspaces, log, found, effort, lines, nodes):
    """Go on with the search for so many moves; how many it was, fewer when the search is finished."""
    workspace = workspaces[0]
    begin = workspace.nodes
    if workspace.ply == UNOPENED:
        workspace.ply = 0
        frames[0].low, frames[0].high = -math.inf, math.inf
        open_frame(t, states, frames[0], workspace)
    while workspace.ply >= 0 and workspace.nodes - begin < nodes:
        frame = frames[workspace.ply]
        if frame.next < frame.count and (frame.low < frame.high or not workspace.prune):
            try_next(t, states, frames, workspace, log, found, effort, lines)
        else:
            come_up(frames, workspace, log, found, effort, lines)
    return workspace.nodes - begin


@inlined
def open_frame(t, states, frame, workspace):
    """List the moves of the position at this ply with their terms; the best for who moves first."""
    s, trial = states[workspace.ply], states[workspace.ply + 1]
    frame.maximise = workspace.side[rules.player(t, s)] == OWN
    weight = workspace.ply_weights[workspace.ply] if frame.maximise else -workspace.ply_weights[workspace.ply]
    frame.count = hooks.legal(t, s, frame.moves)
    for i in range(frame.count):
        states[workspace.ply + 1] = s
        rules.play(t, trial, frame.moves[i], workspace.rng)
        frame.terms[i] = weight * rules.gain(t, s, trial, frame.moves[i], workspace.weights)
        if workspace.ordered:
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
def try_next(t, states, frames, workspace, log, found, effort, lines):
    """The next move: its term alone at the end of the game or of the search, or else with what follows."""
    ply = workspace.ply
    frame = frames[ply]
    term = frame.terms[frame.next]
    frame.began = workspace.nodes
    workspace.nodes += 1
    if ply + 1 < workspace.depth:
        states[ply + 1] = states[ply]
        rules.play(t, states[ply + 1], frame.moves[frame.next], workspace.rng)
        if rules.player(t, states[ply + 1]) != TERMINAL:
            below = frames[ply + 1]
            below.low, below.high = frame.low - term, frame.high - term
            workspace.ply += 1
            open_frame(t, states, below, workspace)
            return
    back_up(frames, workspace, log, found, effort, lines, term, 0, EXACT)


@rule
def come_up(frames, workspace, log, found, effort, lines):
    """All moves are tried, or one has refuted the position: the move above gets its term and this value."""
    value, length = frames[workspace.ply].best, frames[workspace.ply].length
    workspace.ply -= 1
    if workspace.ply >= 0:
        above = frames[workspace.ply]
        total = above.terms[above.next] + value
        back_up(frames, workspace, log, found, effort, lines, total, length, within(above, workspace, total))


@rule
def within(frame, workspace, value):
    """Whether the worth of a move is exact, by the window in which it was searched."""
    if not workspace.prune:
        return EXACT
    return AT_MOST if value <= frame.low else (AT_LEAST if value >= frame.high else EXACT)


@inlined
def back_up(frames, workspace, log, found, effort, lines, value, length, bound):
    """Take down the value of the current move, and the line of so many moves after it.

    At the root a move that is exactly as good must not be cut off.
    """
    frame = frames[workspace.ply]
    action, nodes = frame.moves[frame.next], workspace.nodes - frame.began
    if frame.maximise:
        log_move(log, workspace, workspace.ply + 1, action, value, nodes, bound)
    else:
        theirs = 0.0 - value  # not -0.0, which prints as such
        log_move(log, workspace, workspace.ply + 1, action, theirs, nodes, turned(bound))
    better = value > frame.best if frame.maximise else value < frame.best
    if workspace.ply == 0:
        found[frame.next] = value
        effort[frame.next] = nodes
        remember(frames, workspace.ply, lines[frame.next], length)
    elif better:
        remember(frames, workspace.ply, frame.line, length)
        frame.length = 1 + length
    frame.next += 1
    if better:
        frame.best = value
    if frame.maximise:
        frame.low = max(frame.low, value - GRAIN / 2 if workspace.ply == 0 else value)
    else:
        frame.high = min(frame.high, value)


@rule
def remember(frames, ply, line, length):
    """Write down the current move of a ply, then what the next ply found best."""
    line[0] = frames[ply].moves[frames[ply].next]
    for i in range(length):
        line[i + 1] = frames[ply + 1].line[i]
