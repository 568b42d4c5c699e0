"""The cells of a game as it goes on: the last paintings are kept, and the next round is painted over one of them.

A server draws every position of every game, often for several people; painting all rounds anew each time, as
`cells.painted` does, would cost the more the longer a game lasts.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.spe_ed.cells import CRASH, Ride, Rider, at_start, ridden
from spielbaum.games.spe_ed.tables import Tables

KEPT = 256


class Painting(NamedTuple):
    """The board after some rounds; it is never changed."""

    cells: np.ndarray  # i1[height, width]
    riders: tuple[Rider, ...]
    last: dict[int, Ride]  # what each player has done in the last round


paintings: dict[bytes, Painting] = {}
lock = threading.Lock()


def painting(t: Tables, s: Any, history: Sequence[int]) -> Painting:
    """The board after the rounds of a state; `history` may tell of choices in the next one."""
    given = sum(len(rounds_of(s, p)) for p in range(t.players))
    known = beginning(s) + bytes(history[:given])
    last_round = sum(s.rounds in rounds_of(s, p) for p in range(t.players))
    with lock:
        done = paintings.pop(known, None)
        before = paintings.get(known[: len(known) - last_round]) if last_round else None
    if done is None and before is not None:
        done = next_round(s, before, s.rounds, movers(t, s, s.rounds), history[given - last_round : given])
    with lock:
        paintings[known] = painted = done or from_start(t, s, history)
        while len(paintings) > KEPT:
            del paintings[next(iter(paintings))]
    return painted


def beginning(s: Any) -> bytes:
    """What tells games apart that begin otherwise."""
    return b"".join(field.tobytes() for field in (s.width, s.height, s.from_x, s.from_y, s.from_direction))


def rounds_of(s: Any, p: int) -> range:
    """The rounds in which a player was asked."""
    return range(1, int(s.died[p] or s.rounds) + 1)


def movers(t: Tables, s: Any, number: int) -> list[int]:
    return [p for p in range(t.players) if number in rounds_of(s, p)]


def from_start(t: Tables, s: Any, history: Sequence[int]) -> Painting:
    cells = np.zeros((s.height, s.width), np.int8)
    riders = tuple(at_start(s, p) for p in range(t.players))
    for p, rider in enumerate(riders):
        cells[rider.y, rider.x] = p + 1
    painted, asked = Painting(cells, riders, {}), 0
    for number in range(1, s.rounds + 1):
        who = movers(t, s, number)
        painted = next_round(s, painted, number, who, history[asked : asked + len(who)])
        asked += len(who)
    return painted


def next_round(s: Any, before: Painting, number: int, who: Sequence[int], answers: Sequence[int]) -> Painting:
    cells, riders, last = before.cells.copy(), list(before.riders), {}
    for p, answer in zip(who, answers, strict=True):
        went = ridden(s, number, riders[p], answer)
        if went is not None:
            riders[p], last[p] = went
            for x, y in last[p].drawn:
                cells[y, x] = CRASH if cells[y, x] else p + 1
    return Painting(cells, tuple(riders), last)
