"""Breeding nets with neat-python: every generation plays, the better ones have offspring, and all is kept in a file.

The fitness of a net is the mean over some games against simple opponents of

    (1 + return) / 2 + rounds / (rounds + 100)

so that at first it pays to live longer, and later to come in before the others. All nets of a generation play the same
games, and no two generations do. The best net of each generation sits an exam, which is the same for all: the one with
the best mark so far is the file's `best`, and what the agent `neat` plays.

A file is JSON and holds all that evolution goes on from, numbers as they are: a training that was interrupted comes to
the same nets as one that was not. Chance is seeded anew for every generation, from the training's seed.
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import random
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, load
from spielbaum.games.spe_ed.kernels import neat as template
from spielbaum.games.spe_ed.neat.net import genes_of, net_of, read
from spielbaum.games.spe_ed.neat.senses import INPUTS
from spielbaum.params import Value
from spielbaum.text import brief

CONFIG = pathlib.Path(__file__).parent / "evolution.ini"
OPPONENTS = ("random", "siegfried")
BOARD = {"players": 4, "width": 40, "height": 40}
FAR = 100  # rounds that are worth half of what living for ever would be
EXAM = 200  # games
SEED_BITS = 40
DIGITS = 3
Genome = dict[str, Any]
"""A net as a file holds it: `nodes` of number and bias, `links` of from, to, weight, on and innovation, its fitness."""


@dataclass(frozen=True)
class Settings:
    """What a training is decided by."""

    population: int = 60
    games: int = 60
    """Of each net and generation."""
    seed: int = 0
    options: Mapping[str, Value] = field(default_factory=lambda: dict(BOARD))
    """Of the game."""


class Marks(NamedTuple):
    """How a net did in some games: means."""

    fitness: float
    rounds: float
    place: float
    """Of who share places, the middle of them."""
    dead_ends: float
    """The share of its deaths in which no move was left."""


class Progress(NamedTuple):
    """A generation that is over."""

    generation: int
    fitness: float  # of its best net
    exam: float  # of the best net so far
    species: int


def require_neat() -> Any:
    """The package neat-python, or what to do without it."""
    try:
        return importlib.import_module("neat")
    except ImportError:
        raise SpielbaumError("training needs neat-python; pip install 'spielbaum[neat]'") from None


# --- games ----------------------------------------------------------------------------------------


class Sparring:
    """Plays nets against simple opponents."""

    def __init__(self, game: Game):
        self.game = game
        self.policies = np.array([list(game.module.POLICIES).index(name) for name in OPPONENTS])
        self.states = np.zeros(2, game.rules.STATE)
        self.results = np.zeros(game.module.PLAYERS)
        self.rng = np.zeros(1, np.uint64)

    def marks(self, genome: Genome, seeds: np.ndarray) -> Marks:
        """How a net does in the games of these seeds."""
        net = net_of(*genes_of(genome))
        out = np.zeros((len(seeds), 3))
        self.game.kernels.link(template).contest(
            self.game.context,
            self.states,
            seeds,
            self.policies,
            np.zeros(1),
            tuple(net),
            net.room,
            self.rng,
            self.results,
            out,
        )
        rounds, returns, dead_ends = out.T
        fitness = (1 + returns) / 2 + rounds / (rounds + FAR)
        places = 1 + (1 - returns) / 2 * (self.game.players - 1)
        died = max(1, int(np.sum(returns < 1)))
        return Marks(float(fitness.mean()), float(rounds.mean()), float(places.mean()), float(dead_ends.sum() / died))


def game_seeds(seed: int, generation: int, games: int) -> np.ndarray:
    """i8[games]: the games of a generation; generation -1 is the exam."""
    return np.random.default_rng([seed, generation + 1]).integers(0, 1 << SEED_BITS, games)


# --- generations ----------------------------------------------------------------------------------


class Counter:
    """Counts as `itertools.count` does, and tells where it is."""

    def __init__(self, value: int):
        self.value = value

    def __next__(self) -> int:
        self.value += 1
        return self.value - 1


class Training:
    """A population of nets and all that its next generation depends on."""

    def __init__(self, settings: Settings):
        self.neat = require_neat()
        self.settings = settings
        self.game = load("spe_ed", **settings.options)
        self.sparring = Sparring(self.game)
        self.exam = game_seeds(settings.seed, -1, EXAM)
        self.best: Genome | None = None
        self.config = self.read_config()
        random.seed(f"{settings.seed} begins")
        self.population = self.neat.Population(self.config)
        self.population.species.indexer = Counter(1 + max(self.population.species.species))
        self.population.reproduction.genome_indexer = Counter(1 + max(self.population.population))
        self.config.genome_config.node_indexer = Counter(self.config.genome_config.num_outputs)

    def read_config(self) -> Any:
        neat = self.neat
        kinds = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
        config = neat.Config(*kinds, str(CONFIG))
        config.pop_size = self.settings.population
        return config

    @property
    def generation(self) -> int:
        """How many are over."""
        return int(self.population.generation)

    def breed(self) -> Progress:
        """Let a generation play and have offspring."""
        generation = self.generation
        seeds = game_seeds(self.settings.seed, generation, self.settings.games)
        found: list[Genome] = []

        def play(genomes: list[tuple[int, Any]], config: Any) -> None:
            for _, genome in genomes:
                genome.fitness = self.sparring.marks(written(genome), seeds).fitness
            found.append(written(max((genome for _, genome in genomes), key=lambda genome: genome.fitness)))
            random.seed(f"{self.settings.seed} generation {generation}")

        self.population.run(play, 1)
        for genome in self.population.population.values():
            shorten(genome)
        (leader,) = found
        exam = self.sparring.marks(leader, self.exam).fitness
        if self.best is None or exam > self.best["fitness"]:
            self.best = {**leader, "fitness": exam}
        return Progress(self.generation, leader["fitness"], self.best["fitness"], len(self.population.species.species))

    # --- files ------------------------------------------------------------------------------------

    def save(self, file: pathlib.Path) -> None:
        """Write the file anew, as a whole or not at all."""
        population, species = self.population, self.population.species
        data = {
            "what": "nets for spe_ed, evolved by 'spielbaum spe_ed train-neat'",
            "inputs": list(INPUTS),
            "settings": asdict(self.settings),
            "generation": self.generation,
            "best": self.best,
            "counters": {
                "genome": population.reproduction.genome_indexer.value,
                "species": species.indexer.value,
                "node": self.config.genome_config.node_indexer.value,
                "innovation": population.reproduction.innovation_tracker.global_counter,
            },
            "species": [
                {
                    "key": key,
                    "created": each.created,
                    "last_improved": each.last_improved,
                    "fitness_history": each.fitness_history,
                    "representative": each.representative.key,
                    "members": list(each.members),
                }
                for key, each in species.species.items()
            ],
            "population": [{"key": key, **written(genome)} for key, genome in population.population.items()],
        }
        text = json.dumps(data, separators=(",", ":")).replace('{"key"', '\n{"key"').replace(',"best"', ',\n"best"')
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as new:
                new.write(text + "\n")
            pathlib.Path(name).chmod(0o644)
            os.replace(name, file)
        except BaseException:
            pathlib.Path(name).unlink(missing_ok=True)
            raise

    @staticmethod
    def load(file: pathlib.Path) -> Training:
        """A training as it was saved."""
        data = read(file)
        try:
            training = Training(Settings(**data["settings"]))
            training.restore(data)
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise SpielbaumError(f"{file} can't be gone on with ({brief(error)}); begin anew with another -o") from None
        return training

    def restore(self, data: dict[str, Any]) -> None:
        neat, population, counters = self.neat, self.population, data["counters"]
        members = {each["key"]: self.revived(each) for each in data["population"]}
        species = population.species
        species.species, species.genome_to_species = {}, {}
        for each in data["species"]:
            one = neat.species.Species(each["key"], each["created"])
            one.last_improved, one.fitness_history = each["last_improved"], each["fitness_history"]
            one.update(members[each["representative"]], {key: members[key] for key in each["members"]})
            species.species[each["key"]] = one
            species.genome_to_species |= dict.fromkeys(each["members"], each["key"])
        population.population, population.generation, self.best = members, data["generation"], data["best"]
        population.reproduction.genome_indexer = Counter(counters["genome"])
        population.reproduction.innovation_tracker.global_counter = counters["innovation"]
        species.indexer = Counter(counters["species"])
        self.config.genome_config.node_indexer = Counter(counters["node"])

    def revived(self, data: Genome) -> Any:
        """A genome of neat-python from what a file holds."""
        genes, genome = self.config.genome_config, self.neat.DefaultGenome(data["key"])
        for node, bias in data["nodes"]:
            genome.nodes[node] = genome.create_node(genes, node)
            genome.nodes[node].bias = bias
        for one, other, weight, on, innovation in data["links"]:
            gene = genome.create_connection(genes, one, other, innovation)
            gene.weight, gene.enabled = weight, on
            genome.connections[one, other] = gene
        genome.fitness = data["fitness"]
        return genome


def shorten(genome: Any) -> None:
    """Round the numbers of a genome, so that files are small and still say all."""
    for node in genome.nodes.values():
        node.bias = round(node.bias, DIGITS)
    for link in genome.connections.values():
        link.weight = round(link.weight, DIGITS)


def written(genome: Any) -> Genome:
    """A genome of neat-python as plain data."""
    return {
        "fitness": genome.fitness,
        "nodes": [[key, node.bias] for key, node in genome.nodes.items()],
        "links": [[*key, link.weight, link.enabled, link.innovation] for key, link in genome.connections.items()],
    }


def train(
    file: pathlib.Path,
    generations: int,
    settings: Settings,
    *,
    resume: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Training:
    """Breed until so many generations are over; the file has the state after each of them.

    With `resume` a training goes on where it stopped, if there is one, with the settings that it began with.
    """
    require_neat()
    if file.exists() and not resume:
        raise SpielbaumError(f"{file} exists already; --resume goes on with it, or choose another place with -o")
    training = Training.load(file) if file.exists() else Training(settings)
    while training.generation < generations:
        progress = training.breed()
        training.save(file)
        watch(progress)
    return training
