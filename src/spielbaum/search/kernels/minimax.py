"""Plain minimax and max^n to a fixed depth, for comparison and for several players.

`paranoid` sees the position with the searching side's eyes: it maximises the evaluation, everybody
else minimises it; with two players that is minimax. `max^n` (Luckhardt & Irani 1986) lets every
player maximise the evaluation of their own. Nothing is pruned, so every root action has its exact
value. A player may move again: nothing here depends on whose turn it was.
"""

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.frames import come_up, final_value, go_down, remember
from spielbaum.search.kernels import listing
from spielbaum.search.search_log import EXACT, log_move
from spielbaum.search.sides import OWN


@kernel
def run(t, states, frames, workspaces, log, found, effort, nodes):
    """Go on with the search for so many positions; how many it was, fewer when the search is finished."""
    workspace = workspaces[0]
    begin = workspace.nodes
    while workspace.ply >= 0 and workspace.nodes - begin < nodes:
        frame = frames[workspace.ply]
        if workspace.arriving:
            arrive(t, states, frames, workspace, log, found, effort)
        elif frame.next < frame.count:
            states[workspace.ply + 1] = states[workspace.ply]
            rules.play(t, states[workspace.ply + 1], frame.moves[frame.next], workspace.rng)
            frame.next += 1
            frame.began = workspace.nodes
            go_down(workspace)
        elif listing.has_more(frame):
            listing.next_portion(t, states[workspace.ply], frame, workspace)
        else:
            leave(frames, workspace, log, found, effort)
    return workspace.nodes - begin


@inlined
def arrive(t, states, frames, workspace, log, found, effort):
    """Value the position at the end of the game or of the search; otherwise list its moves."""
    ply = workspace.ply
    frame = frames[ply]
    workspace.nodes += 1
    frame.length = 0
    frame.player = rules.player(t, states[ply])
    frame.depth = frames[ply - 1].depth - 1
    if frame.player == TERMINAL:
        rules.returns(t, states[ply], workspace.results)
        for q in range(workspace.players):
            frame.values[q] = final_value(workspace.results[q], ply)
        leave(frames, workspace, log, found, effort)
    elif frame.depth == 0:
        workspace.horizon = True
        for q in range(workspace.players):
            frame.values[q] = hooks.evaluate(t, states[ply], workspace.weights, q)
        leave(frames, workspace, log, found, effort)
    else:
        listing.legal(t, states[ply], frame, workspace)
        frame.next = 0
        workspace.arriving = False


@rule
def leave(frames, workspace, log, found, effort):
    """Come up with the values of this ply; the ply above keeps them if its player likes them best."""
    here = frames[workspace.ply].values
    if workspace.ply > 0:
        note_move(frames, workspace, log, here)
    come_up(workspace, found, effort, here[workspace.me])
    if workspace.ply < 0:
        return
    above = frames[workspace.ply]
    if above.before + above.next == 1 or better(here, above.values, above.player, workspace):
        for q in range(workspace.players):
            above.values[q] = here[q]
        remember(frames, workspace.ply, above.moves[above.next - 1])


@rule
def better(values, best, player, workspace):
    """Whether the player whose decision it is prefers `values`."""
    if workspace.max_n:
        return values[player] > best[player]
    if workspace.side[player] == OWN:
        return values[workspace.me] > best[workspace.me]
    return values[workspace.me] < best[workspace.me]


@rule
def note_move(frames, workspace, log, values):
    """Take down the move that led here with its worth for who made it."""
    above = frames[workspace.ply - 1]
    value = values[above.player] if workspace.max_n else values[workspace.me]
    if not workspace.max_n and workspace.side[above.player] != OWN:
        value = 0.0 - value  # not -0.0, which prints as such
    log_move(log, workspace, workspace.ply, above.moves[above.next - 1], value, workspace.nodes - above.began, EXACT)
