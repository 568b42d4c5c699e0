"""What a depth-first search looked at, for people who want to walk in it: a note for every position it is done with.

The search itself keeps one line of play and forgets the rest. Notes are written in the order in which positions are
left (post-order), so that a position's children stand before it, back to the last note of its own ply or above. A
value is that of the side that moved there; `AT_LEAST` and `AT_MOST` say that the search stopped looking because
more could not matter (Knuth & Moore 1975), and `nodes` counts every position it looked at below, itself included.

When there is no more room the deepest plies are forgotten, as many as make room again: of a short search everything
is known, of a long one the upper plies.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import inlined, rule

EXACT, AT_LEAST, AT_MOST, AGAIN = range(4)  # AGAIN: only asked, and then looked into; the next such note counts
BOUNDS = ("exact", "at least", "at most")
NOTES = 1 << 15
NOTE = np.dtype((np.record, [("value", "f8"), ("nodes", "i8"), ("action", "i4"), ("ply", "i2"), ("bound", "i2")]))
DESK = [("noted", "i8"), ("notable", "i8")]  # how many notes there are, and the deepest ply of which any are kept
EVERY_PLY = 1 << 14


def new_notes() -> np.ndarray:
    """NOTE[NOTES]."""
    return np.zeros(NOTES, NOTE)


def open_notes(desk: np.ndarray) -> None:
    """Forget all notes: a new search begins."""
    desk["noted"], desk["notable"] = 0, EVERY_PLY


@inlined
def note(notes, desk, ply, action, value, nodes, bound):
    """Write down a position at some ply that is done."""
    if ply <= desk.notable:
        write(notes, desk, ply, action, value, nodes, bound)


@rule
def write(notes, desk, ply, action, value, nodes, bound):
    if desk.noted == len(notes):
        forget_deepest(notes, desk)
    if ply <= desk.notable and desk.noted < len(notes):
        here = notes[desk.noted]
        here.ply, here.action, here.value, here.nodes, here.bound = ply, action, value, nodes, bound
        desk.noted += 1


@rule
def forget_deepest(notes, desk):
    """Forget the deepest plies until half of the room is free; never what the root's moves are worth."""
    while desk.noted > len(notes) // 2 and desk.notable > 1:
        deepest = 1
        for i in range(desk.noted):
            deepest = max(deepest, notes[i].ply)
        desk.notable = max(1, deepest - 1)
        kept = 0
        for i in range(desk.noted):
            if notes[i].ply <= desk.notable:
                notes[kept] = notes[i]
                kept += 1
        desk.noted = kept


@inlined
def turned(bound):
    """A bound as the other side sees it."""
    return AT_MOST if bound == AT_LEAST else (AT_LEAST if bound == AT_MOST else bound)
