"""Who has drawn which cell: what people and the protocol want to know, and the rules do not.

A cell holds 0 while it is free, the number of the player who has drawn it, from 1, or -1 once it was drawn more than
once. So it does not matter in which order players are painted, and each is painted alone, from where it began and
what it has answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.spe_ed.rules import (
    ACROSS,
    ALONG,
    FASTEST,
    JUMP_EVERY,
    JUMP_SPEED,
    NO_ANSWER,
    SLOW_DOWN,
    SLOWEST,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
)
from spielbaum.games.spe_ed.tables import PLAYERS, Tables

TURNS = {TURN_LEFT: 1, TURN_RIGHT: 3}
SPURTS = {SPEED_UP: 1, SLOW_DOWN: -1}
CRASH = -1


class Ride(NamedTuple):
    """What a player does in a round: the cells that are drawn, and those that are jumped over."""

    number: int  # of the round, from 1
    drawn: list[tuple[int, int]]  # x, y
    jumped: list[tuple[int, int]]


class Rider(NamedTuple):
    """Where a player is, and how it rides."""

    x: int
    y: int
    direction: int
    speed: int


def painted(t: Tables, s: Any, history: Sequence[int]) -> np.ndarray:
    """i1[height, width]: the cells after some actions of a game, in the order in which the rules ask for them."""
    cells = np.zeros((s.height, s.width), np.int8)
    for p, answers in enumerate(by_player(t, s, history)):
        for ride in rides(s, p, answers):
            for x, y in ride.drawn:
                cells[y, x] = CRASH if cells[y, x] else p + 1
    return cells


def paint(cells: np.ndarray, before: Any, after: Any) -> None:
    """Mark the cells of one round, given the states before and after it; who did not move has kept its place."""
    for p in range(PLAYERS):
        x, y, direction, speed = int(before.x[p]), int(before.y[p]), after.direction[p], after.speed[p]
        jumps = speed >= JUMP_SPEED and after.rounds % JUMP_EVERY == 0
        for step in range(1, abs(after.x[p] - x) + abs(after.y[p] - y) + 1):
            x, y = x + ACROSS[direction], y + ALONG[direction]
            jumped = jumps and 1 < step < speed
            if not jumped and 0 <= x < after.width and 0 <= y < after.height:
                cells[y, x] = CRASH if cells[y, x] else p + 1


def by_player(t: Tables, s: Any, history: Sequence[int]) -> list[list[int]]:
    """The answers of each player; every round all active players are asked, those with small numbers first."""
    answers: list[list[int]] = [[] for _ in range(t.players)]
    died, asked = s.died[: t.players].tolist(), iter(history)
    for number in range(1, s.rounds + 1):
        for p in range(t.players):
            if died[p] == 0 or died[p] >= number:
                answers[p].append(next(asked))
    return answers


def rides(s: Any, p: int, answers: Sequence[int]) -> Iterator[Ride]:
    """What a player has done, round by round, the cell at the start as round 0."""
    rider = at_start(s, p)
    yield Ride(0, [(rider.x, rider.y)], [])
    for number, answer in enumerate(answers, start=1):
        went = ridden(s, number, rider, answer)
        if went is None:
            return
        rider, ride = went
        yield ride


def at_start(s: Any, p: int) -> Rider:
    return Rider(int(s.from_x[p]), int(s.from_y[p]), int(s.from_direction[p]), SLOWEST)


def ridden(s: Any, number: int, rider: Rider, answer: int) -> tuple[Rider, Ride] | None:
    """Where a player is after an answer, and what that drew; None for who is out before riding."""
    direction = (rider.direction + TURNS.get(answer, 0)) % 4
    speed = rider.speed + SPURTS.get(answer, 0)
    if answer == NO_ANSWER or not SLOWEST <= speed <= FASTEST:
        return None
    x, y, width, height = rider.x, rider.y, int(s.width), int(s.height)
    jumps = speed >= JUMP_SPEED and number % JUMP_EVERY == 0
    ride = Ride(number, [], [])
    for step in range(1, speed + 1):
        x, y = x + ACROSS[direction], y + ALONG[direction]
        if 0 <= x < width and 0 <= y < height:
            (ride.jumped if jumps and 1 < step < speed else ride.drawn).append((x, y))
    return Rider(x, y, direction, speed), ride


HEADS = "^<v>"
FREE, JUMPED, CRASHED, UNKNOWN = "·", "○", "×", "#"


def render(t: Tables, s: Any, history: Sequence[int] | None) -> str:
    """The board: digits are lines, arrows are heads, × a crash, ○ what was jumped over in the last round."""
    if history is None:
        lines = [[FREE if is_free(t, s, x, y) else UNKNOWN for x in range(s.width)] for y in range(s.height)]
    else:
        signs = {0: FREE, CRASH: CRASHED}
        cells = painted(t, s, history)
        lines = [[signs.get(cell, str(cell)) for cell in row] for row in cells.tolist()]
        for p, answers in enumerate(by_player(t, s, history)):
            for x, y in [cell for ride in rides(s, p, answers) if ride.number == s.rounds for cell in ride.jumped]:
                lines[y][x] = JUMPED if lines[y][x] == FREE else lines[y][x]
    for p in range(t.players):
        if 0 <= s.x[p] < s.width and 0 <= s.y[p] < s.height and lines[s.y[p]][s.x[p]] != CRASHED:
            lines[s.y[p]][s.x[p]] = HEADS[s.direction[p]]
    return "\n".join([*map("".join, lines), *(player_line(s, p) for p in range(t.players))])


def is_free(t: Tables, s: Any, x: int, y: int) -> bool:
    return bool(int(s.free[t.words * y + x // 64]) >> x % 64 & 1)


def player_line(s: Any, p: int) -> str:
    """A player in a line."""
    state = f"out in round {s.died[p]}" if s.died[p] else "active"
    return f"{p + 1} {HEADS[s.direction[p]]} at {s.x[p]},{s.y[p]}, speed {s.speed[p]}, {state}"
