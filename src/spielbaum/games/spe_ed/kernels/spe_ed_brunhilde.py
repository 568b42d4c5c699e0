"""Brunhilde's minimax with alpha-beta: own move, the rival's answer, and then the round happens.

Even plies are own ones and maximise, odd ones are the rival's and minimise; who is neither rides straight on. The
rival knows what we have chosen, so the value is one that we are sure of against it. A loop over plies in place of the
recursion; states[round] is the position.
"""

import math

from spielbaum.games.spe_ed.evaluate import worth
from spielbaum.games.spe_ed.policies import nearest_enemy
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, resolve
from spielbaum.link import kernel
from spielbaum.rules import rule


@kernel
def search(t, states, desks):
    """Value the five answers, into `desk.values`; all but the best value are upper bounds."""
    desk = desks[0]
    desk.rival = nearest_enemy(t.tables, states[0], desk.me)
    ply = open_ply(states, desk, 0, -math.inf, math.inf)
    while True:
        if desk.next[ply] == desk.count[ply] or desk.alpha[ply] >= desk.beta[ply]:
            if ply == 0:
                return
            ply -= 1
            settle(desk, ply, desk.best[ply + 1])
            continue
        desk.move[ply] = desk.next[ply]
        desk.next[ply] += 1
        if ply % 2 == 0:
            ply = open_ply(states, desk, ply + 1, desk.alpha[ply], desk.beta[ply])
            continue
        ahead = ply // 2 + 1
        states[ahead] = states[ahead - 1]
        happen(t, states[ahead], desk, ply)
        if ahead == desk.depth or states[ahead].died[desk.me] > 0 or states[ahead].active < 2:
            settle(desk, ply, worth(t.tables, states[ahead], desk.me, desk.evaluation, t.scratch[0]))
        else:
            ply = open_ply(states, desk, ply + 1, desk.alpha[ply], desk.beta[ply])


@rule
def open_ply(states, desk, ply, alpha, beta):
    """Begin with the answers of a ply. A rival who is out has nothing to choose."""
    rival_is_out = ply % 2 == 1 and states[ply // 2].died[desk.rival] > 0
    desk.count[ply] = 1 if rival_is_out else ANSWERS
    desk.next[ply] = 0
    desk.alpha[ply], desk.beta[ply] = alpha, beta
    desk.best[ply] = -math.inf if ply % 2 == 0 else math.inf
    desk.chosen[ply] = CHANGE_NOTHING
    return ply


@rule
def happen(t, s, desk, ply):
    """The round in which we and the rival have chosen."""
    desk.nodes += 1
    for p in range(t.tables.players):
        desk.choices[p] = CHANGE_NOTHING
    desk.choices[desk.rival] = desk.move[ply]
    desk.choices[desk.me] = desk.move[ply - 1]
    resolve(t.tables, s, desk.choices)


@rule
def settle(desk, ply, value):
    """The answer that was tried last at a ply has its value."""
    if ply == 0:
        desk.values[desk.move[0]] = value
    if ply % 2 == 0 and value > desk.best[ply]:
        desk.best[ply] = value
        desk.alpha[ply] = max(desk.alpha[ply], value)
        desk.chosen[ply] = desk.move[ply]
    elif ply % 2 == 1 and value < desk.best[ply]:
        desk.best[ply] = value
        desk.beta[ply] = min(desk.beta[ply], value)
