"""Alpha-beta with a transposition table, linked with a game (Knuth & Moore 1975).

Values are the searching side's, who maximises; all others minimise. That is minimax for two players
and the paranoid reduction for more (Sturtevant & Korf 2000), and a player who moves again needs no
special case. The order of moves: the table's move, captures, the two killers of the ply, then by
history (Schaeffer 1989). The same depth gives the same value as plain minimax.

Only the first move of a position is searched with the whole window. The others are scouted: asked with a
window of no width whether they are better, and searched again if they are (Pearl's Scout, 1980).

Two departures from the plain depth can be switched on. Late moves that take nothing are first searched less
deeply (late move reductions). And beyond the horizon captures go on, where nobody is forced to take
(quiescence search; Harris 1975, Kaindl 1982).

Against players who see less, the choice of a shallow search can be kept unless a deeper one finds another move
better by a margin: it sets traps that a perfect enemy would avoid (compare Gordon & Reda's Trappy Minimax, 2006).
"""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import NETWORK, rules
from spielbaum.networks.kernels import incremental
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.frames import MAX_PLY, NO_MOVE, SURE, come_up, final_value, go_down, history_size, remember
from spielbaum.search.kernels import listing
from spielbaum.search.search_log import AGAIN, AT_LEAST, AT_MOST, log_move, turned
from spielbaum.search.search_log import EXACT as KNOWN
from spielbaum.search.sides import OWN
from spielbaum.search.table import EXACT, LOWER, NOT_FOUND, SOLVED, UPPER, bound_of, bucket_of, find, store

HISTORY_MASK = history_size(rules) - 1
FIRST, CAPTURE, KILLER = 1 << 40, 1 << 30, 1 << 20
TABLE_DEPTH = 2  # a look-up costs more than searching one ply
NO_WIDTH = 1e-7  # of a scout's window: whatever is better than the best is searched again
BOUNDS = (KNOWN, KNOWN, AT_LEAST, AT_MOST)  # of the table's EMPTY, EXACT, LOWER and UPPER
EARLY_MOVES, VERY_LATE_MOVES = 4, 16
REDUCED_DEPTH = 3  # what is shallower is searched as it is


@kernel
def run(t, states, frames, workspaces, table, log, found, effort, nodes):
    """Go on with the search for so many positions; how many it was, fewer when the search is finished.

    What is found for a root move that is worse than the best is only an upper bound.
    """
    return run_slice(t, states, frames, workspaces[0], table, log, found, effort, nodes)


@rule
def run_slice(t, states, frames, workspace, table, log, found, effort, nodes):
    begin = workspace.nodes
    while workspace.ply >= 0 and workspace.nodes - begin < nodes:
        frame = frames[workspace.ply]
        if workspace.arriving:
            arrive(t, states, frames, workspace, table, log, found, effort)
        elif frame.next < frame.count and frame.low < frame.high:
            try_next(t, states, frame, workspace)
        elif listing.has_more(frame) and frame.low < frame.high:
            next_portion(t, states[workspace.ply], frame, workspace)
        else:
            leave(frames, workspace, table, log, found, effort)
    return workspace.nodes - begin


@inlined
def arrive(t, states, frames, workspace, table, log, found, effort):
    """Value the position if that is possible at once; otherwise open its frame."""
    ply = workspace.ply
    s, frame, above = states[ply], frames[ply], frames[ply - 1]
    workspace.nodes += 1
    frame.length = 0
    frame.depth = above.depth - 1 - above.reduction
    frame.player = rules.player(t, s)
    set_window(frame, above)
    if frame.player == TERMINAL:
        rules.returns(t, s, workspace.results)
        result = workspace.results[workspace.me]
        hand_up(frames, workspace, log, found, effort, end_value(t, s, workspace, result, ply), EXACT)
    elif frame.depth <= 0:
        workspace.horizon = True
        value = evaluation(t, s, workspace, frame.player)
        if frame.depth <= -workspace.quiescence or ply >= MAX_PLY - 2:
            hand_up(frames, workspace, log, found, effort, value, EXACT)
        elif not open_captures(t, s, frame, workspace, value):
            hand_up(frames, workspace, log, found, effort, value, within(frame, value))
    else:
        move = NO_MOVE
        if workspace.use_table and frame.depth >= TABLE_DEPTH:
            frame.key = hooks.key(t, s)
            workspace.probes += 1
            bucket = table[bucket_of(table, frame.key)]
            i = find(bucket, frame.key)
            if i != NOT_FOUND:
                workspace.hits += 1
                move = bucket.move[i]
                value = from_table(bucket.value[i], ply)
                depth = np.int64(bucket.depth[i])  # large when solved
                if depth >= frame.depth and settles(bound_of(bucket, i), value, frame.alpha, frame.beta):
                    workspace.horizon |= depth < SOLVED
                    hand_up(frames, workspace, log, found, effort, value, bound_of(bucket, i))
                    return
        open_frame(t, s, frame, workspace, move)


