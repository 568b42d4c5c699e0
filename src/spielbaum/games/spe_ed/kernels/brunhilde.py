"""Brunhilde's minimax with alpha-beta: own move, the rival's answer, and then the round happens.

Even plies are own ones and maximise, odd ones are the rival's and minimise; who is neither rides straight on. The
rival knows what we have chosen, so the value is one that we are sure of against it. A loop over plies in place of the
recursion; states[round] is the position.
"""

import math

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.evaluate import worth
from spielbaum.games.spe_ed.policies import nearest_enemy
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, resolve
from spielbaum.rules import rule


@kernel
def search(t, states, workspaces):
    """Value the five answers, into `workspace.values`; all but the best value are upper bounds."""
    workspace = workspaces[0]
    workspace.rival = nearest_enemy(t.tables, states[0], workspace.me)
    ply = open_ply(states, workspace, 0, -math.inf, math.inf)
    while True:
        if workspace.next[ply] == workspace.count[ply] or workspace.alpha[ply] >= workspace.beta[ply]:
            if ply == 0:
                return
            ply -= 1
            record_value(workspace, ply, workspace.best[ply + 1])
            continue
        workspace.move[ply] = workspace.next[ply]
        workspace.next[ply] += 1
        if ply % 2 == 0:
            ply = open_ply(states, workspace, ply + 1, workspace.alpha[ply], workspace.beta[ply])
            continue
        ahead = ply // 2 + 1
        states[ahead] = states[ahead - 1]
        happen(t, states[ahead], workspace, ply)
        if ahead == workspace.depth or states[ahead].died[workspace.me] > 0 or states[ahead].active < 2:
            record_value(
                workspace, ply, worth(t.tables, states[ahead], workspace.me, workspace.evaluation, t.scratch[0])
            )
        else:
            ply = open_ply(states, workspace, ply + 1, workspace.alpha[ply], workspace.beta[ply])


@rule
def open_ply(states, workspace, ply, alpha, beta):
    """Begin with the answers of a ply. A rival who is out has nothing to choose."""
    rival_is_out = ply % 2 == 1 and states[ply // 2].died[workspace.rival] > 0
    workspace.count[ply] = 1 if rival_is_out else ANSWERS
    workspace.next[ply] = 0
    workspace.alpha[ply], workspace.beta[ply] = alpha, beta
    workspace.best[ply] = -math.inf if ply % 2 == 0 else math.inf
    workspace.chosen[ply] = CHANGE_NOTHING
    return ply


@rule
def happen(t, s, workspace, ply):
    """The round in which we and the rival have chosen."""
    workspace.nodes += 1
    for p in range(t.tables.players):
        workspace.choices[p] = CHANGE_NOTHING
    workspace.choices[workspace.rival] = workspace.move[ply]
    workspace.choices[workspace.me] = workspace.move[ply - 1]
    resolve(t.tables, s, workspace.choices)


@rule
def record_value(workspace, ply, value):
    """The answer that was tried last at a ply has its value."""
    if ply == 0:
        workspace.values[workspace.move[0]] = value
    if ply % 2 == 0 and value > workspace.best[ply]:
        workspace.best[ply] = value
        workspace.alpha[ply] = max(workspace.alpha[ply], value)
        workspace.chosen[ply] = workspace.move[ply]
    elif ply % 2 == 1 and value < workspace.best[ply]:
        workspace.best[ply] = value
        workspace.beta[ply] = min(workspace.beta[ply], value)
