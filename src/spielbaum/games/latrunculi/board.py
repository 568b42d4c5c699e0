"""The board in memory: cells, pieces and the state's record.

A mailbox with a border: cell 16 * rank + file, counted from 1, so that a neighbour is one addition away,
a ray ends by itself at the border, and file and rank are bits of the cell.

      …
      33 34 35 …
      17 18 19 …

A cell holds 0, or the colour of its piece with the piece's number in the lowest bits. Beside it stand the
lists of pieces, for going through them, and the occupation of each rank and file as bits, for counting moves.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.latrunculi.variants import LARGEST

PLAYERS = 2
SHELLS, STONES = 0, 1

UP, RIGHT = 16, 1
DIRECTIONS = (UP, RIGHT, -UP, -RIGHT)
LINES = LARGEST + 2  # with the border on both sides
CELLS = UP * LINES

EMPTY, NUMBER, EDGE = 0, 31, 128
COLOUR = (32, 64)  # by player
MOST_PIECES = 2 * LARGEST + 1  # two rows and a dux
DUX = 0  # its number where there is one

LONGEST_STALL = 200
GOING_ON, WON, ON_COUNT, DRAWN = range(4)

STATE = np.dtype(
    (
        np.record,
        [
            ("seen", "u8", LONGEST_STALL),  # the positions since the last capture, by the plies since then
            ("key", "u8"),  # pieces, side to move, extra move
            ("worn", "u8"),  # of all positions that would stall the game if they stood once more
            ("to_move", "i8"),
            ("extra", "i8"),  # who moves again after a capture: nobody (0), any piece (1), or the one on this cell
            ("quiet", "i8"),  # plies since the last capture
            ("result", "i8"),  # GOING_ON, WON, ON_COUNT, DRAWN
            ("winner", "i8"),
            ("hand", "i8", PLAYERS),  # pieces that are still to be placed
            ("count", "i8", PLAYERS),
            ("pieces", "u1", (PLAYERS, 32)),  # their cells
            ("board", "u1", CELLS),
            ("ranks", "u2", LINES),  # bit f: file f is occupied; squares off the board are
            ("files", "u2", LINES),
        ],
    )
)

# Actions: the origin's cell, then five bits for the target: its file, or 16 and its rank.
LANE_BITS, LANES, VERTICAL = 5, 31, 16
ACTION_CODES = CELLS << LANE_BITS
MAX_ACTIONS = MOST_PIECES * 2 * (LARGEST - 1)
PASS = 0  # and cell << LANE_BITS places a piece: no move leads to the border


def cell_at(file: int, rank: int) -> int:
    """The cell of a square, file and rank counted from 0."""
    return UP * (rank + 1) + file + 1
