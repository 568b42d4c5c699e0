"""A game without a theme for testing searches: walk through random layers, collect what the last one pays.

Several paths lead to the same place (transpositions), the player to move is random at each place
(so that players move again), and the pay and the evaluation of each place are random numbers. The
option `seed` makes another game, `players` sets who takes part.
"""

from typing import NamedTuple

import numpy as np

from spielbaum import TERMINAL, Param, rule
from spielbaum.rules import mix

LAYERS, WIDTH, WAYS = 7, 6, 3
PLAYERS, MAX_ACTIONS, ACTION_CODES = 3, WAYS, WAYS
STATE = np.dtype((np.record, [("layer", "i8"), ("place", "i8")]))
POLICIES = ("first-way", "last-way")
FILTERS = ("not-the-first", "not-the-last")
OPTIONS = (
    Param("seed", 0, "which maze", low=0),
    Param("players", 2, "how many take part", low=2, high=3),
)


class Tables(NamedTuple):
    way: np.ndarray  # i8[LAYERS, WIDTH, WAYS]: the place in the next layer
    ways: np.ndarray  # i8[LAYERS, WIDTH]: how many ways there are
    mover: np.ndarray  # i8[LAYERS, WIDTH]
    value: np.ndarray  # f8[LAYERS + 1, WIDTH, PLAYERS]: evaluation, and pay in the last layer


def tables(options):
    random = np.random.default_rng(options["seed"])
    value = random.uniform(-1, 1, (LAYERS + 1, WIDTH, PLAYERS))
    if options["players"] == 2:
        value[:, :, 1] = -value[:, :, 0]
    return Tables(
        way=random.integers(0, WIDTH, (LAYERS, WIDTH, WAYS)),
        ways=random.integers(1, WAYS + 1, (LAYERS, WIDTH)),
        mover=random.integers(0, options["players"], (LAYERS, WIDTH)),
        value=value,
    )


def seats(options):
    return [f"p{number}" for number in range(options["players"])]


@rule
def player(t, s):
    return TERMINAL if s.layer == LAYERS else t.mover[s.layer, s.place]


@rule
def actions(t, s, out):
    for way in range(t.ways[s.layer, s.place]):
        out[way] = way
    return t.ways[s.layer, s.place]


@rule
def play(t, s, action):
    s.place = t.way[s.layer, s.place, action]
    s.layer += 1


@rule
def returns(t, s, out):
    for q in range(len(out)):
        out[q] = t.value[s.layer, s.place, q]


@rule
def evaluate(t, s, player):
    return t.value[s.layer, s.place, player]


@rule
def key(s):
    return mix(mix(np.uint64(7), s.layer), s.place)


@rule
def policy(t, s, which):
    return 0 if which == 0 else t.ways[s.layer, s.place] - 1


@rule
def keep(t, s, which, action):
    return action != (0 if which == 0 else t.ways[s.layer, s.place] - 1)


@rule
def prior(actions, n, out):
    for i in range(n):
        out[i] = 2.0 * (1 + actions[i]) / (n * (n + 1))
