"""Connect your two sides of a rhombus of hexagons: the first player from top to bottom, the second across."""

import numpy as np

from spielbaum import TERMINAL, rule

SIZE = 11
CELLS = SIZE * SIZE
PLAYERS = 2
EMPTY = 0  # the stones of a player are 1 + its number
ACTION_CODES = CELLS  # row * SIZE + column
MAX_ACTIONS = CELLS
BEGIN, END = 1, 2  # the sides of a player that a stone is connected to

STATE = np.dtype(
    (
        np.record,
        [
            ("board", "i8", CELLS),
            ("sides", "i8", CELLS),  # what each stone is connected to
            ("stack", "i8", CELLS),  # scratch space, always left as zeros
            ("to_move", "i8"),
            ("winner", "i8"),  # 1 or 2
        ],
    )
)


@rule
def player(t, s):
    return TERMINAL if s.winner != 0 else s.to_move


@rule
def actions(t, s, out):
    n = 0
    for cell in range(CELLS):
        if s.board[cell] == EMPTY:
            out[n] = cell
            n += 1
    return n


@rule
def neighbour(cell, direction):
    """The cell in one of six directions, -1 beyond the board."""
    row, column = cell // SIZE, cell % SIZE
    if direction == 0:
        row -= 1
    elif direction == 1:
        row -= 1
        column += 1
    elif direction == 2:
        column += 1
    elif direction == 3:
        row += 1
    elif direction == 4:
        row += 1
        column -= 1
    else:
        column -= 1
    if row < 0 or row >= SIZE or column < 0 or column >= SIZE:
        return -1
    return row * SIZE + column


@rule
def play(t, s, action, rng):
    own = s.to_move + 1
    along = action // SIZE if s.to_move == 0 else action % SIZE
    sides = 0
    if along == 0:
        sides |= BEGIN
    if along == SIZE - 1:
        sides |= END
    for direction in range(6):
        near = neighbour(action, direction)
        if near >= 0 and s.board[near] == own:
            sides |= s.sides[near]
    s.board[action] = own
    s.sides[action] = sides
    if sides == BEGIN | END:
        s.winner = own
    elif sides != 0:
        spread(s, action, own, sides)
    s.to_move = 1 - s.to_move


@rule
def spread(s, cell, own, sides):
    """Tell all stones that are connected with this one what they are connected to."""
    depth = 1
    s.stack[0] = cell
    while depth > 0:
        depth -= 1
        here = s.stack[depth]
        s.stack[depth] = 0
        for direction in range(6):
            near = neighbour(here, direction)
            if near >= 0 and s.board[near] == own and s.sides[near] != sides:
                s.sides[near] = sides
                s.stack[depth] = near
                depth += 1


@rule
def returns(t, s, out):
    out[s.winner - 1] = 1.0
    out[2 - s.winner] = -1.0


def format_action(t, s, action):
    return f"{'abcdefghijk'[action % SIZE]}{action // SIZE + 1}"
