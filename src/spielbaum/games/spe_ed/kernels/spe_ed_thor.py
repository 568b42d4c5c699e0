"""Thor's open-loop tree search over own moves.

A node is a sequence of own moves, not a position: every pass replays it from the real position, with the moves of the
opponents drawn anew. Selection takes a child without visits first and otherwise the largest Q + C·sqrt(ln n_p / n),
where Q counts 0, without the exploration term, for a child whose values were all 0. The position at the end of the
path is valued at once, and a leaf that is visited again gets its five children.
"""

import math

import numpy as np

from spielbaum.games.spe_ed.evaluate import AREA, worth
from spielbaum.games.spe_ed.policies import at_random
from spielbaum.games.spe_ed.rules import ANSWERS, resolve
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.link import kernel
from spielbaum.linked import rules
from spielbaum.rules import inlined, random_stream, rule

LONGEST = 512  # moves of a path
NODE = np.dtype((np.record, [("total", "f8"), ("visits", "i4"), ("first", "i4")]))  # first of five children, 0 for none
DESK = [
    ("me", "i8"),
    ("c", "f8"),
    ("revive", "?"),
    ("full", "?"),
    ("used", "i8"),  # nodes
    ("deepest", "i8"),
    ("choices", "i8", PLAYERS),
    ("path", "i4", LONGEST),
]
ROOT, NOW = 0, 1  # positions; the root of the tree is node 0 as well


def examples(t):
    """Arguments for every kernel, so that none is compiled in the middle of a game."""
    states, desks, rng = (
        np.zeros(2, rules.STATE),
        np.zeros(1, np.dtype((np.record, DESK), align=True)),
        random_stream(0),
    )
    nodes, answers, places = np.zeros(0, NODE), np.zeros(0, np.int64), np.zeros((1, PLAYERS, 2), np.int64)
    return [
        (run, (t, states, nodes, desks, rng, 0)),
        (keep, (t, nodes, nodes, desks, 0, False)),
        (ride_along, (t, states, desks, answers, places, rng)),
    ]


@kernel
def run(t, states, nodes, desks, rng, iterations):
    """Iterate; the number of iterations done, fewer where the tree must be given more room first."""
    desk = desks[0]
    for done in range(iterations):
        if desk.used + ANSWERS > len(nodes) and not desk.full:
            return done
        length = select(nodes, desk)
        value = simulate(t, states, nodes, desk, length, rng)
        backup(nodes, desk, length, value)
    return iterations


@rule
def select(nodes, desk):
    """Put the way to a leaf into `desk.path`; how many moves it is long."""
    at, length = 0, 0
    desk.path[0] = 0
    while length + 1 < len(desk.path):
        if nodes[at].first == 0 and not (nodes[at].visits > 0 and expand(nodes, desk, at)):
            break
        at = best_child(nodes, desk, at)
        length += 1
        desk.path[length] = at
    desk.deepest = max(desk.deepest, length)
    return length


@inlined
def expand(nodes, desk, at):
    """Give a leaf its five children, side by side; False without room for them."""
    if desk.used + ANSWERS > len(nodes):
        return False
    nodes[at].first = desk.used
    for child in range(desk.used, desk.used + ANSWERS):
        nodes[child].first, nodes[child].visits, nodes[child].total = 0, 0, 0.0
    desk.used += ANSWERS
    return True


@inlined
def best_child(nodes, desk, at):
    """A child without visits, otherwise the one with the largest score; of equals the first."""
    first = nodes[at].first
    explore = desk.c * math.sqrt(math.log(max(nodes[at].visits, 1))) if desk.c > 0.0 else 0.0
    best, chosen = -1.0, first
    for child in range(first, first + ANSWERS):
        n = nodes[child]
        if n.visits == 0:
            return child
        score = n.total / n.visits
        if n.total > 0.0 or desk.revive:
            score += explore / math.sqrt(n.visits)
        if score > best:
            best, chosen = score, child
    return chosen


@rule
def simulate(t, states, nodes, desk, length, rng):
    """Replay the path from the real position, and value where it ends."""
    states[NOW] = states[ROOT]
    s = states[NOW]
    for i in range(length):
        draw_answers(t, s, desk, rng)
        desk.choices[desk.me] = desk.path[i + 1] - nodes[desk.path[i]].first
        resolve(t.tables, s, desk.choices)
        if s.died[desk.me] > 0:
            return 0.0
    return worth(t.tables, s, desk.me, AREA, t.scratch[0])


@rule
def draw_answers(t, s, desk, rng):
    """What the opponents do: each a random move that is not deadly at once."""
    for p in range(t.tables.players):
        if p != desk.me and s.died[p] == 0:
            desk.choices[p] = at_random(t.tables, s, p, rng)


@rule
def backup(nodes, desk, length, value):
    for i in range(length + 1):
        nodes[desk.path[i]].visits += 1
        nodes[desk.path[i]].total += value


@kernel
def keep(t, old, new, desks, child, as_one):
    """Make what lies below a child the tree, copied breadth first; with `as_one` all old visits count as one."""
    desk = desks[0]
    new[0] = old[child]
    used, at = 1, 0
    while at < used:
        n = new[at]
        if as_one and n.visits > 1:
            n.total /= n.visits
            n.visits = 1
        if n.first > 0:
            for i in range(ANSWERS):
                new[used + i] = old[n.first + i]
            n.first = used
            used += ANSWERS
        at += 1
    desk.used, desk.deepest = used, 0


@kernel
def ride_along(t, states, desks, answers, places, rng):
    """Play some own answers against drawn ones: the cell of each player after each round, into places[round, p].

    A player who is out stays where it was; the number of rounds until this one is.
    """
    desk, s = desks[0], states[NOW]
    states[NOW] = states[ROOT]
    for i in range(len(answers)):
        draw_answers(t, s, desk, rng)
        desk.choices[desk.me] = answers[i]
        resolve(t.tables, s, desk.choices)
        for p in range(t.tables.players):
            alive = s.died[p] == 0
            places[i + 1, p, 0] = s.x[p] if alive else places[i, p, 0]
            places[i + 1, p, 1] = s.y[p] if alive else places[i, p, 1]
        if s.died[desk.me] > 0:
            return i + 1
    return len(answers)
