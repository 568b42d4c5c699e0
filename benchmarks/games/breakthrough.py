"""Advance straight or diagonally, take diagonally; who reaches the last row wins."""

import numpy as np

from spielbaum import TERMINAL, below, rule

SIZE = 8
STONES = 2 * SIZE  # of each player
PLAYERS = 2
EMPTY = 0  # stone number n of a player is 1 + STONES * player + n
ACTION_CODES = SIZE * SIZE * 3  # (row * SIZE + column) * 3 + step; a step goes left, straight on or right
MAX_ACTIONS = STONES * 3

STATE = np.dtype(
    (
        np.record,
        [
            ("board", "i1", SIZE * SIZE),
            ("at", "i1", (PLAYERS, STONES)),  # the squares of each player's stones
            ("stones", "i8", PLAYERS),  # how many are left
            ("to_move", "i8"),
            ("winner", "i8"),  # 1 or 2
        ],
    )
)


@rule
def start(s):
    for i in range(STONES):
        put(s, 0, i, i)
        put(s, 1, i, SIZE * SIZE - 1 - i)
    s.stones[0] = STONES
    s.stones[1] = STONES


@rule
def put(s, player, number, square):
    s.board[square] = 1 + STONES * player + number
    s.at[player, number] = square


@rule
def player(s):
    return TERMINAL if s.winner != 0 else s.to_move


@rule
def owner(stone):
    """The player whose stone this is, -1 of no stone."""
    return (stone + STONES - 1) // STONES - 1


@rule
def target(square, step, player):
    """Where a step leads."""
    return square + (SIZE if player == 0 else -SIZE) + step - 1


@rule
def may_go(s, square, step):
    """Whether a stone of the player to move may take a step: straight on to an empty square, or not onto its own."""
    if not 0 <= square % SIZE + step - 1 < SIZE:
        return False
    stone = int(s.board[target(square, step, s.to_move)])
    return stone == EMPTY if step == 1 else owner(stone) != s.to_move


@rule
def actions(s, out):
    n = 0
    for number in range(s.stones[s.to_move]):
        square = int(s.at[s.to_move, number])
        for step in range(3):
            if may_go(s, square, step):
                out[n] = square * 3 + step
                n += 1
    return n


@rule
def sample(s, rng):
    """Draw a stone and a step until it is possible."""
    while True:
        square = int(s.at[s.to_move, below(rng, s.stones[s.to_move])])
        step = below(rng, 3)
        if may_go(s, square, step):
            return square * 3 + step


@rule
def play(s, action):
    mover, square = s.to_move, action // 3
    goal = target(square, action % 3, mover)
    if s.board[goal] != EMPTY:
        take(s, 1 - mover, int(s.board[goal]) - 1 - STONES * (1 - mover))
    put(s, mover, int(s.board[square]) - 1 - STONES * mover, goal)
    s.board[square] = EMPTY
    if goal // SIZE == (SIZE - 1 if mover == 0 else 0) or s.stones[1 - mover] == 0:
        s.winner = mover + 1
    s.to_move = 1 - mover


@rule
def take(s, player, number):
    """A stone is gone, and the last one gets its number."""
    s.stones[player] -= 1
    last = s.stones[player]
    put(s, player, number, int(s.at[player, last]))
    s.at[player, last] = 0


@rule
def returns(s, out):
    out[s.winner - 1] = 1.0
    out[2 - s.winner] = -1.0


def format_action(s, action):
    square = action // 3
    goal = target(square, action % 3, s.to_move)
    return "".join(f"{'abcdefgh'[place % SIZE]}{SIZE - place // SIZE}" for place in (square, goal))