if NETWORK:

    @rule
    def evaluation(t, s, workspace, mover):
        """What the searching side may expect, by a network."""
        value = incremental.value(t, s, mover)
        return value if mover == workspace.me else -value

else:

    @inlined
    def evaluation(t, s, workspace, mover):
        """What the searching side may expect, by the game's own judgement."""
        return float(hooks.evaluate(t, s, workspace.weights, workspace.me))


@rule
def end_value(t, s, workspace, result, ply):
    """What the end of a game is worth: draws may be shunned, and wins that are only counted."""
    if result == 0.0:
        return workspace.draw
    if result > 0.0 and workspace.adjudication > 0.0 and hooks.adjudicated(t, s):
        return workspace.adjudication
    return final_value(result, ply)


@inlined
def set_window(frame, above):
    """The window from above; for a scout no more than one side of it."""
    frame.alpha, frame.beta = above.low, above.high
    if above.scouting:
        if above.maximise:
            frame.beta = min(frame.beta, above.low + NO_WIDTH)
        else:
            frame.alpha = max(frame.alpha, above.high - NO_WIDTH)


@inlined
def open_frame(t, s, frame, workspace, move):
    """List the moves of a position and begin with its window."""
    listing.legal(t, s, frame, workspace)
    if workspace.ordered:
        score_moves(t, s, frame, workspace, move)
    frame.maximise = workspace.side[frame.player] == OWN
    frame.best = -math.inf if frame.maximise else math.inf
    enter(frame, workspace)


@rule
def next_portion(t, s, frame, workspace):
    """Go on with moves for which there was no room in the frame."""
    listing.next_portion(t, s, frame, workspace)
    if workspace.ordered:
        score_moves(t, s, frame, workspace, NO_MOVE)


@rule
def enter(frame, workspace):
    frame.low, frame.high = frame.alpha, frame.beta
    frame.best_move = NO_MOVE
    frame.next = 0
    frame.scouting = frame.again = False
    frame.reduction = 0
    frame.horizon = workspace.horizon
    workspace.horizon = False
    workspace.arriving = False


@rule
def open_captures(t, s, frame, workspace, value):
    """Beyond the horizon: who is to move takes the evaluation, or takes on. Whether there is anything to try."""
    frame.maximise = workspace.side[frame.player] == OWN
    if value >= frame.beta if frame.maximise else value <= frame.alpha:
        return False
    listing.captures(t, s, frame, workspace)
    if frame.count == 0:
        return False
    for i in range(frame.count):
        frame.scores[i] = workspace.history[frame.player, frame.moves[i] & HISTORY_MASK]
    enter(frame, workspace)
    workspace.horizon = True
    frame.best = value
    if frame.maximise:
        frame.low = max(frame.low, value)
    else:
        frame.high = min(frame.high, value)
    return True


@inlined
def try_next(t, states, frame, workspace):
    """Play the most promising move that is left, and go down."""
    if frame.again:
        frame.scouting = False
        frame.reduction = 0
    else:
        if workspace.ordered and workspace.ply > 0:
            bring_forward(frame)
        frame.began = workspace.nodes
        frame.scouting = frame.next > 0 and frame.best_move != NO_MOVE
        frame.reduction = reduction(t, states[workspace.ply], frame, workspace)
    states[workspace.ply + 1] = states[workspace.ply]
    rules.play(t, states[workspace.ply + 1], frame.moves[frame.next], workspace.rng)
    frame.next += 1
    go_down(workspace)


