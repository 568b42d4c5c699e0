"""Connect your two sides of a rhombus of hexagons: the first player from top to bottom, the second across."""

from typing import NamedTuple

import numpy as np

from spielbaum import TERMINAL, below, rule

SIZE = 11
CELLS = SIZE * SIZE
BEYOND = CELLS  # a cell that is always empty: the neighbour of cells on the edge
PLAYERS = 2
EMPTY = 0  # the stones of a player are 1 + its number
ACTION_CODES = CELLS  # row * SIZE + column
MAX_ACTIONS = CELLS
BEGIN, END = 1, 2  # the sides of a player that a stone is connected to
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # rows and columns to the six neighbours

STATE = np.dtype(
    (
        np.record,
        [
            ("board", "i1", CELLS + 1),
            ("sides", "i1", CELLS),  # what each stone is connected to
            ("to_move", "i8"),
            ("winner", "i8"),  # 1 or 2
        ],
    )
)
SCRATCH = np.dtype((np.record, [("stack", "i2", CELLS)]))


class Tables(NamedTuple):
    near: np.ndarray  # i2[CELLS, 6]: the neighbours of each cell
    sides: np.ndarray  # i1[PLAYERS, CELLS]: the sides of each player that a cell lies on


def tables():
    near, sides = np.full((CELLS, len(STEPS)), BEYOND, np.int16), np.zeros((PLAYERS, CELLS), np.int8)
    for cell in range(CELLS):
        row, column = divmod(cell, SIZE)
        for number, (down, right) in enumerate(STEPS):
            if 0 <= row + down < SIZE and 0 <= column + right < SIZE:
                near[cell, number] = (row + down) * SIZE + column + right
        for player, along in enumerate((row, column)):
            sides[player, cell] = BEGIN * (along == 0) | END * (along == SIZE - 1)
    return Tables(near, sides)


@rule
def player(s):
    return TERMINAL if s.winner != 0 else s.to_move


@rule
def actions(s, out):
    n = 0
    for cell in range(CELLS):
        if s.board[cell] == EMPTY:
            out[n] = cell
            n += 1
    return n


@rule
def sample(s, rng):
    """Draw a cell until it is empty."""
    while True:
        cell = below(rng, CELLS)
        if s.board[cell] == EMPTY:
            return cell


@rule
def play(t, s, action, scratch):
    own = s.to_move + 1
    sides = t.sides[s.to_move, action]
    for i in range(len(STEPS)):
        near = t.near[action, i]
        if s.board[near] == own:
            sides |= s.sides[near]
    s.board[action] = own
    s.sides[action] = sides
    if sides == BEGIN | END:
        s.winner = own
    elif sides != 0:
        spread(t, s, action, scratch.stack)
    s.to_move = 1 - s.to_move


@rule
def spread(t, s, cell, stack):
    """Tell all stones that are connected with this one what they are connected to."""
    own, sides = s.board[cell], s.sides[cell]
    depth = 1
    stack[0] = cell
    while depth > 0:
        depth -= 1
        here = stack[depth]
        for i in range(len(STEPS)):
            near = t.near[here, i]
            if s.board[near] == own and s.sides[near] != sides:
                s.sides[near] = sides
                stack[depth] = near
                depth += 1


@rule
def returns(s, out):
    out[s.winner - 1] = 1.0
    out[2 - s.winner] = -1.0


def format_action(action):
    return f"{'abcdefghijk'[action % SIZE]}{action // SIZE + 1}"
