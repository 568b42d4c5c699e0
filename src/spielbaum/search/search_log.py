"""What a depth-first search looked at, for people who walk through its tree: a log with an entry for every position.

The search itself keeps one line of play and forgets the rest. It writes an entry when it leaves a position
(post-order), so that a position's children stand before it, back to the last entry of its own ply or above. A
value is that of the side that moved there; `AT_LEAST` and `AT_MOST` say that the search stopped looking because
more could not matter (Knuth & Moore 1975), and `nodes` counts every position it looked at below, itself included.

When there is no more room the deepest plies are forgotten, as many as make room again: of a short search everything
is known, of a long one the upper plies.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import inlined, rule

EXACT, AT_LEAST, AT_MOST, AGAIN = range(4)  # AGAIN: only asked, and then looked into; the next such entry counts
BOUNDS = ("exact", "at least", "at most")
ENTRIES = 1 << 15
ENTRY = np.dtype((np.record, [("value", "f8"), ("nodes", "i8"), ("action", "i4"), ("ply", "i2"), ("bound", "i2")]))
WORKSPACE = [("logged", "i8"), ("deepest", "i8")]  # entries, and the deepest ply that is kept
EVERY_PLY = 1 << 14


def new_log() -> np.ndarray:
    """ENTRY[ENTRIES]."""
    return np.zeros(ENTRIES, ENTRY)


def open_log(workspace: np.ndarray) -> None:
    """Forget all entries: a new search begins."""
    workspace["logged"], workspace["deepest"] = 0, EVERY_PLY


@inlined
def log_move(log, workspace, ply, action, value, nodes, bound):
    """Add an entry for a position that the search leaves, unless it is too deep."""
    if ply <= workspace.deepest:
        write(log, workspace, ply, action, value, nodes, bound)


@rule
def write(log, workspace, ply, action, value, nodes, bound):
    if workspace.logged == len(log):
        forget_deepest(log, workspace)
    if ply <= workspace.deepest and workspace.logged < len(log):
        here = log[workspace.logged]
        here.ply, here.action, here.value, here.nodes, here.bound = ply, action, value, nodes, bound
        workspace.logged += 1


@rule
def forget_deepest(log, workspace):
    """Forget the deepest plies until half of the room is free; never what the root's moves are worth."""
    while workspace.logged > len(log) // 2 and workspace.deepest > 1:
        found = 1
        for i in range(workspace.logged):
            found = max(found, log[i].ply)
        workspace.deepest = max(1, found - 1)
        kept = 0
        for i in range(workspace.logged):
            if log[i].ply <= workspace.deepest:
                log[kept] = log[i]
                kept += 1
        workspace.logged = kept


@inlined
def turned(bound):
    """A bound as the other side sees it."""
    return AT_MOST if bound == AT_LEAST else (AT_LEAST if bound == AT_MOST else bound)
