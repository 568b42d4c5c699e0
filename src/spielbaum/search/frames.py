"""What minimax and alpha-beta work with: one frame per ply and one record of everything else.

The searches do not recurse: each ply has a frame with its moves and what it knows so far, and a
short loop goes down, takes a value, and comes up again. So a search can stop after any position
and go on later (it runs in slices, as MCTS does), and Numba can keep its machine code, which for
recursive functions it can't be trusted with.
"""

from __future__ import annotations

import types

import numpy as np

from spielbaum.game import Game, buffer_size
from spielbaum.rules import inlined, rule
from spielbaum.search import search_log
from spielbaum.search.sides import sides

MAX_PLY = 128
SURE = 1e6  # a won game: larger than any evaluation
NO_MOVE = -1
GUARD = 1024  # moves beyond MAX_ACTIONS that a broken game may list before it is found out
WIDEST = 4096  # moves that a frame holds; where there may be more it holds a portion of them
LONGEST_HISTORY = 1 << 16  # codes that the history tells apart


def room(module: types.ModuleType) -> int:
    """Room for the moves of a position: less than in other buffers, because there is some for each ply."""
    return min(buffer_size(module), int(module.MAX_ACTIONS + GUARD))


def history_size(module: types.ModuleType) -> int:
    """Entries of the history per player, a power of two: codes share them only where there are very many."""
    return int(min(1 << (module.ACTION_CODES - 1).bit_length(), LONGEST_HISTORY))


def new_frames(game: Game) -> np.ndarray:
    """FRAME[MAX_PLY]: the moves of each ply and the best of them so far."""
    size = min(room(game.module), WIDEST)
    fields = [
        ("moves", "i8", size),
        ("scores", "i8", size),  # alpha-beta: how promising each move is
        ("count", "i8"),
        ("before", "i8"),  # moves of earlier portions
        ("total", "i8"),  # moves of all portions, where there may be several
        ("next", "i8"),  # the first move that has not been tried
        ("depth", "i8"),  # plies left to search
        ("player", "i8"),
        ("maximise", "?"),
        ("scouting", "?"),  # alpha-beta: the move is only asked whether it is better than the best
        ("again", "?"),  # and it said yes: it is searched in earnest
        ("reduction", "i8"),  # plies that the move is searched less deeply
        ("horizon", "?"),  # an evaluation was needed elsewhere in the tree
        ("began", "i8"),  # nodes of the search when the move was tried first
        ("low", "f8"),
        ("high", "f8"),
        ("alpha", "f8"),  # the window with which the frame was opened
        ("beta", "f8"),
        ("best", "f8"),
        ("best_move", "i8"),
        ("values", "f8", game.module.PLAYERS),  # minimax: the best values of all players
        ("key", "u8"),
        ("killers", "i8", 2),
        ("line", "i4", MAX_PLY),  # the principal variation from here
        ("length", "i8"),
    ]
    return np.zeros(MAX_PLY, np.dtype((np.record, fields), align=True))


def new_workspace(game: Game, me: int, weights: np.ndarray) -> np.ndarray:
    """WORKSPACE[1]: counters, flags and tables of a search by player `me`."""
    module = game.module
    listed = room(module) if room(module) > WIDEST else 1
    fields = [
        ("listing", "i8", listed),  # the moves of a position of which a frame holds a portion
        ("root", "i8", listed),  # and those of the root, in their order
        ("ply", "i8"),  # where the search is; below 0 when it is finished
        ("arriving", "?"),  # the position at this ply is new
        ("nodes", "i8"),
        ("before", "i8"),  # nodes when the root's current move began
        ("done", "i8"),  # root moves that are valued
        ("horizon", "?"),  # an evaluation was needed: the result is not proven
        ("probes", "i8"),
        ("hits", "i8"),
        ("me", "i8"),
        ("players", "i8"),
        ("max_n", "?"),
        ("use_table", "?"),
        ("kept", "i8"),  # entries of a bucket of the table for the deepest results
        ("generation", "i8"),  # of what is stored in the table
        ("ordered", "?"),
        ("reduce", "?"),
        ("quiescence", "i8"),  # plies beyond the horizon for captures
        ("margin", "f8"),  # by which a root move must be better than the first to be the choice
        ("draw", "f8"),  # what a drawn game is worth
        ("adjudication", "f8"),  # what a win by adjudication is worth; 0: as much as any
        ("side", "i8", module.PLAYERS),
        ("weights", "f8", max(1, len(weights))),
        ("results", "f8", module.PLAYERS),
        ("history", "i8", (module.PLAYERS, history_size(module))),  # how often a move refuted a position
        ("rng", "u8", 1),  # for `play`, which does not use it in games without chance
        *search_log.WORKSPACE,
    ]
    workspace = np.zeros(1, np.dtype((np.record, fields), align=True))
    workspace["me"] = me
    workspace["players"] = game.players
    workspace["side"] = sides(game, me)
    workspace["weights"][0, : len(weights)] = weights
    workspace["rng"] = 1
    return workspace


def open_root(frames: np.ndarray, workspace: np.ndarray, actions: list[int], depth: int) -> None:
    """Prepare the root's frame: its moves in the order in which to try them."""
    root = frames[0]
    held = actions[:WIDEST]
    root.moves[: len(held)] = held
    root.count, root.next, root.depth = len(held), 0, depth
    root.before, root.total = 0, len(actions)
    if len(actions) > WIDEST:
        workspace[0].root[: len(actions)] = actions
    root.player, root.maximise = workspace[0].me, True
    root.low, root.high = -np.inf, np.inf
    root.best, root.best_move, root.length = -np.inf, NO_MOVE, 0
    root.scouting, root.again, root.reduction = False, False, 0
    workspace[0].ply, workspace[0].arriving, workspace[0].done, workspace[0].horizon = 0, False, 0, False
    workspace[0].before = workspace[0].nodes
    search_log.open_log(workspace)


@inlined
def go_down(workspace):
    """The next position to look at is one ply deeper."""
    workspace.ply += 1
    workspace.arriving = True


@inlined
def come_up(workspace, found, effort, value):
    """A position is done. At the root, write down what its move is worth and what it took."""
    workspace.ply -= 1
    workspace.arriving = False
    if workspace.ply == 0:
        found[workspace.done] = value
        effort[workspace.done] = workspace.nodes - workspace.before
        workspace.before = workspace.nodes
        workspace.done += 1


@rule
def final_value(result, ply):
    """The value of a finished game: the sooner the better for who wins, the later for who loses."""
    if result > 0.0:
        return SURE * result - ply
    if result < 0.0:
        return SURE * result + ply
    return 0.0


@rule
def remember(frames, ply, action):
    """The principal variation: this action, then what the next ply found best."""
    here, below = frames[ply], frames[ply + 1]
    here.line[0] = action
    here.length = 1 + below.length
    for i in range(below.length):
        here.line[i + 1] = below.line[i]
