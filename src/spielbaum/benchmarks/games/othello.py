"""Place a disc so that it encloses others and turn those over; most discs win."""

import numpy as np

from spielbaum import TERMINAL, rule

SIZE = 8
PLAYERS = 2
EMPTY = 0  # the discs of a player are 1 + its number
PASS = SIZE * SIZE
ACTION_CODES = SIZE * SIZE + 1  # row * SIZE + column, or PASS
MAX_ACTIONS = SIZE * SIZE

STATE = np.dtype((np.record, [("board", "i8", (SIZE, SIZE)), ("to_move", "i8"), ("over", "i8")]))


@rule
def start(t, s, rng):
    s.board[3, 3] = 2
    s.board[4, 4] = 2
    s.board[3, 4] = 1
    s.board[4, 3] = 1


@rule
def player(t, s):
    return TERMINAL if s.over else s.to_move


@rule
def turned(s, row, column, down, right, mover):
    """How many discs a new one turns over in one direction."""
    n = 0
    row += down
    column += right
    while 0 <= row < SIZE and 0 <= column < SIZE and s.board[row, column] == 2 - mover:
        n += 1
        row += down
        column += right
    if 0 <= row < SIZE and 0 <= column < SIZE and s.board[row, column] == mover + 1:
        return n
    return 0


@rule
def is_legal(s, row, column, mover):
    if s.board[row, column] != EMPTY:
        return False
    for down in range(-1, 2):
        for right in range(-1, 2):
            if (down != 0 or right != 0) and turned(s, row, column, down, right, mover) > 0:
                return True
    return False


@rule
def can_move(s, mover):
    for row in range(SIZE):
        for column in range(SIZE):
            if is_legal(s, row, column, mover):
                return True
    return False


@rule
def actions(t, s, out):
    n = 0
    for row in range(SIZE):
        for column in range(SIZE):
            if is_legal(s, row, column, s.to_move):
                out[n] = row * SIZE + column
                n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def play(t, s, action, rng):
    mover = s.to_move
    s.to_move = 1 - mover
    if action == PASS:
        return
    row, column = action // SIZE, action % SIZE
    for down in range(-1, 2):
        for right in range(-1, 2):
            if down != 0 or right != 0:
                for k in range(turned(s, row, column, down, right, mover)):
                    s.board[row + (k + 1) * down, column + (k + 1) * right] = mover + 1
    s.board[row, column] = mover + 1
    if not can_move(s, 0) and not can_move(s, 1):
        s.over = 1


@rule
def returns(t, s, out):
    lead = 0
    for row in range(SIZE):
        for column in range(SIZE):
            if s.board[row, column] == 1:
                lead += 1
            elif s.board[row, column] == 2:
                lead -= 1
    out[0] = 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)
    out[1] = -out[0]


def format_action(t, s, action):
    return "pass" if action == PASS else f"{'abcdefgh'[action % SIZE]}{action // SIZE + 1}"
