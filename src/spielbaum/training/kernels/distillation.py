"""Quick games of alpha-beta against itself inside one kernel call: what a teacher plays, and what it thinks of it.

A decision is a search to a fixed depth, by iterations of which each tries first what the one before found best and
then what it took longest to refute. Both sides have a table of their own, whose values are theirs.
"""

import math

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, below, rule, uniform
from spielbaum.search.frames import NO_MOVE, SURE
from spielbaum.search.kernels import alphabeta
from spielbaum.search.table import GENERATIONS

ENDLESS = 1 << 62


@kernel
def play(t, states, frames, workspaces, tables, log, found, effort, depth, chances, wandering, limit, met, told, rng):
    """Play a game after so many random moves; how many positions were met, and the last one is left in `states[1]`.

    `told` gets the mover, the action and the score of each, and whether it is aside: a random move away from the game,
    where a search would look as well. `chances` are those of straying from the best move, and of looking aside.
    """
    now, there, used = states[1], states[2], 0
    states[1] = states[0]
    hooks.start(t, now, rng)
    for _ in range(wandering):
        if rules.player(t, now) != TERMINAL:
            rules.play(t, now, hooks.sample(t, now, frames[1].moves, rng), rng)
    for _ in range(limit):
        if rules.player(t, now) == TERMINAL:
            break
        states[2] = now
        action = meet(t, states, frames, workspaces, tables, log, found, effort, depth, met, told, used, False, rng)
        used += 1
        if uniform(rng) < chances[1]:
            states[2] = now
            rules.play(t, there, hooks.sample(t, now, frames[1].moves, rng), rng)
            if rules.player(t, there) != TERMINAL:
                meet(t, states, frames, workspaces, tables, log, found, effort, depth, met, told, used, True, rng)
                used += 1
        if uniform(rng) < chances[0]:
            action = hooks.sample(t, now, frames[1].moves, rng)
        rules.play(t, now, action, rng)
    return used


@rule
def meet(t, states, frames, workspaces, tables, log, found, effort, depth, met, told, i, aside, rng):
    """Search the position in `states[2]`, and write down what was found; the best action."""
    me = rules.player(t, states[2])
    met[i] = states[2]
    action = search(t, states[2:], frames, workspaces[me], tables[me], log, found, effort, depth, rng)
    told[i, 0], told[i, 1], told[i, 2], told[i, 3] = me, action, frames[0].best, aside
    return action


@rule
def search(t, states, frames, workspace, table, log, found, effort, depth, rng):
    """The best action of the position in the first state, with its value in the first frame."""
    workspace.nodes = 0
    workspace.history[:] = 0
    workspace.generation = (workspace.generation + 1) % GENERATIONS
    for ply in range(len(frames)):
        frames[ply].length = 0
        frames[ply].killers[:] = NO_MOVE
    root = frames[0]
    root.total = root.count = hooks.legal(t, states[0], root.moves)
    shuffle(root, rng)
    for plies in range(1, depth + 1):
        open_root(root, workspace, plies)
        alphabeta.run_slice(t, states, frames, workspace, table, log, found, effort, ENDLESS)
        bring_best_forward(root, effort)
        if abs(root.best) > SURE / 2 or not workspace.horizon:
            break
    return root.best_move


@rule
def shuffle(root, rng):
    for i in range(root.count - 1, 0, -1):
        j = below(rng, i + 1)
        root.moves[i], root.moves[j] = root.moves[j], root.moves[i]


@rule
def open_root(root, workspace, depth):
    """As `spielbaum.search.frames.open_root`, with the moves that are there, and without log."""
    root.next, root.depth, root.before = 0, depth, 0
    root.player, root.maximise = workspace.me, True
    root.low, root.high = -math.inf, math.inf
    root.best, root.best_move, root.length = -math.inf, NO_MOVE, 0
    root.scouting = root.again = False
    root.reduction = 0
    workspace.ply, workspace.arriving, workspace.done, workspace.horizon = 0, False, 0, False
    workspace.before = workspace.nodes
    workspace.logged = workspace.deepest = 0


@rule
def bring_best_forward(root, effort):
    """The best move first, then those that took longest to refute."""
    for i in range(root.count):
        if root.moves[i] == root.best_move:
            effort[i] = ENDLESS
    for i in range(1, root.count):
        move, nodes, j = root.moves[i], effort[i], i
        while j > 0 and effort[j - 1] < nodes:
            root.moves[j], effort[j] = root.moves[j - 1], effort[j - 1]
            j -= 1
        root.moves[j], effort[j] = move, nodes
