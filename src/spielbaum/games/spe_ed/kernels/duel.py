"""The fight of `tyr`: open-loop decoupled UCT, valued by territories.

Each player who is near has a tree of its own over its own actions, an open-loop tree (Perez et al. 2015). An iteration
plays rounds by the game's rules, in which all who are near choose at once, each by UCB1 in its own tree (decoupled
UCT: Finnsson & Björnsson 2008). This is not the general search: there the movers of a round share a node, which the
joint actions before it lead to; here a node stands for one player's own actions, whatever the others did, so that four
players have four narrow trees and not one with up to 625 children a round.

An iteration ends when the searching player comes to a place that is new in its tree. There the board is divided once,
and everybody's value follows from it (`judgement.py`). Actions that are deadly for certain are never chosen while there
is another. With probability `caution` an opponent does anything that it survives, so that we do not rely on what we
expect.

Those far away stand still. Their floods get a lead of as many rounds as were played, and what they may draw until then
counts as a chance to crash into it: `chance` holds how likely each cell is drawn after so many rounds.
"""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.players.judgement import OUT, PARTS, judge
from spielbaum.games.spe_ed.players.trees import CELLS, HORIZON, NODE, NOWHERE, WORKSPACE
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, ANSWERS, CHANGE_NOTHING, JUMP_EVERY, JUMP_SPEED, STATE
from spielbaum.games.spe_ed.steps import copy_position, move_some, options
from spielbaum.games.spe_ed.voronoi import VORONOI, divide
from spielbaum.rules import below, inlined, random_stream, rule, uniform
from spielbaum.search.kernels import ucb1


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, workspaces, rooms, rng = np.zeros(2, STATE), np.zeros(1, WORKSPACE), np.zeros(1, VORONOI), random_stream(0)
    chance = np.zeros((HORIZON, CELLS), np.float32)
    return [
        (run, (t, states, np.zeros(1, NODE), workspaces, rooms, chance, np.zeros(len(PARTS)), rng, 0)),
        (foresee, (t, states, workspaces, chance, rng, 0)),
        (divided, (t, states, rooms)),
    ]


@kernel
def run(t, states, nodes, workspaces, rooms, chance, weights, rng, iterations):
    """So many iterations; how many it was."""
    workspace = workspaces[0]
    for _ in range(iterations):
        iterate(t.tables, states[0], states[1], nodes, workspace, rooms[0], chance, weights, rng)
    return iterations


@inlined
def iterate(t, root, s, nodes, workspace, room, chance, weights, rng):
    copy_position(t, root, s)
    for p in range(t.players):
        workspace.at[p] = workspace.root[p]
    workspace.depth, workspace.safe = 0, 1.0
    fresh = False
    while not fresh and workspace.depth < HORIZON and s.died[workspace.me] == 0 and s.active > 1:
        choose(t, s, nodes, workspace, rng)
        move_some(t, s, workspace.choices, workspace.near)
        workspace.depth += 1
        if s.died[workspace.me] == 0:
            risk(s, workspace, chance)
        fresh = descend(t, s, nodes, workspace)
    judge(t, s, room, weights, workspace)
    backup(t, root, s, nodes, workspace)
    workspace.iterations += 1
    workspace.deepest = max(workspace.deepest, workspace.depth)


@rule
def choose(t, s, nodes, workspace, rng):
    """Everybody who is near chooses."""
    for p in range(t.players):
        workspace.path[workspace.depth, p] = NOWHERE
        if workspace.near >> p & 1 and s.died[p] == 0:
            n = options(t, s, p, workspace.open)
            if n == 0:
                workspace.choices[p] = CHANGE_NOTHING
            elif workspace.at[p] == NOWHERE or (p != workspace.me and uniform(rng) < workspace.caution):
                workspace.choices[p] = workspace.open[below(rng, n)]
            else:
                workspace.choices[p] = select(nodes[workspace.at[p]], workspace, n, rng)
            workspace.path[workspace.depth, p] = workspace.at[p]
            workspace.action[workspace.depth, p] = workspace.choices[p]


@rule
def select(node, workspace, n, rng):
    """One of the open actions: a random one that is new, or the best by UCB1."""
    new, total = 0, 0
    for i in range(n):
        visits = node.visits[workspace.open[i]]
        total += visits
        if visits == 0:
            new += 1
            if below(rng, new) == 0:
                workspace.spare = workspace.open[i]
    if new > 0:
        return np.int64(workspace.spare)
    explore, best, chosen = ucb1.exploration(workspace.c, total), -1.0, 0
    for i in range(n):
        a = workspace.open[i]
        inverse_visits = 1.0 / node.visits[a]
        score = ucb1.score(node.total[a] * inverse_visits, inverse_visits, explore)
        if score > best:
            best, chosen = score, a
    return np.int64(chosen)


