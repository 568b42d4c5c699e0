"""Odin's search over own moves, while everybody else rides straight on.

    search(s, depth):  for each answer in order:  e = worth(s')
                           if e > 0, e > best / exploration and depth > 0:  e = search(s', depth - 1)
                           best = max(best, e)

A loop over levels in place of the recursion; states[level] is the position, from the real one on.
"""

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.evaluate import worth
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, resolve
from spielbaum.rules import rule


@kernel
def search(t, states, workspaces):
    """Value all five answers, into `workspace.values`; the best one is `workspace.chosen[0]`."""
    workspace = workspaces[0]
    level = open_level(workspace, 0)
    while True:
        if workspace.answer[level] == ANSWERS:
            if level == 0:
                return
            level -= 1
            record_value(workspace, level, workspace.best[level + 1])
            continue
        states[level + 1] = states[level]
        ride(t, states[level + 1], workspace, workspace.answer[level])
        value = worth(t.tables, states[level + 1], workspace.me, workspace.evaluation, t.scratch[0])
        workspace.nodes += 1
        if level < workspace.depth and value > 0.0 and value > workspace.best[level] / workspace.exploration:
            level = open_level(workspace, level + 1)
        else:
            record_value(workspace, level, value)


@rule
def open_level(workspace, level):
    workspace.answer[level] = 0
    workspace.best[level] = 0.0
    workspace.chosen[level] = CHANGE_NOTHING
    return level


@rule
def ride(t, s, workspace, answer):
    for p in range(t.tables.players):
        workspace.choices[p] = CHANGE_NOTHING
    workspace.choices[workspace.me] = answer
    resolve(t.tables, s, workspace.choices)


@rule
def record_value(workspace, level, value):
    """The answer of this level that was tried has its value: keep it if it is the best, and go on to the next."""
    answer = workspace.answer[level]
    if level == 0:
        workspace.values[answer] = value
    if value > workspace.best[level]:
        workspace.best[level] = value
        workspace.chosen[level] = answer
    workspace.answer[level] += 1
