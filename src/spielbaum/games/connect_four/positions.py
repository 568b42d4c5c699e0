"""Positions of Connect Four with known outcomes, to tell how often somebody errs (`positions.txt` beside this file).

They are made in the manner of Pascal Pons' sets: random moves, and told apart by how many discs lie and by how many
moves are left if both play perfectly.

| set | discs | moves to the end |
|---|---|---|
| L3_R1 | 29 to 40 | fewer than 14 |
| L2_R1 | 15 to 28 | fewer than 14 |
| L2_R2 | 15 to 28 | 14 to 27 |
| L1_R1 | 9 to 14 | fewer than 14 |
| L1_R2 | 9 to 14 | 14 to 28 |
| L1_R3 | 9 to 13 | more than 28 |

A line has the set, the columns played from a to g, the score (see `solver.py`), and the columns that keep the outcome.
`python -m spielbaum.games.connect_four.positions` makes them anew. Most of its time goes into L1_R3; positions with
fewer than nine discs, of which Pons has many there, would take much longer and are left out.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import spielbaum
from spielbaum.game import Game, State
from spielbaum.games.connect_four.rules import HEIGHT, WIDTH
from spielbaum.games.connect_four.solver import Solver
from spielbaum.rules import TERMINAL

FILE = pathlib.Path(__file__).with_name("positions.txt")
SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
COLUMNS = "abcdefg"
DISCS = {"L3": (29, 40), "L2": (15, 28), "L1": (9, 14)}
SHORT, LONG = 14, 28  # moves to the end
SQUARES = WIDTH * HEIGHT


class Known(NamedTuple):
    """A position and what is known of it."""

    name: str
    moves: str
    score: int
    keeping: str


def read() -> list[Known]:
    """All positions, set by set."""
    lines = [line.split() for line in FILE.read_text("utf-8").splitlines()]
    return [Known(name, moves, int(score), keeping) for name, moves, score, keeping in lines]


def moves_left(score: int, discs: int) -> int:
    """How many moves a position lasts if both play perfectly."""
    if score == 0:
        return SQUARES - discs
    first_wins = (discs % 2 == 0) == (score > 0)
    return 2 * (SQUARES // 2 + 1 - abs(score)) - int(first_wins) - discs


def name_of(score: int, discs: int) -> str:
    """The set that a position belongs to."""
    phase = next(phase for phase, (low, high) in DISCS.items() if low <= discs <= high)
    left = moves_left(score, discs)
    return f"{phase}_R{1 if left < SHORT else 2 if left <= LONG else 3}"


def random_positions(game: Game, phase: str, seed: int) -> Iterator[tuple[str, State]]:
    """Random positions of a phase that are not over, each once."""
    rng, seen = np.random.default_rng(seed), set[bytes]()
    while True:
        state, moves = game.new(), ""
        for _ in range(rng.integers(*DISCS[phase], endpoint=True)):
            action = int(rng.choice(state.actions))
            state.play(action)
            moves += COLUMNS[action]
            if state.player == TERMINAL:
                break
        if state.player != TERMINAL and state.array["discs"].tobytes() not in seen:
            seen.add(state.array["discs"].tobytes())
            yield moves, state


def make(counts: dict[str, int], seed: int) -> Iterator[Known]:
    """So many positions of each set, in the order in which they are found."""
    game = spielbaum.load("connect-four")
    solver = Solver(game)
    for number, phase in enumerate(DISCS):
        left = {name: count for name, count in counts.items() if name.startswith(phase)}
        for moves, state in random_positions(game, phase, seed + number):
            if not any(left.values()):
                break
            score = solver.score(state)
            name = name_of(score, len(moves))
            if left.get(name):
                left[name] -= 1
                keeping = "".join(COLUMNS[action] for action in solver.keeping(state, score))
                yield Known(name, moves, score, keeping)


if __name__ == "__main__":
    found = sorted(make(dict.fromkeys(SETS, 200), seed=4), key=lambda known: SETS.index(known.name))
    FILE.write_text("".join(" ".join(map(str, known)) + "\n" for known in found), "utf-8")
