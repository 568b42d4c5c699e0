"""The fight of `tyr`: decoupled UCT without positions in its trees, valued by territories.

Each player who is near has a tree of its own over its own actions, an open-loop tree (Perez et al. 2015). An iteration
plays rounds by the game's rules, in which all who are near choose at once, each by UCB1 in its own tree (decoupled
UCT: Finnsson & Björnsson 2008):

    Q + C sqrt(ln N / n)

until the searching player comes to a place that is new in its tree. There the board is divided once, and everybody's
value follows from it (`judgement.py`). Actions that are deadly for certain are never chosen while there is another.
With probability `caution` an opponent does anything that it survives, so that we do not rely on what we expect.

Those far away stand still. Their floods get a lead of as many rounds as were played, and what they may draw until then
counts as a chance to crash into it: `chance` holds how likely each cell is drawn after so many rounds.
"""

import math

import numpy as np

from spielbaum.games.spe_ed.players.judgement import OUT, PARTS, judge
from spielbaum.games.spe_ed.players.trees import CELLS, DESK, HORIZON, NODE, NOWHERE
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, ANSWERS, CHANGE_NOTHING, JUMP_EVERY, JUMP_SPEED, STATE
from spielbaum.games.spe_ed.steps import copy_position, move_some, options
from spielbaum.games.spe_ed.voronoi import VORONOI, divide
from spielbaum.link import kernel
from spielbaum.rules import below, inlined, random_stream, rule, uniform


def examples(t):
    """Arguments of all kernels, so that they are compiled together."""
    states, desks, rooms, rng = np.zeros(2, STATE), np.zeros(1, DESK), np.zeros(1, VORONOI), random_stream(0)
    chance = np.zeros((HORIZON, CELLS), np.float32)
    return [
        (run, (t, states, np.zeros(1, NODE), desks, rooms, chance, np.zeros(len(PARTS)), rng, 0)),
        (foresee, (t, states, desks, chance, rng, 0)),
        (divided, (t, states, rooms)),
    ]


@kernel
def run(t, states, nodes, desks, rooms, chance, weights, rng, iterations):
    """So many iterations; how many it was."""
    desk = desks[0]
    for _ in range(iterations):
        iterate(t.tables, states[0], states[1], nodes, desk, rooms[0], chance, weights, rng)
    return iterations


@inlined
def iterate(t, root, s, nodes, desk, room, chance, weights, rng):
    copy_position(t, root, s)
    for p in range(t.players):
        desk.at[p] = desk.root[p]
    desk.depth, desk.safe = 0, 1.0
    fresh = False
    while not fresh and desk.depth < HORIZON and s.died[desk.me] == 0 and s.active > 1:
        choose(t, s, nodes, desk, rng)
        move_some(t, s, desk.choices, desk.near)
        desk.depth += 1
        if s.died[desk.me] == 0:
            risk(s, desk, chance)
        fresh = go_on(t, s, nodes, desk)
    judge(t, s, room, weights, desk)
    backup(t, root, s, nodes, desk)
    desk.iterations += 1
    desk.deepest = max(desk.deepest, desk.depth)


@rule
def choose(t, s, nodes, desk, rng):
    """Everybody who is near chooses."""
    for p in range(t.players):
        desk.path[desk.depth, p] = NOWHERE
        if desk.near >> p & 1 and s.died[p] == 0:
            n = options(t, s, p, desk.open)
            if n == 0:
                desk.choices[p] = CHANGE_NOTHING
            elif desk.at[p] == NOWHERE or (p != desk.me and uniform(rng) < desk.caution):
                desk.choices[p] = desk.open[below(rng, n)]
            else:
                desk.choices[p] = select(nodes[desk.at[p]], desk, n, rng)
            desk.path[desk.depth, p] = desk.at[p]
            desk.action[desk.depth, p] = desk.choices[p]


