"""Place a disc so that it encloses others and turn those over; most discs win."""

from typing import NamedTuple

import numpy as np

from spielbaum import TERMINAL, below, rule

SIZE = 8
CELLS = SIZE * SIZE
BEYOND = CELLS  # a cell that is always empty: where a line leaves the board
PLAYERS = 2
EMPTY = 0  # the discs of a player are 1 + its number
PASS = CELLS
ACTION_CODES = CELLS + 1  # row * SIZE + column, or PASS
MAX_ACTIONS = CELLS
DIRECTIONS = 8

STATE = np.dtype(
    (
        np.record,
        [
            ("board", "i1", CELLS + 1),
            ("moves", "i1", MAX_ACTIONS),  # the legal ones of the player to move
            ("count", "i8"),  # how many there are
            ("to_move", "i8"),
            ("over", "i8"),
        ],
    )
)


class Tables(NamedTuple):
    line: np.ndarray  # i1[CELLS, DIRECTIONS, SIZE]: the cells from a cell on in a direction, then BEYOND


def tables():
    line = np.full((CELLS, DIRECTIONS, SIZE), BEYOND, np.int8)
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    for cell in range(CELLS):
        for direction, (down, right) in enumerate(steps):
            row, column = cell // SIZE + down, cell % SIZE + right
            for i in range(SIZE):
                if 0 <= row < SIZE and 0 <= column < SIZE:
                    line[cell, direction, i] = row * SIZE + column
                row, column = row + down, column + right
    return Tables(line)


@rule
def start(t, s):
    s.board[27] = 2
    s.board[36] = 2
    s.board[28] = 1
    s.board[35] = 1
    s.count = list_moves(t, s, s.to_move)


@rule
def player(s):
    return TERMINAL if s.over else s.to_move


@rule
def turned(t, s, cell, direction, mover):
    """How many discs a new one turns over in one direction."""
    n = 0
    while s.board[t.line[cell, direction, n]] == 2 - mover:
        n += 1
    return n if s.board[t.line[cell, direction, n]] == mover + 1 else 0


@rule
def is_legal(t, s, cell, mover):
    for direction in range(t.line.shape[1]):
        if turned(t, s, cell, direction, mover) > 0:
            return True
    return False


@rule
def list_moves(t, s, mover):
    """The number of a player's moves, listed in the state."""
    n = 0
    for cell in range(CELLS):
        if s.board[cell] == EMPTY and is_legal(t, s, cell, mover):
            s.moves[n] = cell
            n += 1
    return n


@rule
def actions(s, out):
    for i in range(s.count):
        out[i] = s.moves[i]
    return s.count


@rule
def sample(s, rng):
    return int(s.moves[below(rng, s.count)])


@rule
def play(t, s, action):
    mover = s.to_move
    if action != PASS:
        place(t, s, action, mover)
    s.to_move = 1 - mover
    s.count = list_moves(t, s, s.to_move)
    if s.count == 0:
        s.over = int(list_moves(t, s, mover) == 0)
        s.moves[0] = PASS
        s.count = 1


@rule
def place(t, s, cell, mover):
    for direction in range(t.line.shape[1]):
        for i in range(turned(t, s, cell, direction, mover)):
            s.board[t.line[cell, direction, i]] = mover + 1
    s.board[cell] = mover + 1


@rule
def returns(s, out):
    lead = 0
    for cell in range(CELLS):
        if s.board[cell] == 1:
            lead += 1
        elif s.board[cell] == 2:
            lead -= 1
    out[0] = np.sign(lead)
    out[1] = -out[0]


def format_action(action):
    return "pass" if action == PASS else f"{'abcdefgh'[action % SIZE]}{action // SIZE + 1}"
