"""NTBEA, the n-tuple bandit evolutionary algorithm (Lucas, Liu & Perez-Liebana 2018), over discretised parameters.

A model keeps, for every single parameter, every pair and all of them together, how the points with each combination of
values fared: n games with the mean m. A point is rated by the means over the tuples t that it falls into,

    m(x) = mean over t of m_t(x),     UCB(x) = m(x) + k · mean over t of sqrt(ln(1 + N) / (n_t(x) + ε))

What few games say counts little: every tuple begins with PRIOR games of the mean of all. Levels of a number have an
order, so that a game also counts for those beside its own, the less the farther they are. Tuples with a parameter that
does not matter beside the others are left out.

From the present point mutate some neighbours, take the one with the largest UCB, try it, and go on from there. What is
recommended is the tried point with the best m. Several short runs and a play-off between what they recommend beat one
long run (Goodman & Lucas, arXiv 2003.10378); they go on side by side. The play-off believes what all runs together say,
the middle of their best points, unless what one of them recommends is surely better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.params import Param
from spielbaum.tune.method import MOST_STEPS, Batch, PlayOff, Task, Trial, against_pool
from spielbaum.tune.space import MEMBER, Gene, Species, asked_for

OPTIONS = (
    Param("runs", 5, "short runs, whose recommendations play each other off", low=1, high=100),
    Param("levels", 15, "values that a range is divided into", low=2, high=1000),
    Param("k", 0.3, "exploration of the bandits", low=0),
    Param("neighbours", 50, "mutants of which the most promising is tried", low=1, high=10_000),
    Param("play-off", 0.1, "share of the games that decide between the runs", low=0, high=0.9),
)
PRIOR = 10.0  # games' worth of the mean of all that a tuple begins with
TOP, LEAST_POINTS = 0.1, 5  # share of the tried points that the estimate is the middle of, and how many at least
WIDTH = 2 / 15  # of the range: how far a game also says something about other levels
EPSILON = 0.5


class Grid:
    """The parameters of a species as levels."""

    def __init__(self, species: Species, levels: int):
        self.species = species
        self.sizes = np.array([size_of(gene, levels) for gene in species.genes])
        self.numeric = np.array([gene.numeric for gene in species.genes])
        asked = {name for gene in species.genes for name in asked_for(gene.when)}
        self.owners = np.array([gene.name.partition(MEMBER)[0] in asked for gene in species.genes])
        self.conditional = bool(self.owners.any())
        self.begin = self.start()
        self.all, self.known = np.ones(len(self.sizes), bool), dict[bytes, np.ndarray]()

    def trial(self, point: np.ndarray) -> Trial:
        """The values at levels."""
        numbers = point / np.maximum(1, self.sizes - 1)
        choices = (point + 0.5) / self.sizes
        return Trial(0, self.species.at(np.where(self.numeric, numbers, choices)))

    def active(self, point: np.ndarray) -> np.ndarray:
        """b[genes]: which genes matter beside the others."""
        if not self.conditional:
            return self.all
        key = point[self.owners].tobytes()
        if key not in self.known:
            told = self.species.active(self.trial(point).values)
            self.known[key] = np.array([gene.name in told for gene in self.species.genes])
        return self.known[key]

    def start(self) -> np.ndarray:
        """The levels nearest to the agent as given."""
        places = self.species.places(self.species.start)
        levels = np.where(self.numeric, np.rint(places * (self.sizes - 1)), np.floor(places * self.sizes))
        return np.asarray(levels, np.int64)

    def canonical(self, point: np.ndarray) -> np.ndarray:
        """The point with what does not matter as at the start: all such points are the same agent."""
        return np.where(self.active(point), point, self.begin) if self.conditional else point

    def mutants(self, point: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
        """i8[count, genes]: one level anew, and each other one with a chance of 1 / genes."""
        genes = len(point)
        changed = rng.random((count, genes)) < 1 / genes
        changed[np.arange(count), rng.integers(genes, size=count)] = True
        return np.asarray(np.where(changed, rng.integers(self.sizes, size=(count, genes)), point), np.int64)


def size_of(gene: Gene, levels: int) -> int:
    """How many levels a gene has."""
    return min(gene.levels, levels) if gene.levels else levels


class Model:
    """The tuples' statistics: for each a table with n and the sum of scores of each combination of levels."""

    def __init__(self, grid: Grid):
        sizes = grid.sizes
        self.kernels = [
            nearness(int(size), WIDTH * size if numeric else 0.0)
            for size, numeric in zip(sizes, grid.numeric, strict=True)
        ]
        self.tuples = [each for order in (1, 2) for each in itertools.combinations(range(len(sizes)), order)]
        self.shapes = [tuple(int(sizes[gene]) for gene in each) for each in self.tuples]
        lengths = [math.prod(shape) for shape in self.shapes]
        self.offsets = np.cumsum([0, *lengths[:-1]])
        self.strides = np.zeros((len(sizes), len(self.tuples)), np.int64)
        for column, (each, shape) in enumerate(zip(self.tuples, self.shapes, strict=True)):
            self.strides[list(each), column] = [math.prod(shape[place + 1 :]) for place in range(len(each))]
        self.members = np.zeros((len(self.tuples), len(sizes)), np.int64)
        for row, each in enumerate(self.tuples):
            self.members[row, list(each)] = 1
        self.grid, self.known = grid, dict[bytes, np.ndarray]()
        self.n, self.sum = np.zeros((2, sum(lengths)))
        self.whole: dict[bytes, list[float]] = {}  # all parameters together
        self.total = self.points = 0.0

    def learn(self, point: np.ndarray, score: float, games: float) -> None:
        """Count some games of a point, and a part of them for the points beside it."""
        near = [kernel[level] for kernel, level in zip(self.kernels, point, strict=True)]
        rows = [
            near[each[0]] if len(each) == 1 else np.outer(near[each[0]], near[each[1]]).ravel() for each in self.tuples
        ]
        matter = self.matters(point)
        weights = games * np.concatenate([row * counts for row, counts in zip(rows, matter, strict=True)])
        self.n += weights
        self.sum += score * weights
        known = self.whole.setdefault(self.grid.canonical(point).tobytes(), [0.0, 0.0])
        known[0] += games
        known[1] += score * games
        self.total += games
        self.points += score * games

    def matters(self, point: np.ndarray) -> np.ndarray:
        """b[tuples]: those whose genes all matter at a point; the others say nothing about it."""
        active = self.grid.active(point)
        key = active.tobytes()
        if key not in self.known:
            self.known[key] = np.asarray(self.members @ ~active == 0)
        return self.known[key]

    def counts(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """f8[points, tuples] each: n and the sum of scores."""
        cells = points @ self.strides + self.offsets
        if points.shape[1] <= 2:
            return self.n[cells], self.sum[cells]  # the largest tuple is all of them
        whole = np.array([self.whole.get(self.grid.canonical(point).tobytes(), (0.0, 0.0)) for point in points])
        return np.column_stack([self.n[cells], whole[:, 0]]), np.column_stack([self.sum[cells], whole[:, 1]])

    def means(self, points: np.ndarray) -> np.ndarray:
        """The model's m(x); what few games say counts little beside the mean of all."""
        n, sums = self.counts(points)
        average = self.points / max(1.0, self.total)
        return self.mean_of((sums + PRIOR * average) / (n + PRIOR), points)

    def bounds(self, points: np.ndarray, k: float) -> np.ndarray:
        """The UCB of points."""
        n, _ = self.counts(points)
        return np.asarray(
            self.means(points) + k * self.mean_of(np.sqrt(math.log1p(self.total) / (n + EPSILON)), points)
        )

    def mean_of(self, values: np.ndarray, points: np.ndarray) -> np.ndarray:
        """f8[points]: the mean over the tuples that matter."""
        if not self.grid.conditional:
            return np.asarray(values.mean(axis=1))
        matter = np.array([self.matters(point) for point in points])
        if values.shape[1] > matter.shape[1]:
            matter = np.column_stack([matter, np.ones(len(points), bool)])  # all parameters together
        return np.asarray((values * matter).sum(axis=1) / matter.sum(axis=1))

    def join(self, other: Model) -> None:
        """Count the games of another run as well."""
        self.n += other.n
        self.sum += other.sum
        self.total += other.total
        self.points += other.points
        for point, (games, score) in other.whole.items():
            known = self.whole.setdefault(point, [0.0, 0.0])
            known[0] += games
            known[1] += score

    def tried(self) -> np.ndarray:
        """i8[points, genes]: the points with games."""
        return np.frombuffer(b"".join(self.whole), np.int64).reshape(len(self.whole), -1)

    def recommended(self) -> np.ndarray:
        """The tried point with the best mean."""
        tried = self.tried()
        best: np.ndarray = tried[int(np.argmax(self.means(tried)))]
        return best

    def middle(self) -> np.ndarray:
        """The middle of the best tried points that chose the same: one alone owes too much to luck."""
        tried = self.tried()
        means, choices = self.means(tried), ~self.grid.numeric
        best = tried[int(np.argmax(means))]
        alike = (tried[:, choices] == best[choices]).all(axis=1)
        tried, means = tried[alike], means[alike]
        some = np.argsort(-means, kind="stable")[: max(LEAST_POINTS, round(TOP * len(means)))]
        return np.asarray(np.where(self.grid.numeric, tried[some].mean(axis=0), best))


def nearness(size: int, width: float) -> np.ndarray:
    """f8[size, size]: how much a game at one level says about another one; nothing where levels have no order."""
    apart = np.subtract.outer(np.arange(size), np.arange(size))
    return np.asarray(np.exp(-((apart / width) ** 2) / 2) if width else np.eye(size), np.float64)


class Method:
    """Several runs side by side, then a play-off."""

    def __init__(self, task: Task, options: Mapping[str, Any]):
        (species,) = task.species
        self.task, self.options = task, options
        self.grid = Grid(species, options["levels"])
        self.steps = self.done = self.tries = 0
        self.runs = options["runs"]
        self.schedule(task.games)
        self.runs = min(self.runs, self.tries)
        self.models = [Model(self.grid) for _ in range(self.runs)]
        self.rngs = [task.rng(0x27BEA, run) for run in range(self.runs)]
        self.points = [self.first_point(run) for run in range(self.runs)]
        self.asked: list[tuple[int, np.ndarray]] = []
        self.batch = Batch([], [], 0)

    def schedule(self, games: int) -> None:
        """So many more games: tries in steps, and a play-off at their end."""
        last = self.options["play-off"] * games if self.options["runs"] > 1 else 0
        self.final = int(last)
        tries = max(1, int((games - last) / (self.task.pair * self.task.pool)))
        runs = min(self.runs, tries)
        self.width = max(1, tries // (runs * MOST_STEPS)) * runs
        self.tries += tries
        self.steps += -(-tries // self.width) + (self.final > 0)
        self.play_off: PlayOff | None = None

    def extend(self, games: int) -> None:
        more = games - self.task.games
        self.task = replace(self.task, games=games)
        self.schedule(more)

    def first_point(self, run: int) -> np.ndarray:
        """The first run begins with the agent as given, the others anywhere."""
        return self.grid.start() if run == 0 else self.rngs[run].integers(self.grid.sizes)

    def ask(self) -> Batch | None:
        if self.done < self.tries:
            self.asked = []
            for number in range(min(self.width, self.tries - self.done)):
                run = number % self.runs
                self.asked.append((run, self.points[run]))
                self.points[run] = self.next_point(run)
            trials = [self.grid.trial(point) for _, point in self.asked]
            meetings = [meeting for i in range(len(trials)) for meeting in against_pool(i, self.task.pool)]
            self.batch = Batch(trials, meetings, self.task.pair)
            return self.batch
        if self.play_off is None:
            found = [self.grid.trial(model.recommended()) for model in self.models]
            self.play_off = PlayOff([self.estimate(), *found], self.final, self.task)
        if self.play_off.over:
            return None
        self.batch = self.play_off.ask()
        return self.batch

    def next_point(self, run: int) -> np.ndarray:
        """The neighbour with the largest upper bound; equals at random."""
        rng, model = self.rngs[run], self.models[run]
        mutants = self.grid.mutants(self.points[run], self.options["neighbours"], rng)
        noise = 1e-6 * rng.random(len(mutants))
        chosen: np.ndarray = mutants[int(np.argmax(model.bounds(mutants, self.options["k"]) + noise))]
        return chosen

    def tell(self, results: np.ndarray) -> None:
        scores = results[:, 0]
        if self.play_off is not None:
            self.play_off.tell(results, self.batch.games)
            return
        for (run, point), score in zip(self.asked, scores.reshape(len(self.asked), -1).mean(axis=1), strict=True):
            self.models[run].learn(point, float(score), 1.0)
        for run in {run for run, _ in self.asked}:
            self.points[run] = self.next_point(run)
        self.done += len(self.asked)

    def best(self) -> Trial:
        return self.play_off.winner if self.play_off is not None else self.estimate()

    def estimate(self) -> Trial:
        """What the games of all runs together recommend."""
        if not self.done:
            return self.grid.trial(self.grid.start())
        pooled = Model(self.grid)
        for model in self.models:
            pooled.join(model)
        return self.grid.trial(pooled.middle())