@rule
def reduction(t, s, frame, workspace):
    """How many plies less a move is searched: none for early moves, for captures and near the horizon."""
    if not workspace.reduce or workspace.ply == 0 or frame.depth < REDUCED_DEPTH or frame.next < EARLY_MOVES:
        return 0
    if frame.scores[frame.next] >= KILLER:
        return 0
    return 1 if frame.next < VERY_LATE_MOVES or frame.depth == REDUCED_DEPTH else 2


@inlined
def leave(frames, workspace, table, log, found, effort):
    """All moves are tried, or one has refuted the position: store the result and hand it up."""
    frame = frames[workspace.ply]
    if workspace.ply > 0 and workspace.use_table and frame.depth >= TABLE_DEPTH:
        depth = frame.depth if workspace.horizon else frame.depth + SOLVED
        bound = within(frame, frame.best)
        value = to_table(frame.best, workspace.ply)
        store(table, frame.key, value, frame.best_move, depth, bound, workspace.kept, workspace.generation)
    workspace.horizon |= frame.horizon and workspace.ply > 0
    hand_up(frames, workspace, log, found, effort, frame.best, within(frame, frame.best))


@rule
def within(frame, value):
    """Whether a value is exact, by the window in which it was searched."""
    return UPPER if value <= frame.alpha else (LOWER if value >= frame.beta else EXACT)


@rule
def hand_up(frames, workspace, log, found, effort, value, bound):
    """Give a value to the ply above, which keeps it if it is its best; what a scout found better, it looks into."""
    asked = workspace.ply > 0 and is_worth_more(frames[workspace.ply - 1], value)
    if 0 < workspace.ply <= workspace.deepest:
        note_move(frames[workspace.ply - 1], workspace, log, value, AGAIN if asked else BOUNDS[bound])
    if asked:
        workspace.ply -= 1
        workspace.arriving = False
        frames[workspace.ply].again = True
        frames[workspace.ply].next -= 1
        return
    if workspace.ply == 1 and frames[0].best < value <= frames[0].low:
        value = frames[0].best  # better than the choice, but not by the margin
    come_up(workspace, found, effort, value)
    if workspace.ply < 0:
        return
    frame = frames[workspace.ply]
    frame.again = False
    if (frame.maximise and value > frame.best) or (not frame.maximise and value < frame.best):
        action = frame.moves[frame.next - 1]
        frame.best = value
        frame.best_move = action
        remember(frames, workspace.ply, action)
        if frame.maximise:
            frame.low = max(frame.low, value)
        else:
            frame.high = min(frame.high, value)
        if workspace.ply == 0 and frame.before + frame.next == 1:
            frame.low += workspace.margin
        if frame.low >= frame.high:
            note_cut(frame, workspace, action)


@rule
def note_move(above, workspace, log, value, bound):
    """Take down the move that led here with its worth for who made it."""
    action, nodes = above.moves[above.next - 1], workspace.nodes - above.began
    if above.maximise:
        log_move(log, workspace, workspace.ply, action, value, nodes, bound)
    else:
        theirs = 0.0 - value  # not -0.0, which prints as such
        log_move(log, workspace, workspace.ply, action, theirs, nodes, turned(bound))


@rule
def is_worth_more(frame, value):
    """Whether a move that was not searched in earnest may be the best."""
    if not frame.scouting and frame.reduction == 0:
        return False
    return value > frame.low if frame.maximise else value < frame.high


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
def score_moves(t, s, frame, workspace, move):
    """How promising each move is."""
    for i in range(frame.count):
        action = frame.moves[i]
        score = workspace.history[frame.player, action & HISTORY_MASK]
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
def note_cut(frame, workspace, action):
    """A move that refuted a position is tried early elsewhere."""
    workspace.history[frame.player, action & HISTORY_MASK] += frame.depth * frame.depth
    if frame.killers[0] != action:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = action
