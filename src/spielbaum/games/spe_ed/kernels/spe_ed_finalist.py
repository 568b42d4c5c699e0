"""Multi-minimax with alpha-beta, as finalists of the InformatiCup 2021 played: who is near is the enemy, one at a time.

The own player maximises. After its first action the worst of the near opponents is chosen, and this one alone replies
in all rounds to come, knowing the own action, while everybody else stands still:

    value(a) = min over opponents q of  min over b  max over a'  min over b' …  (territory(me) - territory(q)) / free

That is pessimistic twice: opponents move at once and not after us, and each wants nothing but our worst. The search is
resumed slice by slice; a frame is a round of the line that is looked at.
"""

import math

import numpy as np

from spielbaum.games.spe_ed.area import free_cells
from spielbaum.games.spe_ed.players.finalist import BOTH_OUT, DESK, FRAME, NOBODY, OUT
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, STATE
from spielbaum.games.spe_ed.steps import copy_position, move_some, options
from spielbaum.games.spe_ed.voronoi import VORONOI, territories
from spielbaum.link import kernel
from spielbaum.rules import inlined, rule


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, frames, desks, rooms = np.zeros(1, STATE), np.zeros(1, FRAME), np.zeros(1, DESK), np.zeros(1, VORONOI)
    found, out = np.zeros(ANSWERS), np.zeros(ANSWERS, np.int64)
    return [
        (run, (t, states, frames, desks, rooms, found, 0)),
        (root, (t, states, frames, desks)),
        (alive, (t, states, 0, out)),
    ]


@kernel
def run(t, states, frames, desks, rooms, found, nodes):
    """Go on for so many positions; how many it was, fewer when this depth is finished."""
    desk = desks[0]
    begin = desk.nodes
    while desk.depth >= 0 and desk.nodes - begin < nodes:
        frame = frames[desk.depth]
        if frame.reply < frame.replies and frame.worst > max(frame.alpha, frame.best):
            reply(t.tables, states, frames, desk, rooms)
        elif frame.move < frame.moves and frame.best < frame.beta:
            settle(frame, desk, found)
            next_move(t.tables, states, frames, desk)
        else:
            settle(frame, desk, found)
            leave(frames, desk)
    return desk.nodes - begin


@inlined
def settle(frame, desk, found):
    """An own action is valued: at the root it is noted."""
    if frame.tried:
        frame.best = max(frame.best, frame.worst)
        if desk.depth == 0:
            found[frame.action[frame.move - 1]] = frame.worst
            desk.valued += 1
        frame.tried = False


@rule
def next_move(t, states, frames, desk):
    """Begin with the next own action: all replies to it are open."""
    frame, s = frames[desk.depth], states[desk.depth]
    desk.choices[desk.me] = frame.action[frame.move]
    frame.move += 1
    frame.tried, frame.worst, frame.reply = True, math.inf, 0
    frame.replies = list_replies(t, s, frame, desk)


@rule
def list_replies(t, s, frame, desk):
    """What the enemy may do: at the root each of those near, further down the one that was chosen; with none, wait."""
    n = 0
    for i in range(desk.enemies):
        q = desk.enemy[i]
        if desk.depth > 0 and q != desk.chosen:
            continue
        count = options(t, s, q, desk.spare)
        if count == 0:
            desk.spare[0], count = CHANGE_NOTHING, 1
        for j in range(count):
            frame.answer[n], frame.by[n] = desk.spare[j], q
            n += 1
    if n == 0:
        frame.answer[0], frame.by[0], n = CHANGE_NOTHING, NOBODY, 1
    return n


@rule
def reply(t, states, frames, desk, rooms):
    """Play a round; value it, or go down."""
    frame = frames[desk.depth]
    q = np.int64(frame.by[frame.reply])
    if desk.depth == 0:
        desk.chosen = q
    desk.choices[desk.me] = frame.action[frame.move - 1]
    moving = 1 << desk.me
    if q != NOBODY:
        desk.choices[q] = frame.answer[frame.reply]
        moving |= 1 << q
    frame.reply += 1
    after = states[desk.depth + 1]
    copy_position(t, states[desk.depth], after)
    move_some(t, after, desk.choices, moving)
    desk.nodes += 1
    if after.died[desk.me] > 0:
        both = q != NOBODY and after.died[q] > 0
        frame.worst = min(frame.worst, (BOTH_OUT if both else OUT) + 0.01 * desk.depth)
    elif desk.depth + 1 >= desk.horizon or after.active < 2 or (q != NOBODY and after.died[q] > 0):
        frame.worst = min(frame.worst, judge(t, after, desk, q, rooms[0]))
    else:
        open_frame(t, after, frames, desk, max(frame.alpha, frame.best), min(frame.beta, frame.worst))
        if desk.depth + 1 < desk.horizon and frames[desk.depth + 1].moves == 0:
            frame.worst = min(frame.worst, OUT + 0.01 * (desk.depth + 1))
        else:
            desk.depth += 1


@rule
def open_frame(t, s, frames, desk, alpha, beta):
    below = frames[desk.depth + 1]
    below.alpha, below.beta, below.best, below.worst = alpha, beta, -math.inf, -math.inf
    below.move = below.reply = below.replies = 0
    below.tried = False
    below.moves = options(t, s, desk.me, below.action)


@inlined
def leave(frames, desk):
    """Hand the best value to the round above."""
    value = frames[desk.depth].best
    desk.depth -= 1
    if desk.depth >= 0:
        frames[desk.depth].worst = min(frames[desk.depth].worst, value)


@rule
def judge(t, s, desk, q, room):
    """The own territory against the enemy's, as shares of what is free; with no enemy near, against the largest."""
    territories(t, s, room, desk.pace)
    theirs = 0
    for p in range(t.players):
        if p != desk.me and (q == NOBODY or p == q) and s.died[p] == 0:
            theirs = max(theirs, np.int64(room.cells[p]))
    lead = (np.int64(room.cells[desk.me]) - theirs) / max(free_cells(t, s), 1)
    return lead - desk.haste * (s.speed[desk.me] - 1)


@kernel
def root(t, states, frames, desks):
    """Begin a search of a depth: the own actions stand in the first frame, the most promising first."""
    desk, frame = desks[0], frames[0]
    frame.alpha, frame.beta, frame.best, frame.worst = -math.inf, math.inf, -math.inf, -math.inf
    frame.move = frame.reply = frame.replies = 0
    frame.tried = False
    desk.depth = desk.valued = 0


@kernel
def alive(t, states, player, out):
    """The actions that are not deadly for certain; all where there is none."""
    n = options(t.tables, states[0], player, out)
    if n == 0:
        for action in range(ANSWERS):
            out[action] = action
        n = ANSWERS
    return n
