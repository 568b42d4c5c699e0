"""SPSA: all numbers are moved at once, in a random direction and back, and go where the games were won (Spall 1992).

With k the number of directions tried so far, for each parameter on its range as 0 to 1:

    a_k = a / (A + k)^0.602,   c_k = c / k^0.101,   Δ = ±1 at random
    θ becomes θ + a_k · (score of θ + c_k Δ  -  score of θ - c_k Δ) / (2 c_k) · Δ

as fishtest tunes Stockfish: the two play a pair of games from one opening with sides swapped, and c_k ends at `c`.
Where there are fixed opponents both play those. Some directions are tried at the same time; together they move θ by no
more than c_k, as nobody knows what is beyond.
The estimate is the mean of θ over the last half, which is less noisy than where it ends (Polyak & Juditsky 1992).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.params import Param
from spielbaum.tune.method import MOST_STEPS, Batch, Task, Trial, against_pool

ALPHA, GAMMA = 0.602, 0.101
STABLE = 0.1  # A, as a share of all directions
LEAST = 8  # directions of a step
RATE, FEW = 0.3, 200  # for so many directions and less
OPTIONS = (
    Param("c", 0.1, "how far to either side, at the end, as a share of the range", low=0.001, high=0.5),
    Param(
        "rate",
        None,
        "of the steps at the end, in units of c; the smaller the more games, unless given",
        low=0,
        kind=float,
    ),
)


class Method:
    """SPSA from the agent as given."""

    def __init__(self, task: Task, options: Mapping[str, Any]):
        (self.species,) = task.species
        for gene in self.species.genes:
            if not gene.numeric:
                raise SpielbaumError(
                    f"spsa can't vary {gene.name!r}, which is a choice; leave it out, or use evolution, ntbea or optuna"
                )
        self.task, self.options, self.rng = task, options, task.rng(0x5B5A)
        self.theta = self.species.places(self.species.start)
        self.k = self.steps = 0
        self.signs = np.zeros((0, len(self.theta)))
        self.extend(task.games)

    def extend(self, games: int) -> None:
        """The steps of a run of so many games from here on, and the mean of its second half."""
        task, options = self.task, self.options
        sides = 1 if task.meet else 2 * task.pool
        self.directions = max(1, self.k, games // (sides * task.pair))
        self.width = max(LEAST, self.directions // MOST_STEPS)
        self.steps += -(-(self.directions - self.k) // self.width)
        self.stable = STABLE * self.directions
        self.c = options["c"] * self.directions**GAMMA
        rate = options["rate"] or RATE * min(1.0, math.sqrt(FEW / self.directions))
        end = rate * options["c"] ** 2
        self.a = end * (self.stable + self.directions) ** ALPHA
        self.mean, self.counted = np.zeros(len(self.theta)), 0

    def ask(self) -> Batch | None:
        width = min(self.width, self.directions - self.k)
        if width == 0:
            return None
        self.signs = self.rng.choice([-1.0, 1.0], (width, len(self.theta)))
        reach = self.c / (self.k + 1) ** GAMMA
        trials = []
        self.moved = np.zeros_like(self.signs)
        for row, signs in enumerate(self.signs):
            ends = [self.trial(self.theta + side * reach * signs) for side in (1, -1)]
            up, down = (self.species.places(end.values) for end in ends)
            self.moved[row] = up - down  # what was left after rounding, and at the end of the range
            trials += ends
        if self.task.meet:
            meetings = [(2 * i, 2 * i + 1) for i in range(width)]
        else:
            meetings = [meeting for i in range(2 * width) for meeting in against_pool(i, self.task.pool)]
        return Batch(trials, meetings, self.task.pair)

    def trial(self, places: np.ndarray) -> Trial:
        return Trial(0, self.species.at(places))

    def tell(self, results: np.ndarray) -> None:
        scores = results[:, 0]
        if self.task.meet:
            gains = 2 * scores - 1
        else:
            ours = scores.reshape(len(self.signs), 2, self.task.pool).mean(axis=2)
            gains = ours[:, 0] - ours[:, 1]
        reach = self.c / (self.k + 1) ** GAMMA
        way = np.zeros_like(self.theta)
        for gain, moved in zip(gains, self.moved, strict=True):
            self.k += 1
            step = self.a / (self.stable + self.k) ** ALPHA
            way += step * np.divide(gain, moved, out=np.zeros_like(moved), where=np.abs(moved) > 1e-9)
        self.theta = np.clip(self.theta + np.clip(way, -reach, reach), 0.0, 1.0)
        if 2 * self.k > self.directions:
            self.counted += len(gains)
            self.mean += (self.theta - self.mean) * len(gains) / self.counted

    def best(self) -> Trial:
        return self.trial(self.mean if self.counted else self.theta)