@rule
def select(node, desk, n, rng):
    """One of the open actions: a random one that is new, or the best by UCB1."""
    new, total = 0, 0
    for i in range(n):
        visits = node.visits[desk.open[i]]
        total += visits
        if visits == 0:
            new += 1
            if below(rng, new) == 0:
                desk.spare = desk.open[i]
    if new > 0:
        return np.int64(desk.spare)
    explore, best, chosen = desk.exploration * math.sqrt(math.log(total)), -1.0, 0
    for i in range(n):
        a = desk.open[i]
        score = node.total[a] / node.visits[a] + explore / math.sqrt(node.visits[a])
        if score > best:
            best, chosen = score, a
    return np.int64(chosen)


@rule
def risk(s, desk, chance):
    """Count in how likely it is that somebody far away has drawn the cells of the own move before."""
    me = desk.me
    x, y, speed = np.int64(s.x[me]), np.int64(s.y[me]), np.int64(s.speed[me])
    across, along = ACROSS[s.direction[me]], ALONG[s.direction[me]]
    stride = speed - 1 if speed >= JUMP_SPEED and s.rounds % JUMP_EVERY == 0 else 1
    back = 0
    while back < speed:
        cell = (y - back * along) * np.int64(s.width) + x - back * across
        desk.safe *= 1.0 - chance[desk.depth - 1, cell]
        back += stride


@rule
def go_on(t, s, nodes, desk):
    """Everybody's place in the own tree after the round; whether the searching player comes to a new one."""
    fresh = False
    for p in range(t.players):
        at = desk.path[desk.depth - 1, p]
        if at != NOWHERE:
            below_it = np.int64(nodes[at].child[desk.choices[p]])
            if below_it == 0 and s.died[p] == 0:
                below_it = new_node(nodes, desk)
                nodes[at].child[desk.choices[p]] = max(below_it, 0)
                fresh |= p == desk.me
            desk.at[p] = below_it if s.died[p] == 0 else NOWHERE
    return fresh


@rule
def new_node(nodes, desk):
    """The next node of the pool; none when it is used up."""
    if desk.used == len(nodes):
        return NOWHERE
    node = nodes[desk.used]
    for action in range(ANSWERS):
        node.child[action], node.visits[action], node.total[action] = 0, 0, 0.0
    desk.used += 1
    return desk.used - 1


@rule
def backup(t, root, s, nodes, desk):
    """Count everybody's value on the way that it went; who is out has survived so many rounds."""
    for p in range(t.players):
        if desk.near >> p & 1 and root.died[p] == 0:
            value = desk.value[p]
            if s.died[p] > 0:
                value = OUT * (1.0 - 1.0 / (s.died[p] - root.rounds))
            if p == desk.me:
                value *= desk.safe
            for depth in range(desk.depth):
                at = desk.path[depth, p]
                if at != NOWHERE:
                    node, action = nodes[at], desk.action[depth, p]
                    node.visits[action] += 1
                    node.total[action] += value


@kernel
def foresee(t, states, desks, chance, rng, walks):
    """How likely a far opponent has drawn a cell by each round, from so many random rides of each."""
    desk, root, s = desks[0], states[0], states[1]
    cells = np.int64(root.width) * root.height
    for depth in range(HORIZON):
        for cell in range(cells):
            chance[depth, cell] = 0.0
    for p in range(t.tables.players):
        if root.died[p] == 0 and not desk.near >> p & 1:
            for _ in range(walks):
                copy_position(t.tables, root, s)
                walk(t.tables, s, p, desk, chance, rng, 1.0 / walks)
    for depth in range(1, HORIZON):
        for cell in range(cells):
            chance[depth, cell] = min(chance[depth, cell] + chance[depth - 1, cell], 1.0)


@rule
def walk(t, s, p, desk, chance, rng, share):
    """A random ride that goes straight on half of the time, as long as it survives."""
    for depth in range(HORIZON):
        n = options(t, s, p, desk.open)
        if n == 0:
            return
        straight = desk.open[0] == CHANGE_NOTHING and below(rng, 2) == 0
        desk.choices[p] = CHANGE_NOTHING if straight else desk.open[below(rng, n)]
        move_some(t, s, desk.choices, 1 << p)
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
