"""The interface of tuning methods: they ask for games between agents, take their results, and name the best agent.

    batch = method.ask()          the agents of a step and who meets whom; None when it has asked enough
    method.tell(results)          f8[meetings, sides]: what each side had on average
    method.best()                 the present best estimate
    method.extend(games)          go on, after the last step, for so many games in all

A method is a file with a class `Method` and its `OPTIONS`, and an entry in METHODS. All that it draws comes from the
seed and all that it knows from what it is told, so that a run that is resumed is told the same again. It plays no
game itself: the same methods run against the surfaces of a benchmark.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from spielbaum.arena.stats import shares_error
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.params import Value, fill
from spielbaum.tune.space import Species, Values

METHODS = ("evolution", "ntbea", "spsa", "optuna")
SURE = 2.0  # errors of a difference that is believed
MOST_STEPS = 100  # about: the games of a step are played side by side, and each step costs something


class Trial(NamedTuple):
    """An agent to be tried: which species, and its values."""

    species: int
    values: Values


@dataclass(frozen=True)
class Batch:
    """The meetings of a step. A side is the number of a trial, or `~k` for the opponent k of the pool."""

    trials: Sequence[Trial]
    meetings: Sequence[tuple[int, ...]]
    games: int
    """Of each meeting: one with as many sides as there are seats, otherwise a rotation of the sides at least."""

    @property
    def total(self) -> int:
        return self.games * len(self.meetings)


@dataclass(frozen=True)
class Task:
    """What is to be tuned, and with how many games."""

    species: Sequence[Species]
    games: int
    seed: int = 0
    pool: int = 1
    """How many fixed opponents there are."""
    meet: bool = True
    """Whether tuned agents may play each other: the sides are alike, and no opponent was asked for."""
    seats: int = 2
    """How many individuals of an evolution share a game."""
    pair: int = 2
    """How many games a meeting of two sides needs to be fair."""
    options: Mapping[str, Value] = field(default_factory=dict)

    def rng(self, *tags: int) -> np.random.Generator:
        """Draws that no other part of the run makes."""
        return np.random.default_rng([self.seed, *tags])


class Method(Protocol):
    """A way to find good values."""

    steps: int
    """How many there will be."""

    def ask(self) -> Batch | None: ...

    def tell(self, results: np.ndarray) -> None: ...

    def best(self) -> Trial: ...

    def extend(self, games: int) -> None:
        """Go on where it has asked enough, until there were so many games in all."""
        ...


def create(name: str, task: Task) -> Method:
    """A new method; SpielbaumError if it can't do the task."""
    module = module_of(name)
    options = fill(module.OPTIONS, task.options, f"--method {name}")
    if name != "evolution" and len(task.species) > 1:
        raise SpielbaumError(f"{name} tunes one agent; several species are for --method evolution")
    method: Method = module.Method(task, options)
    return method


def module_of(name: str) -> Any:
    """The file of a method."""
    if name not in METHODS:
        raise unknown("method", name, METHODS)
    return importlib.import_module(f"spielbaum.tune.{name}")


def against_pool(trial: int, pool: int) -> list[tuple[int, int]]:
    """The meetings of a trial with all fixed opponents."""
    return [(trial, ~opponent) for opponent in range(pool)]


class PlayOff:
    """The best of a few candidates, by games of their own, so that luck does not count twice.

    The first one is what a model says, from far more games than these: another one must be better by `SURE` errors.
    """

    def __init__(self, candidates: Sequence[Trial], games: int, task: Task):
        unique = {task.species[trial.species].spec(trial.values): trial for trial in reversed(candidates)}
        self.candidates, self.task = list(reversed(unique.values())), task
        self.games = games
        self.winner = self.candidates[0]
        self.over = len(self.candidates) == 1 or games < 2 * len(self.candidates) * task.pair * task.pool

    def ask(self) -> Batch:
        """Everybody against the pool."""
        pool, pair = self.task.pool, self.task.pair
        meetings = [meeting for trial in range(len(self.candidates)) for meeting in against_pool(trial, pool)]
        return Batch(self.candidates, meetings, int(self.games / len(meetings)) // pair * pair)

    def tell(self, results: np.ndarray, games: int) -> None:
        """Decide."""
        scores = results[:, 0].reshape(len(self.candidates), -1).mean(axis=1)
        best, played = int(np.argmax(scores)), games * self.task.pool
        if scores[best] - scores[0] > SURE * shares_error(float(scores[0]), float(scores[best]), played):
            self.winner = self.candidates[best]
        self.over = True


def whole_pairs(games: float, pair: int) -> int:
    """About so many games, as whole rotations of the sides."""
    return max(1, round(games / pair)) * pair
