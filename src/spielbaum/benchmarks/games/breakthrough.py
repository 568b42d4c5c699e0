"""Advance straight or diagonally, take diagonally; who reaches the last row wins."""

import numpy as np

from spielbaum import TERMINAL, rule

SIZE = 8
PLAYERS = 2
EMPTY = 0  # the stones of a player are 1 + its number
ACTION_CODES = SIZE * SIZE * 3  # (row * SIZE + column) * 3 + step; a step goes left, straight on or right
MAX_ACTIONS = 2 * SIZE * 3

STATE = np.dtype(
    (
        np.record,
        [
            ("board", "i8", (SIZE, SIZE)),
            ("stones", "i8", PLAYERS),
            ("to_move", "i8"),
            ("winner", "i8"),  # 1 or 2
        ],
    )
)


@rule
def start(t, s, rng):
    for column in range(SIZE):
        for row in range(2):
            s.board[row, column] = 1
            s.board[SIZE - 1 - row, column] = 2
    s.stones[0] = 2 * SIZE
    s.stones[1] = 2 * SIZE


@rule
def player(t, s):
    return TERMINAL if s.winner != 0 else s.to_move


@rule
def actions(t, s, out):
    n = 0
    own = s.to_move + 1
    forward = 1 if s.to_move == 0 else -1
    for row in range(SIZE):
        for column in range(SIZE):
            if s.board[row, column] == own:
                for step in range(3):
                    target = column + step - 1
                    if 0 <= target < SIZE and may_go(s, row + forward, target, step, own):
                        out[n] = (row * SIZE + column) * 3 + step
                        n += 1
    return n


@rule
def may_go(s, row, column, step, own):
    if step == 1:
        return s.board[row, column] == EMPTY
    return s.board[row, column] != own


@rule
def play(t, s, action, rng):
    mover = s.to_move
    row, column, step = action // 3 // SIZE, action // 3 % SIZE, action % 3
    s.board[row, column] = EMPTY
    row += 1 if mover == 0 else -1
    column += step - 1
    if s.board[row, column] != EMPTY:
        s.stones[1 - mover] -= 1
    s.board[row, column] = mover + 1
    if row == (SIZE - 1 if mover == 0 else 0) or s.stones[1 - mover] == 0:
        s.winner = mover + 1
    s.to_move = 1 - mover


@rule
def returns(t, s, out):
    out[s.winner - 1] = 1.0
    out[2 - s.winner] = -1.0


def format_action(t, s, action):
    row, column, step = action // 3 // SIZE, action // 3 % SIZE, action % 3
    ahead = row + (1 if s.to_move == 0 else -1)
    return f"{'abcdefgh'[column]}{SIZE - row}{'abcdefgh'[column + step - 1]}{SIZE - ahead}"
