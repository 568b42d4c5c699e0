"""A benchmark for tuners: win-rate surfaces whose optimum is known, so that a method's regret can be measured.

A surface gives every point a strength in Elo, and two points win against each other as these predict. Nothing is
played: a game is a draw of chance, so that 20,000 of them take no time and a method can be tried with many seeds.

| surface | parameters | what is hard |
|---|---|---|
| `peak` | 2 | nothing: smooth, with one optimum |
| `ridge` | 2 | they depend on each other: a narrow ridge across both axes |
| `five` | 5 | only two of them matter |
| `conditional` | a choice and two numbers | each number matters for one choice only |

The regret is the strength of the optimum less that of what a method names after so many games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.params import Value
from spielbaum.tune import method
from spielbaum.tune.method import Batch, Task, Trial, against_pool, whole_pairs
from spielbaum.tune.space import Gene, Species, Values

RANDOM = "random search"
TRIALS_OF_CHANCE = 100


@dataclass(frozen=True)
class Surface:
    """Parameters, and the strength of an agent that has them: 0 at the optimum, less anywhere else."""

    name: str
    genes: tuple[Gene, ...]
    elo: Callable[[Mapping[str, Any]], float]

    @property
    def numeric(self) -> bool:
        return all(gene.numeric for gene in self.genes)

    @property
    def species(self) -> Species:
        start: dict[str, Value] = {gene.name: gene.start for gene in self.genes}
        return Species(self.name, self.name, {}, start, self.genes)


def numbers(*starts: float) -> tuple[Gene, ...]:
    """So many numbers from 0 to 1."""
    return tuple(Gene(f"x{number}", start) for number, start in enumerate(starts, 1))


def peak(v: Mapping[str, Any]) -> float:
    return float(-400 * (1 - np.exp(-2.5 * ((v["x1"] - 0.62) ** 2 + (v["x2"] - 0.37) ** 2))))


def ridge(v: Mapping[str, Any]) -> float:
    across, along = v["x1"] - v["x2"] - 0.15, v["x1"] + v["x2"] - 1.15
    return float(-600 * (1 - np.exp(-4 * across**2)) - 150 * along**2)


def conditional(v: Mapping[str, Any]) -> float:
    if v["select"] == "greedy":
        return -80.0
    if v["select"] == "epsilon-greedy":
        return float(-30 - 300 * (v["epsilon"] - 0.2) ** 2)
    return float(-400 * (v["c"] - 0.3) ** 2)


CONDITIONAL = (
    Gene("select", "greedy", choices=("greedy", "epsilon-greedy", "ucb1")),
    Gene("epsilon", 0.9, when="select=epsilon-greedy"),
    Gene("c", 0.9, when="select=ucb1"),
)
SURFACES = {
    surface.name: surface
    for surface in (
        Surface("peak", numbers(0.1, 0.9), peak),
        Surface("ridge", numbers(0.1, 0.9), ridge),
        Surface("five", numbers(0.1, 0.9, 0.5, 0.5, 0.5), peak),
        Surface("conditional", CONDITIONAL, conditional),
    )
}


class Search:
    """Random search, which others are compared with: as many games for each of some random points, the best is it."""

    def __init__(self, task: Task):
        (self.species,) = task.species
        self.task = task
        points = task.rng(0x4A7D).random((TRIALS_OF_CHANCE, len(self.species.genes)))
        self.trials = [Trial(0, self.species.at(point)) for point in points]
        self.steps = 1
        self.scores: np.ndarray | None = None

    def ask(self) -> Batch | None:
        if self.scores is not None:
            return None
        meetings = [meeting for i in range(len(self.trials)) for meeting in against_pool(i, self.task.pool)]
        return Batch(self.trials, meetings, whole_pairs(self.task.games / len(meetings), self.task.pair))

    def tell(self, results: np.ndarray) -> None:
        self.scores = results[:, 0].reshape(len(self.trials), -1).mean(axis=1)

    def best(self) -> Trial:
        assert self.scores is not None
        return self.trials[int(np.argmax(self.scores))]


class Regret(NamedTuple):
    """What is lost by believing a method after so many games, for one seed."""

    surface: str
    method: str
    games: int
    seed: int
    regret: float
    played: int


def regret(surface: Surface, name: str, games: int, seed: int) -> Regret:
    """Let a method search a surface."""
    task = Task([surface.species], games, seed)
    tuner = Search(task) if name == RANDOM else method.create(name, task)
    rng, played = task.rng(0x6A3E), 0
    while (batch := tuner.ask()) is not None:
        tuner.tell(outcomes(surface, batch, rng))
        played += batch.total
    return Regret(surface.name, name, games, seed, -strength(surface, tuner.best().values), played)


def outcomes(surface: Surface, batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """f8[meetings, 2]: what chance makes of the strengths. The fixed opponent is the agent at the start."""
    elos = np.array(
        [strength(surface, trial.values) for trial in batch.trials] + [strength(surface, surface.species.start)]
    )
    sides = np.array(batch.meetings)
    one, other = elos[np.maximum(sides, -1)].T
    wins = rng.binomial(batch.games, 1 / (1 + 10 ** ((other - one) / 400))) / batch.games
    return np.stack([wins, 1 - wins], axis=1)


def strength(surface: Surface, values: Values) -> float:
    return surface.elo(values)


def regrets(
    surfaces: Sequence[str], methods: Sequence[str], games: Sequence[int], seeds: int, seed: int
) -> Iterator[Regret]:
    """All of them; a method that can't vary a choice has none on surfaces with one."""
    for name in surfaces:
        surface = SURFACES[name]
        for tuner in methods:
            if tuner == "spsa" and not surface.numeric:
                continue
            for budget in games:
                for number in range(seeds):
                    yield regret(surface, tuner, budget, seed + number)
