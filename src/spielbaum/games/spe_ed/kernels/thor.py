"""What Thor's search supposes the others to do, for a picture over the board."""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.components.open_loop_rounds import draw_answers
from spielbaum.games.spe_ed.rules import resolve
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.linked import rules
from spielbaum.rules import random_stream


def examples(t):
    """Arguments of the kernel, so that it is not compiled in the middle of a game."""
    states, choices, answers = np.zeros(1, rules.STATE), np.zeros(PLAYERS, np.int64), np.zeros(0, np.int64)
    return [(ride_along, (t, states, 0, choices, answers, np.zeros((1, PLAYERS, 2), np.int64), random_stream(0)))]


@kernel
def ride_along(t, states, me, choices, answers, places, rng):
    """Play some own answers against drawn ones: the cell of each player after each round, into places[round, p].

    A player who is out stays where it was. The result is the number of rounds until this one is.
    """
    s = states[0]
    for i in range(len(answers)):
        draw_answers(t, s, choices, me, rng)
        choices[me] = answers[i]
        resolve(t.tables, s, choices)
        for p in range(t.tables.players):
            alive = s.died[p] == 0
            places[i + 1, p, 0] = s.x[p] if alive else places[i, p, 0]
            places[i + 1, p, 1] = s.y[p] if alive else places[i, p, 1]
        if s.died[me] > 0:
            return i + 1
    return len(answers)
