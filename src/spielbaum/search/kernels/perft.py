"""Perft, linked with a game: count the sequences of actions from a position, length by length.

Chess programmers test their move generators this way ("performance test, move path enumeration").
The walk keeps its stack in arrays and hands back control after a number of steps, so that a long
count can be stopped at any time. The last ply is counted without being played.
"""

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, rule

START, DONE = -1, -2


@kernel
def walk(t, states, frames, tallies, rng, ply, steps):
    """Go on from a ply, at first START, for some steps; where to go on after them, at last DONE."""
    if ply == START:
        ply = 0
        if not enter(t, states, frames, tallies, ply):
            return DONE
    for _ in range(steps):
        frame = frames[ply]
        if frame.tried == frame.count:
            if ply == 0:
                return DONE
            ply -= 1
        else:
            states[ply + 1] = states[ply]
            rules.play(t, states[ply + 1], frame.moves[frame.tried], rng)
            frame.tried += 1
            if enter(t, states, frames, tallies, ply + 1):
                ply += 1
    return ply


@rule
def enter(t, states, frames, tallies, ply):
    """Count the actions of the position at a ply; whether to play them, which nobody needs at the last."""
    if rules.player(t, states[ply]) == TERMINAL:
        return False
    frame = frames[ply]
    frame.count = hooks.legal(t, states[ply], frame.moves)
    frame.tried = 0
    tallies[ply].nodes += frame.count
    for i in range(frame.count):
        if hooks.capture(t, states[ply], frame.moves[i]):
            tallies[ply].captures += 1
    return ply + 1 < len(tallies)
