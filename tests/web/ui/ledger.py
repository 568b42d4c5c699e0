"""Cross out entries of a ledger in turn; who crosses out the last one wins.

An entry is named by its page and its line, such as **b2-7**.

Nobody may pass.
"""

import numpy as np

from spielbaum import TERMINAL, rule

PAGES, LINES = 10, 12
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, PAGES * LINES, PAGES * LINES
STATE = np.dtype((np.record, [("crossed", "i8", PAGES * LINES), ("mover", "i8")]))
SEATS = ("Buchhalterin", "Wirtschaftsprüfer")


@rule
def player(s):
    for entry in range(PAGES * LINES):
        if s.crossed[entry] == 0:
            return s.mover
    return TERMINAL


@rule
def actions(s, out):
    n = 0
    for entry in range(PAGES * LINES):
        if s.crossed[entry] == 0:
            out[n] = entry
            n += 1
    return n


@rule
def play(s, action):
    s.crossed[action] = 1
    s.mover = 1 - s.mover


@rule
def returns(s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0


def format_action(action):
    return f"{'ab'[action // LINES % 2]}{action // LINES}-{action % LINES}"


def render(s):
    return "\n".join(
        f"{'ab'[page % 2]}{page}  " + " ".join("x" if s.crossed[page * LINES + i] else "·" for i in range(LINES))
        for page in range(PAGES)
    )
