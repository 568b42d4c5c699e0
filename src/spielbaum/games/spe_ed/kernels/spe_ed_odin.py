"""Odin's search over own moves, while everybody else rides straight on.

    search(s, depth):  for each answer in order:  e = worth(s')
                           if e > 0, e > best / exploration and depth > 0:  e = search(s', depth - 1)
                           best = max(best, e)

A loop over levels in place of the recursion; states[level] is the position, from the real one on.
"""

from spielbaum.games.spe_ed.evaluate import worth
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, resolve
from spielbaum.link import kernel
from spielbaum.rules import rule


@kernel
def search(t, states, desks):
    """Value all five answers, into `desk.values`; the best one is `desk.chosen[0]`."""
    desk = desks[0]
    level = open_level(desk, 0)
    while True:
        if desk.answer[level] == ANSWERS:
            if level == 0:
                return
            level -= 1
            settle(desk, level, desk.best[level + 1])
            continue
        states[level + 1] = states[level]
        ride(t, states[level + 1], desk, desk.answer[level])
        value = worth(t.tables, states[level + 1], desk.me, desk.evaluation, t.scratch[0])
        desk.nodes += 1
        if level < desk.depth and value > 0.0 and value > desk.best[level] / desk.exploration:
            level = open_level(desk, level + 1)
        else:
            settle(desk, level, value)


@rule
def open_level(desk, level):
    desk.answer[level] = 0
    desk.best[level] = 0.0
    desk.chosen[level] = CHANGE_NOTHING
    return level


@rule
def ride(t, s, desk, answer):
    for p in range(t.tables.players):
        desk.choices[p] = CHANGE_NOTHING
    desk.choices[desk.me] = answer
    resolve(t.tables, s, desk.choices)


@rule
def settle(desk, level, value):
    """The answer of this level that was tried has its value: keep it if it is the best, and go on to the next."""
    answer = desk.answer[level]
    if level == 0:
        desk.values[answer] = value
    if value > desk.best[level]:
        desk.best[level] = value
        desk.chosen[level] = answer
    desk.answer[level] += 1
