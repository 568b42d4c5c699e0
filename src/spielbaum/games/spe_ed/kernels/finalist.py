"""Multi-minimax with alpha-beta, as finalists of the InformatiCup 2021 played: who is near is the enemy, one at a time.

The own player maximises. After its first action the worst of the near opponents is chosen, and this one alone replies
in all rounds to come, knowing the own action, while everybody else stands still:

    value(a) = min over opponents q of  min over b  max over a'  min over b' …  (territory(me) - territory(q)) / free

That is pessimistic twice: opponents move at once and not after us, and each wants nothing but our worst. The search is
resumed slice by slice; a frame is a round of the line that is looked at.
"""

import math

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.area import free_cells
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, STATE
from spielbaum.games.spe_ed.steps import copy_position, move_some, options
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.games.spe_ed.voronoi import VORONOI, territories
from spielbaum.rules import inlined, rule

NOBODY = -1
OUT, BOTH_OUT = -3.0, -2.0  # worse than any division of the board
FRAME = np.dtype(
    (
        np.record,
        [
            *((name, "f8") for name in ("alpha", "beta", "best", "worst")),
            *((name, "i8") for name in ("move", "moves", "reply", "replies", "tried")),
            ("action", "i8", ANSWERS),
            ("answer", "i8", ANSWERS * PLAYERS),
            ("by", "i8", ANSWERS * PLAYERS),  # who gives this answer
        ],
    )
)
WORKSPACE = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("me", "depth", "horizon", "nodes", "valued", "chosen", "enemies", "pace")),
            ("haste", "f8"),
            ("enemy", "i8", PLAYERS),
            ("choices", "i8", PLAYERS),
            ("spare", "i8", ANSWERS),
        ],
    )
)


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, frames, workspaces, rooms = (
        np.zeros(1, STATE),
        np.zeros(1, FRAME),
        np.zeros(1, WORKSPACE),
        np.zeros(1, VORONOI),
    )
    found, out = np.zeros(ANSWERS), np.zeros(ANSWERS, np.int64)
    return [
        (run, (t, states, frames, workspaces, rooms, found, 0)),
        (root, (t, states, frames, workspaces)),
        (alive, (t, states, 0, out)),
    ]


@kernel
def run(t, states, frames, workspaces, rooms, found, nodes):
    """Go on for so many positions; how many it was, fewer when this depth is finished."""
    workspace = workspaces[0]
    begin = workspace.nodes
    while workspace.depth >= 0 and workspace.nodes - begin < nodes:
        frame = frames[workspace.depth]
        if frame.reply < frame.replies and frame.worst > max(frame.alpha, frame.best):
            reply(t.tables, states, frames, workspace, rooms)
        elif frame.move < frame.moves and frame.best < frame.beta:
            record_value(frame, workspace, found)
            next_move(t.tables, states, frames, workspace)
        else:
            record_value(frame, workspace, found)
            leave(frames, workspace)
    return workspace.nodes - begin


@inlined
def record_value(frame, workspace, found):
    """An own action is valued: at the root it is noted."""
    if frame.tried:
        frame.best = max(frame.best, frame.worst)
        if workspace.depth == 0:
            found[frame.action[frame.move - 1]] = frame.worst
            workspace.valued += 1
        frame.tried = False


@rule
def next_move(t, states, frames, workspace):
    """Begin with the next own action: all replies to it are open."""
    frame, s = frames[workspace.depth], states[workspace.depth]
    workspace.choices[workspace.me] = frame.action[frame.move]
    frame.move += 1
    frame.tried, frame.worst, frame.reply = True, math.inf, 0
    frame.replies = list_replies(t, s, frame, workspace)


@rule
def list_replies(t, s, frame, workspace):
    """What the enemy may do: at the root each of those near, further down the one that was chosen; with none, wait."""
    n = 0
    for i in range(workspace.enemies):
        q = workspace.enemy[i]
        if workspace.depth > 0 and q != workspace.chosen:
            continue
        count = options(t, s, q, workspace.spare)
        if count == 0:
            workspace.spare[0], count = CHANGE_NOTHING, 1
        for j in range(count):
            frame.answer[n], frame.by[n] = workspace.spare[j], q
            n += 1
    if n == 0:
        frame.answer[0], frame.by[0], n = CHANGE_NOTHING, NOBODY, 1
    return n


@rule
def reply(t, states, frames, workspace, rooms):
    """Play a round; value it, or go down."""
    frame = frames[workspace.depth]
    q = np.int64(frame.by[frame.reply])
    if workspace.depth == 0:
        workspace.chosen = q
    workspace.choices[workspace.me] = frame.action[frame.move - 1]
    moving = 1 << workspace.me
    if q != NOBODY:
        workspace.choices[q] = frame.answer[frame.reply]
        moving |= 1 << q
    frame.reply += 1
    after = states[workspace.depth + 1]
    copy_position(t, states[workspace.depth], after)
    move_some(t, after, workspace.choices, moving)
    workspace.nodes += 1
    if after.died[workspace.me] > 0:
        both = q != NOBODY and after.died[q] > 0
        frame.worst = min(frame.worst, (BOTH_OUT if both else OUT) + 0.01 * workspace.depth)
    elif workspace.depth + 1 >= workspace.horizon or after.active < 2 or (q != NOBODY and after.died[q] > 0):
        frame.worst = min(frame.worst, judge(t, after, workspace, q, rooms[0]))
    else:
        open_frame(t, after, frames, workspace, max(frame.alpha, frame.best), min(frame.beta, frame.worst))
        if workspace.depth + 1 < workspace.horizon and frames[workspace.depth + 1].moves == 0:
            frame.worst = min(frame.worst, OUT + 0.01 * (workspace.depth + 1))
        else:
            workspace.depth += 1


@rule
def open_frame(t, s, frames, workspace, alpha, beta):
    below = frames[workspace.depth + 1]
    below.alpha, below.beta, below.best, below.worst = alpha, beta, -math.inf, -math.inf
    below.move = below.reply = below.replies = 0
    below.tried = False
    below.moves = options(t, s, workspace.me, below.action)


@inlined
def leave(frames, workspace):
    """Hand the best value to the round above."""
    value = frames[workspace.depth].best
    workspace.depth -= 1
    if workspace.depth >= 0:
        frames[workspace.depth].worst = min(frames[workspace.depth].worst, value)


@rule
def judge(t, s, workspace, q, room):
    """The own territory against the enemy's, as shares of what is free; with no enemy near, against the largest."""
    territories(t, s, room, workspace.pace)
    theirs = 0
    for p in range(t.players):
        if p != workspace.me and (q == NOBODY or p == q) and s.died[p] == 0:
            theirs = max(theirs, int(room.cells[p]))
    lead = (np.int64(room.cells[workspace.me]) - theirs) / max(free_cells(t, s), 1)
    return lead - workspace.haste * (s.speed[workspace.me] - 1)


@kernel
def root(t, states, frames, workspaces):
    """Begin a search of a depth: the own actions stand in the first frame, the most promising first."""
    workspace, frame = workspaces[0], frames[0]
    frame.alpha, frame.beta, frame.best, frame.worst = -math.inf, math.inf, -math.inf, -math.inf
    frame.move = frame.reply = frame.replies = 0
    frame.tried = False
    workspace.depth = workspace.valued = 0


@kernel
def alive(t, states, player, out):
    """The actions that are not deadly for certain; all where there is none."""
    n = options(t.tables, states[0], player, out)
    if n == 0:
        for action in range(ANSWERS):
            out[action] = action
        n = ANSWERS
    return n
