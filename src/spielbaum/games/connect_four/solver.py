"""Connect Four solved, from Python: exact scores and outcomes of positions; the search is `connect_four_solve`."""

from __future__ import annotations

import numpy as np

from spielbaum.game import Game, State
from spielbaum.games.connect_four.kernels import solve
from spielbaum.games.connect_four.rules import HEIGHT, WIDTH
from spielbaum.rules import TERMINAL

ENTRIES = (1 << 23) + 9  # of the table, a prime number
FRAME = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),
            ("discs", "u8"),
            ("alpha", "i8"),
            ("beta", "i8"),
            ("moves", "i8"),
            ("next", "i8"),
            ("move", "u8", WIDTH),
            ("worth", "i8", WIDTH),
        ],
    )
)
ENTRY = np.dtype((np.record, [("key", "u8"), ("bound", "i8")]))


class Solver:
    """A table of what is known, which helps with the next position."""

    def __init__(self, game: Game, entries: int = ENTRIES):
        self.game = game
        self.frames, self.table = np.zeros(WIDTH * HEIGHT + 1, FRAME), np.zeros(entries, ENTRY)

    def score(self, state: State) -> int:
        """1 + the discs that the winner has left, less than 0 if the other one wins, 0 for a draw."""
        return int(self.game.kernels.link(solve).score(self.game.context, state.array, self.frames, self.table))

    def keeping(self, state: State, score: int) -> list[int]:
        """The actions that keep the outcome of a position with this score: won, drawn or lost."""
        return [action for action in state.actions if score < 0 or self.keeps(state, action, int(score > 0))]

    def keeps(self, state: State, action: int, outcome: int) -> bool:
        """Whether an action wins (1) or at least draws (0) for who plays it."""
        after = state.copy()
        after.play(action)
        if after.player == TERMINAL:
            return bool(after.returns[state.player] >= outcome)
        kernel = self.game.kernels.link(solve).reaches
        return not kernel(self.game.context, after.array, 1 - outcome, self.frames, self.table)
