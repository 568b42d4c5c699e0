"""What one thread of MCTS works with besides its tree: one record of buffers.

One record, because kernels pass it on as a single pointer; a tuple of twenty arrays would be copied at every call.
It holds the fields below, and a sub-record for each component that declares some of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spielbaum.game import Game, buffer_size
from spielbaum.search.mcts.tree import record
from spielbaum.search.sides import sides

ROOT_STATE, NOW, LEAF, TRY, VIEW, ZEROS = range(6)  # the states that an iteration uses
STATES = 6
PATH = 1024  # decisions on the way to a leaf, at most


def fields(game: Game) -> list[Any]:
    """What every search needs; sizes depend on the game's constants."""
    players, size = game.module.PLAYERS, buffer_size(game.module)
    return [
        ("buffer", "i8", size),  # legal actions
        ("spare", "i8", size),  # legal actions of a second look
        ("values", "f8", players),  # value of a leaf
        ("result", "f8", players),  # value of a simulation
        ("weights", "f8", max(1, len(game.weights))),  # of the game's evaluation
        ("side", "i8", players),  # OWN or OTHERS
        ("path", "i4", PATH),  # the edges of this iteration
        ("path_nodes", "i4", PATH),  # the node of each of them
        ("length", "i8"),  # how many they are
        ("cut", "i8"),  # simulations that neither ended nor were decided
    ]


def open_loop(game: Game) -> list[Any]:
    """To tell what is legal at a node today."""
    codes = game.module.ACTION_CODES
    return [
        ("stamps", "i8", codes),  # when an action was last legal
        ("now", "i8"),
        ("mover", "i8"),  # whose turn it is at the open-loop node that was looked at last
        ("known", "i8", codes),  # when an action was last seen among a node's edges
        ("look", "i8"),
    ]


def one_ply(game: Game) -> list[Any]:
    """For the policy that looks at all actions."""
    size = buffer_size(game.module)
    return [("third", "i8", size), ("action_values", "f8", size)]


def new_work(game: Game, declared: Sequence[Any], me: int, weights: np.ndarray) -> np.ndarray:
    """A fresh record with these fields, in an array of length one, for a search by player `me`."""
    work = np.zeros(1, record([*fields(game), *declared]))
    work["weights"][0, : len(weights)] = weights
    work["side"] = sides(game, me)
    return work


def words_of(states: np.ndarray) -> np.ndarray:
    """The bytes of some states in the largest unit, up to 32 bits, that fits: [states, words]."""
    unit = np.uint32 if states.dtype.itemsize % 4 == 0 else np.uint8
    return states.view(unit).reshape(len(states), -1)
