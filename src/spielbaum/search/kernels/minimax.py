"""Plain minimax and max^n to a fixed depth, for comparison and for several players.

`paranoid` sees the position with the searching side's eyes: it maximises the evaluation, everybody
else minimises it; with two players that is minimax. `max^n` (Luckhardt & Irani 1986) lets every
player maximise the evaluation of their own. Nothing is pruned, so every root action has its exact
value. A player may move again: nothing here depends on whose turn it was.
"""

from spielbaum.link import kernel
from spielbaum.linked import hooks, listing, rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.frames import come_up, final_value, go_down, remember
from spielbaum.search.notes import EXACT, note
from spielbaum.search.sides import OWN


@kernel
def run(t, states, frames, desks, notes, found, effort, nodes):
    """Go on with the search for so many positions; how many it was, fewer when the search is finished."""
    desk = desks[0]
    begin = desk.nodes
    while desk.ply >= 0 and desk.nodes - begin < nodes:
        frame = frames[desk.ply]
        if desk.arriving:
            arrive(t, states, frames, desk, notes, found, effort)
        elif frame.next < frame.count:
            states[desk.ply + 1] = states[desk.ply]
            rules.play(t, states[desk.ply + 1], frame.moves[frame.next], desk.rng)
            frame.next += 1
            frame.began = desk.nodes
            go_down(desk)
        elif listing.has_more(frame):
            listing.next_portion(t, states[desk.ply], frame, desk)
        else:
            leave(frames, desk, notes, found, effort)
    return desk.nodes - begin


@inlined
def arrive(t, states, frames, desk, notes, found, effort):
    """Value the position at the end of the game or of the search; otherwise list its moves."""
    ply = desk.ply
    frame = frames[ply]
    desk.nodes += 1
    frame.length = 0
    frame.player = rules.player(t, states[ply])
    frame.depth = frames[ply - 1].depth - 1
    if frame.player == TERMINAL:
        rules.returns(t, states[ply], desk.results)
        for q in range(desk.players):
            frame.values[q] = final_value(desk.results[q], ply)
        leave(frames, desk, notes, found, effort)
    elif frame.depth == 0:
        desk.horizon = True
        for q in range(desk.players):
            frame.values[q] = hooks.evaluate(t, states[ply], desk.weights, q)
        leave(frames, desk, notes, found, effort)
    else:
        listing.legal(t, states[ply], frame, desk)
        frame.next = 0
        desk.arriving = False


@rule
def leave(frames, desk, notes, found, effort):
    """Come up with the values of this ply; the ply above keeps them if its player likes them best."""
    here = frames[desk.ply].values
    if desk.ply > 0:
        note_move(frames, desk, notes, here)
    come_up(desk, found, effort, here[desk.me])
    if desk.ply < 0:
        return
    above = frames[desk.ply]
    if above.before + above.next == 1 or better(here, above.values, above.player, desk):
        for q in range(desk.players):
            above.values[q] = here[q]
        remember(frames, desk.ply, above.moves[above.next - 1])


@rule
def better(values, best, player, desk):
    """Whether the player whose decision it is prefers `values`."""
    if desk.max_n:
        return values[player] > best[player]
    if desk.side[player] == OWN:
        return values[desk.me] > best[desk.me]
    return values[desk.me] < best[desk.me]


@rule
def note_move(frames, desk, notes, values):
    """Take down the move that led here with its worth for who made it."""
    above = frames[desk.ply - 1]
    value = values[above.player] if desk.max_n else values[desk.me]
    if not desk.max_n and desk.side[above.player] != OWN:
        value = 0.0 - value  # not -0.0, which prints as such
    note(notes, desk, desk.ply, above.moves[above.next - 1], value, desk.nodes - above.began, EXACT)
