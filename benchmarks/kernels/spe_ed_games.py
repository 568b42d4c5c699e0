"""Whole games of spe_ed by its policy `random`, and positions of games by its policy `siegfried`."""

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.area import areas, connect
from spielbaum.games.spe_ed.policies import POLICIES, at_random
from spielbaum.games.spe_ed.rules import resolve
from spielbaum.linked import rules
from spielbaum.rules import rule

BLANK, NOW = 0, 1
siegfried = POLICIES["siegfried"]


@kernel
def at_random_to_the_end(t, states, choices, rng, games):
    """Play games of random moves that are not deadly at once; how many moves all players made."""
    moves = 0
    for _ in range(games):
        states[NOW] = states[BLANK]
        s = states[NOW]
        rules.start(t, s, rng)
        while s.active > 1:
            for p in range(t.tables.players):
                if s.died[p] == 0:
                    choices[p] = at_random(t.tables, s, p, rng)
                    moves += 1
            resolve(t.tables, s, choices)
    return moves


@kernel
def snapshots(t, states, choices, rng, apart):
    """Fill states[2:] with positions of games between Siegfrieds, so many rounds apart."""
    states[NOW] = states[BLANK]
    rules.start(t, states[NOW], rng)
    taken = NOW + 1
    while taken < len(states):
        play_rounds(t, states, choices, rng, apart)
        states[taken] = states[NOW]
        taken += 1


@rule
def play_rounds(t, states, choices, rng, rounds):
    """Some rounds further, in a new game where one is over."""
    s = states[NOW]
    for _ in range(rounds):
        if s.active < 2:
            states[NOW] = states[BLANK]
            rules.start(t, s, rng)
        for p in range(t.tables.players):
            if s.died[p] == 0:
                choices[p] = siegfried(t.tables, s, p, t.scratch[0], rng)
        resolve(t.tables, s, choices)


@kernel
def flooded(t, states, repeats):
    """The areas around all heads, by flood fill, in all positions."""
    for _ in range(repeats):
        for i in range(NOW + 1, len(states)):
            areas(t.tables, states[i], t.scratch[0])


@kernel
def joined(t, states, repeats):
    """The same components by union-find."""
    for _ in range(repeats):
        for i in range(NOW + 1, len(states)):
            connect(t.tables, states[i], t.scratch[0])
