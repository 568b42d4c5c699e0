"""Evolution as in the Quick Civ thesis (sections 6.3 and 7.1): a population of one or several species.

In every generation the individuals play each other (co-evolution): `matches` times they are shuffled and take their
seats, table by table. Fitness is the mean over the matches of what one had: its points as a share of the best points
at the table where the game counts points, otherwise its score. The better half survives unchanged, whatever species;
as many children replace the others. A child has two survivors of one species for parents and takes each gene from
either, then every gene mutates:

    number      + Normal(0, 0.1 · (high - low)), within the range
    whole       the same, rounded, with a deviation of 1 at least
    choice      floor(k·x) of k choices by a gene x from 0 to 1, + Normal(0, 0.1)
    switch      flips with a chance of 10 %

A gene with a condition comes from the parent that the gene of its condition came from, and mutates only where it holds.
With fixed opponents everybody plays those instead.

Co-evolved fitness is luck for the most part: the estimate is the mean of the survivors of the last third of all
generations, of the species that has most of them, and a play-off between it and those who survived longest decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.params import Param, fill, holds
from spielbaum.tune.method import Batch, PlayOff, Task, Trial, against_pool
from spielbaum.tune.space import MEMBER, Gene, Species, asked_for, joined

OPTIONS = (
    Param("population", 52, "individuals, of all species together", low=4, high=10_000, kind=int),
    Param("generations", None, "of the population; as many as the games are enough for unless given", low=1, kind=int),
    Param("matches", 4, "of each individual in a generation", low=1, high=1000),
    Param("deviation", 0.1, "of a mutation, as a share of the range", low=0, high=1),
    Param("random-start", False, "all individuals begin at random; otherwise one of each species as given"),
    Param("play-off", 0.1, "share of the games that decide between the last candidates", low=0, high=0.9),
)
FLIP = 0.1
GENERATIONS = 50  # of the thesis
FEWEST = 15  # generations for some number of games; before that a population gets smaller,
SMALLEST = 12  # down to this
ELDERS = 3  # of the play-off, beside the mean


@dataclass(eq=False)
class Individual:
    """A member of the population: a number from 0 to 1 for each gene, and how long it has survived."""

    species: int
    places: np.ndarray
    age: int = 0


@dataclass
class Survivors:
    """Those of late generations: how often each species, and the sum of the genes of each."""

    counts: Counter[int] = field(default_factory=Counter)
    sums: dict[int, np.ndarray] = field(default_factory=dict)
    choices: dict[int, list[Counter[Any]]] = field(default_factory=dict)


class Method:
    """A population from random values, with the agents as given among them unless the start is random."""

    def __init__(self, task: Task, options: Mapping[str, Any]):
        self.task, self.options, self.rng = task, options, task.rng(0xE70)
        self.matches = options["matches"]
        self.final = int(options["play-off"] * task.games)
        self.size, self.generations = sizes(task, options, task.games - self.final)
        self.steps = self.generations + (self.final > 0)
        self.population = [
            Individual(number * len(task.species) // self.size, np.zeros(0)) for number in range(self.size)
        ]
        first = {self.population[number].species: number for number in reversed(range(self.size))}
        for number, each in enumerate(self.population):
            species = task.species[each.species]
            drawn = self.rng.random(len(species.genes))
            given = first[each.species] == number and not options["random-start"]
            each.places = species.places(species.start) if given else drawn
        self.generation = 0
        self.late: list[Survivors] = []
        self.play_off: PlayOff | None = None
        self.batch = Batch([], [], 0)

    def extend(self, games: int) -> None:
        """More generations of the same population; the late ones are those of the longer run."""
        more = games - self.task.games
        self.task = replace(self.task, games=games)
        self.final = int(self.options["play-off"] * more)
        further = max(1, (more - self.final) // of_generation(self.task, self.options, self.size))
        self.generations += further
        self.steps += further + (self.final > 0)
        self.late, self.play_off = [], None

    # --- games ---------------------------------------------------------------------------------------

    def ask(self) -> Batch | None:
        if self.generation < self.generations:
            meetings = self.tables() if self.task.meet else self.gauntlets()
            games = 1 if self.task.meet and self.task.seats > 2 else self.task.pair
            self.batch = Batch([self.trial(each) for each in self.population], meetings, games)
            return self.batch
        if self.play_off is None:
            elders = sorted(self.population, key=lambda each: -each.age)[:ELDERS]
            candidates = [self.mean(), *map(self.trial, elders)] if self.final else [self.mean()]
            self.play_off = PlayOff(candidates, self.final, self.task)
        if self.play_off.over:
            return None
        self.batch = self.play_off.ask()
        return self.batch

    def tables(self) -> list[tuple[int, ...]]:
        """Everybody at a table, as often as there are matches; who is left over shares one with others once more."""
        seats, found = self.task.seats, []
        for _ in range(self.matches):
            order = self.rng.permutation(self.size).tolist()
            missing = -len(order) % seats
            order += order[:missing]
            found += [tuple(order[i : i + seats]) for i in range(0, len(order), seats)]
        return found

    def gauntlets(self) -> list[tuple[int, ...]]:
        pools = [against_pool(number, self.task.pool) for number in range(self.size)]
        return [meeting for _ in range(self.matches) for pool in pools for meeting in pool]

    def trial(self, each: Individual) -> Trial:
        return Trial(each.species, self.task.species[each.species].at(each.places))

    # --- generations -----------------------------------------------------------------------------------

    def tell(self, results: np.ndarray) -> None:
        if self.play_off is not None:
            self.play_off.tell(results, self.batch.games)
            return
        total, count = np.zeros(self.size), np.zeros(self.size)
        for meeting, had in zip(self.batch.meetings, results, strict=True):
            for side, value in zip(meeting, had, strict=True):
                if side >= 0:
                    total[side] += value
                    count[side] += 1
        order = np.argsort(-total / count, kind="stable")
        survivors = [self.population[i] for i in order[: (self.size + 1) // 2]]
        self.generation += 1
        if 3 * self.generation > 2 * self.generations - 1:
            self.note(survivors)
        for each in survivors:
            each.age += 1
        self.survivors = survivors
        self.population = survivors + [self.child(survivors) for _ in range(self.size - len(survivors))]

    def child(self, survivors: list[Individual]) -> Individual:
        """Two parents of one species, a gene of either, and everything a little different."""
        one = survivors[int(self.rng.integers(len(survivors)))]
        mates = [each for each in survivors if each.species == one.species and each is not one] or [one]
        other = mates[int(self.rng.integers(len(mates)))]
        species = self.task.species[one.species]
        takes = self.rng.random(len(species.genes)) < 0.5
        for number, owner in owners(species).items():
            takes[number] = takes[owner]
        places = np.where(takes, one.places, other.places)
        return Individual(one.species, self.mutated(species, places))

    def mutated(self, species: Species, places: np.ndarray) -> np.ndarray:
        """Every gene changed, those with a condition only where it holds."""
        steps, flips = self.rng.normal(size=len(places)), self.rng.random(len(places)) < FLIP
        changed = places.copy()
        for number, gene in enumerate(species.genes):
            if not gene.when:
                changed[number] = self.mutate(gene, places[number], steps[number], bool(flips[number]))
        values = species.at(changed)
        whole = {**species.values, **joined(values, species.values)}
        for number, gene in enumerate(species.genes):
            if gene.when and holds(gene.when, whole):
                changed[number] = self.mutate(gene, places[number], steps[number], bool(flips[number]))
        return changed

    def mutate(self, gene: Gene, place: float, step: float, flip: bool) -> float:
        if gene.switch:
            return 1 - place if flip else place
        deviation = self.options["deviation"]
        if gene.whole:
            span = gene.high - gene.low
            step = round(step * max(1.0, deviation * span)) / span if not gene.log else step * deviation
            return float(np.clip(place + step, 0.0, 1.0))
        return float(np.clip(place + step * deviation, 0.0, 1.0 if gene.numeric else np.nextafter(1.0, 0.0)))

    # --- the estimate ----------------------------------------------------------------------------------

    def note(self, survivors: list[Individual]) -> None:
        """Remember the survivors of a late generation."""
        noted = Survivors()
        for each in survivors:
            genes = self.task.species[each.species].genes
            noted.counts[each.species] += 1
            noted.sums[each.species] = noted.sums.get(each.species, np.zeros(len(genes))) + each.places
            chosen = noted.choices.setdefault(each.species, [Counter() for _ in genes])
            for counter, gene, place in zip(chosen, genes, each.places, strict=True):
                counter[gene.at(place)] += not gene.numeric
        self.late.append(noted)

    def mean(self) -> Trial:
        """The species with most survivors, the mean of its numbers, and what most of it have chosen."""
        counts = sum((each.counts for each in self.late), Counter[int]())
        species = counts.most_common(1)[0][0]
        genes = self.task.species[species].genes
        sums = [each.sums[species] for each in self.late if species in each.sums]
        places = np.sum(sums, axis=0) / counts[species]
        for number, gene in enumerate(genes):
            if not gene.numeric:
                chosen = sum(
                    (each.choices[species][number] for each in self.late if species in each.choices), Counter()
                )
                places[number] = gene.place(chosen.most_common(1)[0][0])
        return Trial(species, self.task.species[species].at(places))

    def best(self) -> Trial:
        if self.play_off is not None:
            return self.play_off.winner
        if not self.late:
            return self.trial(self.population[0])
        return self.mean()


def owners(species: Species) -> dict[int, int]:
    """For each gene with a condition, the gene that the condition is about, where that is varied as well."""
    numbers = {gene.name.partition(MEMBER)[0]: number for number, gene in reversed(list(enumerate(species.genes)))}
    numbers |= {gene.name: number for number, gene in enumerate(species.genes)}
    found = {}
    for number, gene in enumerate(species.genes):
        for name in asked_for(gene.when):
            owner = numbers.get(name, number)
            if owner != number:
                found[number] = owner
    return found


def sizes(task: Task, options: Mapping[str, Any], games: int) -> tuple[int, int]:
    """How many individuals and generations: as told, or as the games are enough for."""
    population, generations = options["population"], options["generations"]
    if population < 2 * len(task.species) or population < task.seats:
        raise SpielbaumError(
            f"--set population={population} is too small for {len(task.species)} species and {task.seats} seats"
        )
    if generations is None:
        if "population" not in task.options:
            while population > SMALLEST and of_generation(task, options, population) * FEWEST > games:
                population -= 4
        generations = max(1, games // of_generation(task, options, population))
    return population, generations


def of_generation(task: Task, options: Mapping[str, Any], population: int) -> int:
    """The games of a generation."""
    if not task.meet:
        return int(population * options["matches"] * task.pair * task.pool)
    tables = -(-population // task.seats)
    return int(tables * options["matches"] * (1 if task.seats > 2 else task.pair))


def games_of(task: Task) -> int:
    """The games of as many generations as told, or as the thesis had, and of the play-off."""
    options = fill(OPTIONS, task.options, "method evolution")
    generations = options["generations"] or GENERATIONS
    return -int(-generations * of_generation(task, options, options["population"]) // (1 - options["play-off"]))
