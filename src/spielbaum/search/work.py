"""What one thread of MCTS works with besides its tree: one record of buffers, notes and policies.

One record, because kernels pass it on as a single pointer; a tuple of twenty arrays would be copied
at every call.
"""

from __future__ import annotations

import numpy as np

from spielbaum.game import Game, buffer_size

ROOT_STATE, NOW, LEAF, TRY = range(4)  # the states that an iteration uses
OWN, OTHERS = 0, 1
MAX_DEPTH = 1024
TRAIL = 4096
SALT = 7  # any seed: it decides where nodes lie, not what is found


def work_type(game: Game, policies: int) -> np.dtype:
    """The record for a game: sizes depend on its constants."""
    module = game.module
    players, codes, size = module.PLAYERS, module.ACTION_CODES, buffer_size(module)
    words = words_of(np.zeros(1, module.STATE)).shape[1]
    fields = [
        ("buffer", "i8", size),  # legal actions
        ("spare", "i8", size),  # legal actions of a second look
        ("priors", "f8", size),  # preferences for the actions in `buffer`
        ("values", "f8", players),  # value of a leaf
        ("result", "f8", players),  # value of a simulation
        ("at_root", "f8", players),  # evaluations of the root
        ("gains", "f8", players),  # evaluations less those of the root
        ("weights", "f8", max(1, len(game.weights))),  # of the game's evaluation
        ("side", "i8", players),  # OWN or OTHERS
        ("party", "i8", players),  # whose policies a player follows in simulations: a side's, or its own
        ("parties", "i8"),
        ("chances", "f8", (max(2, players), policies)),  # cumulative weights of each party's policies
        ("policy", "i8", max(2, players)),  # each party's policy now, -1 to draw one for every move
        ("path", "i4", MAX_DEPTH),  # the edges of this iteration
        ("at", "i4", MAX_DEPTH),  # the node of each of them
        ("stamps", "i8", codes),  # when an action was last legal
        ("now", "i8"),
        ("mover", "i8"),  # whose turn it is at the open-loop node that was looked at last
        ("known", "i8", codes),  # when an action was last seen among a node's edges
        ("look", "i8"),
        ("trail_action", "i4", TRAIL),  # RAVE: all actions of the iteration
        ("trail_player", "i4", TRAIL),
        ("trail_start", "i4", MAX_DEPTH),  # where each step of the path stands in the trail
        ("trail_length", "i8"),
        ("played", "i8", (players, codes)),  # RAVE: marked with the running number of the iteration
        ("mark", "i8"),
        ("plan", "u8"),  # seed of opponents who are fixed
        ("path_dice", "u8"),  # their dice on this path
        ("salts", "u4", (2, words)),  # random numbers for the key of a view
    ]
    return np.dtype((np.record, fields), align=True)


def new_work(game: Game, me: int, weights: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """A fresh record, in an array of length one, for a search by player `me`."""
    work = np.zeros(1, work_type(game, chances.shape[1]))
    work["weights"][0, : len(weights)] = weights
    work["side"] = sides(game, me)
    work["parties"] = len(chances)
    work["party"] = work["side"] if len(chances) == 2 else np.arange(game.module.PLAYERS)
    work["chances"][0, : len(chances)] = chances
    work["salts"] = np.random.default_rng(SALT).integers(1, 1 << 32, work["salts"].shape)
    return work


def words_of(states: np.ndarray) -> np.ndarray:
    """The bytes of some states in the largest unit, up to 32 bits, that fits: [states, words]."""
    unit = np.uint32 if states.dtype.itemsize % 4 == 0 else np.uint8
    return states.view(unit).reshape(len(states), -1)


def sides(game: Game, me: int) -> np.ndarray:
    """i8[players]: OWN for everybody in the team of `me`, OTHERS for the rest."""
    return np.where(game.teams == game.teams[me], OWN, OTHERS)[: game.module.PLAYERS]