@rule
def risk(s, workspace, chance):
    """Count in how likely it is that somebody far away has drawn the cells of the own move before."""
    me = workspace.me
    x, y, speed = int(s.x[me]), int(s.y[me]), int(s.speed[me])
    across, along = ACROSS[s.direction[me]], ALONG[s.direction[me]]
    stride = speed - 1 if speed >= JUMP_SPEED and s.rounds % JUMP_EVERY == 0 else 1
    back = 0
    while back < speed:
        cell = (y - back * along) * np.int64(s.width) + x - back * across
        workspace.safe *= 1.0 - chance[workspace.depth - 1, cell]
        back += stride


@rule
def descend(t, s, nodes, workspace):
    """Everybody's place in the own tree after the round; whether the searching player comes to a new one."""
    fresh = False
    for p in range(t.players):
        at = workspace.path[workspace.depth - 1, p]
        if at != NOWHERE:
            below_it = np.int64(nodes[at].child[workspace.choices[p]])
            if below_it == 0 and s.died[p] == 0:
                below_it = new_node(nodes, workspace)
                nodes[at].child[workspace.choices[p]] = max(below_it, 0)
                fresh |= p == workspace.me
            workspace.at[p] = below_it if s.died[p] == 0 else NOWHERE
    return fresh


@rule
def new_node(nodes, workspace):
    """The next node of the pool; none when it is used up."""
    if workspace.used == len(nodes):
        return NOWHERE
    node = nodes[workspace.used]
    for action in range(ANSWERS):
        node.child[action], node.visits[action], node.total[action] = 0, 0, 0.0
    workspace.used += 1
    return workspace.used - 1


@rule
def backup(t, root, s, nodes, workspace):
    """Count everybody's value on the way that it went; who is out has survived so many rounds."""
    for p in range(t.players):
        if workspace.near >> p & 1 and root.died[p] == 0:
            value = workspace.value[p]
            if s.died[p] > 0:
                value = OUT * (1.0 - 1.0 / (s.died[p] - root.rounds))
            if p == workspace.me:
                value *= workspace.safe
            for depth in range(workspace.depth):
                at = workspace.path[depth, p]
                if at != NOWHERE:
                    node, action = nodes[at], workspace.action[depth, p]
                    node.visits[action] += 1
                    node.total[action] += value


@kernel
def foresee(t, states, workspaces, chance, rng, walks):
    """How likely a far opponent has drawn a cell by each round, from so many random rides of each."""
    workspace, root, s = workspaces[0], states[0], states[1]
    cells = np.int64(root.width) * root.height
    for depth in range(HORIZON):
        for cell in range(cells):
            chance[depth, cell] = 0.0
    for p in range(t.tables.players):
        if root.died[p] == 0 and not workspace.near >> p & 1:
            for _ in range(walks):
                copy_position(t.tables, root, s)
                walk(t.tables, s, p, workspace, chance, rng, 1.0 / walks)
    for depth in range(1, HORIZON):
        for cell in range(cells):
            chance[depth, cell] = min(chance[depth, cell] + chance[depth - 1, cell], 1.0)


@rule
def walk(t, s, p, workspace, chance, rng, share):
    """A random ride that goes straight on half of the time, as long as it survives."""
    for depth in range(HORIZON):
        n = options(t, s, p, workspace.open)
        if n == 0:
            return
        straight = workspace.open[0] == CHANGE_NOTHING and below(rng, 2) == 0
        workspace.choices[p] = CHANGE_NOTHING if straight else workspace.open[below(rng, n)]
        move_some(t, s, workspace.choices, 1 << p)
        across, along = ACROSS[s.direction[p]], ALONG[s.direction[p]]
        stride = s.speed[p] - 1 if s.speed[p] >= JUMP_SPEED and s.rounds % JUMP_EVERY == 0 else 1
        back = 0
        while back < s.speed[p]:
            chance[depth, (s.y[p] - back * along) * np.int64(s.width) + s.x[p] - back * across] += share
            back += stride


@kernel
def divided(t, states, rooms):
    """Divide the board as if all were slow: who meets whom without a jump."""
    for p in range(t.tables.players):
        rooms[0].pace[p] = 1 if states[0].died[p] == 0 else 0
        rooms[0].lead[p] = rooms[0].leap[p] = 0
    divide(t.tables, states[0], rooms[0])
