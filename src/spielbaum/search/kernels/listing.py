"""The moves of a position in its frame, in portions where there are more than a frame has room for.

There is a frame for every ply. A game that may have a million legal moves lists them in one place for all plies; a
frame holds a portion of them, and when it is tried the position is asked again. So what a search takes depends on the
plies, and hardly on how many moves a game says that there may be.
"""

from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import inlined, rule
from spielbaum.search.frames import WIDEST, room

APART = room(rules) > WIDEST


@inlined
def legal(t, s, frame, workspace):
    """The legal moves, or the first portion of them."""
    frame.before = 0
    if APART:
        take(frame, workspace.listing, hooks.legal(t, s, workspace.listing))
    else:
        frame.count = hooks.legal(t, s, frame.moves)


@inlined
def captures(t, s, frame, workspace):
    """The captures, or the first portion of them."""
    frame.before = 0
    if APART:
        take(frame, workspace.listing, hooks.captures(t, s, workspace.listing))
    else:
        frame.count = hooks.captures(t, s, frame.moves)


@inlined
def has_more(frame):
    """Whether a portion is tried and another one follows."""
    return APART and frame.next == frame.count and frame.before + frame.count < frame.total


@rule
def next_portion(t, s, frame, workspace):
    frame.before += frame.count
    frame.next = 0
    if workspace.ply == 0:
        take(frame, workspace.root, frame.total)
    elif frame.depth <= 0:
        take(frame, workspace.listing, hooks.captures(t, s, workspace.listing))
    else:
        take(frame, workspace.listing, hooks.legal(t, s, workspace.listing))


@rule
def take(frame, moves, total):
    """Copy the portion that is next."""
    frame.total = total
    frame.count = min(total - frame.before, WIDEST)
    for i in range(frame.count):
        frame.moves[i] = moves[frame.before + i]
