"""Experiments with the tuner: its regret on surfaces whose optimum is known, and the thesis' evolution.

spielbaum reproduce tuning/surfaces

title = "…"
source = "…"
surfaces = ["peak", "ridge"]         see `tune/surfaces.py`
methods = ["random search", "spsa"]
games = [1000, 20000]
seeds = 11                           of each; `quick` has other numbers: { games = [1000], seeds = 3 }
seed = 1

spielbaum reproduce quick-civ/7.1

game = "quick-civ"
agents = ["greedy", "vanilla:iterations={iterations}"]
vary = ["greedy:weight.*=0..5"]
seed = 1
sizes = { population = 12, generations = 10, matches = 4, iterations = 30 }
quick = { … }                        others, with --quick; `full` likewise
settles = ["weight.points", …]       the genes whose order of settling is told
published = { "…" = "…" }            what was published, by the claim: see `claims`

All individuals begin at random within the ranges; nothing that is to be found is planted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielbaum.errors import unknown
from spielbaum.experiments import Settings
from spielbaum.experiments.files import read, require
from spielbaum.experiments.marks import AGREES, DIFFERS, UNDECIDED
from spielbaum.game import load
from spielbaum.params import Value, holds, whole
from spielbaum.tune.history import History, Individual
from spielbaum.tune.job import Job, prepare
from spielbaum.tune.method import METHODS
from spielbaum.tune.surfaces import RANDOM, SURFACES, Regret, regrets

SURFACE_FIELDS = {"title", "source", "surfaces", "methods", "games", "seeds", "seed", "quick"}
EVOLUTION_FIELDS = {
    "title",
    "source",
    "game",
    "agents",
    "vary",
    "seed",
    "sizes",
    "quick",
    "full",
    "settles",
    "published",
}
NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST = 0.5  # of a population, of whom more meet a condition that holds
SETTLED = 0.5  # of the spread that a gene began with


@dataclass(frozen=True)
class Benchmark:
    """Methods, surfaces, and how many games and seeds each has."""

    title: str
    source: str
    surfaces: Sequence[str]
    methods: Sequence[str]
    games: Sequence[int]
    seeds: int
    seed: int

    def measure(self) -> Iterator[Regret]:
        """Every regret."""
        return regrets(self.surfaces, self.methods, self.games, self.seeds, self.seed)


def load_benchmark(name: str, quick: bool = False, seed: int | None = None) -> Benchmark:
    """A benchmark of tuners, by its name or by the path of a file of yours."""
    data, file = read(name)
    require(data, SURFACE_FIELDS, {"title", "surfaces", "methods", "games", "seeds"}, file)
    chosen = {**data, **(data.get("quick", {}) if quick else {})}
    for surface in chosen["surfaces"]:
        if surface not in SURFACES:
            raise unknown("surface", surface, SURFACES, file)
    for method in chosen["methods"]:
        if method not in (RANDOM, *METHODS):
            raise unknown("method", method, (RANDOM, *METHODS), file)
    return Benchmark(
        data["title"], data.get("source", ""), chosen["surfaces"], chosen["methods"], chosen["games"], chosen["seeds"],
        data.get("seed", 0) if seed is None else seed,
    )  # fmt: skip


def table(found: Sequence[Regret]) -> list[dict[str, Any]]:
    """The median regret of each surface, method and number of games, with the quartiles."""
    keys = dict.fromkeys((each.surface, each.method, each.games) for each in found)
    rows = []
    for key in keys:
        some = [each.regret for each in found if (each.surface, each.method, each.games) == key]
        low, middle, high = np.percentile(some, [25, 50, 75]).tolist()
        rows.append(
            dict(zip(("surface", "method", "games"), key, strict=True))
            | {"seeds": len(some), "median": middle, "quartiles": [low, high]}
        )
    return rows


# --- the thesis' evolution ------------------------------------------------------------------------


@dataclass(frozen=True)
class Evolution:
    """An evolution to be carried out, and what was published of it."""

    name: str
    title: str
    source: str
    job: Job
    settles: Sequence[str]
    published: Mapping[str, str]
    vary: Sequence[str]
    settings: Settings

    @property
    def conditions(self) -> list[str]:
        """The claims that are about how many meet a condition."""
        return [claim for claim in self.published if "=" in claim]


def load_evolution(
    name: str, quick: bool, full: bool, given: Mapping[str, Value], seed: int | None = None
) -> Evolution:
    """An evolution by its name, or by the path of a file of yours; `given` overrides its sizes."""
    data, file = read(name)
    require(data, EVOLUTION_FIELDS, {"title", "game", "agents", "sizes"}, file)
    sizes = {**data["sizes"], **(data.get("quick", {}) if quick else {}), **(data.get("full", {}) if full else {})}
    for size in given:
        if size not in sizes:
            raise unknown("parameter", size, sizes, file)
    sizes |= given
    words = {key: value for key, value in sizes.items() if key not in ("population", "generations", "matches")}
    vary = data.get("vary", ())
    job = prepare(
        load(data["game"]),
        [spec.format(**words) for spec in data["agents"]],
        vary=vary,
        name="evolution",
        seed=data.get("seed", 0) if seed is None else seed,
        test_games=0,
        options={"random-start": True, "play-off": 0, **{key: sizes[key] for key in sizes if key not in words}},
    )
    return Evolution(
        name.removesuffix(".toml"), data["title"], data.get("source", ""), job, data.get("settles", ()),
        data.get("published", {}), vary, Settings(full, job.seed, sizes),
    )  # fmt: skip


def course(told: History, conditions: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Generation by generation: the share of each species, and of each gene the mean and the spread.

    The spread is the standard deviation as a share of the range. Of each condition it is told how many of the last
    species meet it.
    """
    rows: list[dict[str, Any]] = []
    for step in told.steps:
        species = [each.species for each in step.individuals]
        genes: dict[str, dict[str, Any]] = {agent: {} for agent in told.agents}
        for gene in told.parameters:
            if gene.low is None or gene.high is None:
                continue
            mine = [each.values.get(gene.name) for each in step.individuals if each.species == gene.species]
            values = [float(value) for value in mine if value is not None]
            if values:
                spread = float(np.std(values)) / (gene.high - gene.low)
                genes[gene.species][gene.name] = {"mean": float(np.mean(values)), "spread": spread}
        shares = {agent: species.count(agent) / len(species) for agent in told.agents}
        last = [each for each in step.individuals if each.species == told.agents[-1]]
        met = {condition: share_of(last, condition) for condition in conditions}
        rows.append({"generation": step.number, "shares": shares, "genes": genes, "met": met})
    return rows


def share_of(individuals: Sequence[Individual], condition: str) -> float:
    """How many of some individuals meet a condition such as `tree-policy=greedy`; 0 of none."""
    met = [holds(condition, each.values) for each in individuals]
    return sum(met) / len(met) if met else 0.0


def driven_out(rows: Sequence[Mapping[str, Any]], species: str) -> int | None:
    """The first generation without a species."""
    return next((row["generation"] for row in rows if row["shares"][species] == 0), None)


def settled(rows: Sequence[Mapping[str, Any]], species: str, names: Sequence[str]) -> dict[str, int | None]:
    """For each gene the first generation from which on its spread stays below half of what it began with."""
    found: dict[str, int | None] = {}
    for name in names:
        spreads = [row["genes"].get(species, {}).get(name, {}).get("spread", np.nan) for row in rows]
        if not spreads or not spreads[0] > 0:
            continue
        wide = [number for number, spread in enumerate(spreads) if not spread <= SETTLED * spreads[0]]
        first = wide[-1] + 1 if wide else 0
        found[name] = first if first < len(rows) else None
    return found


def claims(evolution: Evolution, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What came out, claim by claim: when other species than the last were gone, and which of its genes settled first.

    Besides, what was published of genes and of conditions such as `tree-policy=greedy`: means at the end with their
    deviations, and the shares of those who meet them.
    """
    *others, last = rows[0]["shares"]
    told = {f"{other.partition(':')[0]} is driven out": driven_out_text(rows, other) for other in others}
    order = settled(rows, last, evolution.settles)
    known = {gene: first for gene, first in order.items() if first is not None}
    first = [gene for gene, at in known.items() if at == min(known.values())] if known else []
    told["settles first"] = f"{', '.join(first)} (generation {min(known.values())})" if first else "nothing has settled"
    for claim in evolution.published:
        if claim in evolution.conditions:
            told[claim] = f"{100 * rows[0]['met'][claim]:.0f} % at first, {100 * rows[-1]['met'][claim]:.0f} % at last"
        elif claim not in told:
            told[claim] = at_last(rows[-1]["genes"][last].get(claim))
    return told


def driven_out_text(rows: Sequence[Mapping[str, Any]], species: str) -> str:
    gone = driven_out(rows, species)
    left = f"not within {len(rows)} generations ({100 * rows[-1]['shares'][species]:.1f} % left)"
    return left if gone is None else f"in generation {gone}"


def at_last(gene: Mapping[str, float] | None) -> str:
    """The mean of a gene and its deviation in per cent of the range.

    >>> at_last({"mean": 1.6333, "spread": 0.081})
    '1.63 ± 8 %'
    """
    return "nobody has it" if gene is None else f"{gene['mean']:.2f} ± {100 * gene['spread']:.0f} %"


def claim_mark(evolution: Evolution, rows: Sequence[Mapping[str, Any]], claim: str) -> str:
    """The mark of a claim. Most are undecided before the last generation.

    A gene agrees whose mean is within a deviation of what was published, or which is as scattered; a condition that
    most meet; a species that was gone in time.
    """
    *others, last = rows[0]["shares"]
    published = evolution.published.get(claim, "")
    numbers = [float(number) for number in NUMBER.findall(published)]
    if not published:
        return ""
    for other in others:
        if claim.startswith(other.partition(":")[0]) and numbers:
            gone = driven_out(rows, other)
            late = DIFFERS if rows[-1]["generation"] >= numbers[0] else UNDECIDED
            return AGREES if gone is not None and gone <= numbers[0] else late
    if len(rows) < (whole(evolution.settings.parameters["generations"]) or 0):
        return UNDECIDED
    if claim in evolution.conditions:
        return AGREES if rows[-1]["met"][claim] > MOST else DIFFERS
    order = settled(rows, last, (*evolution.settles, claim))
    known = [at for gene, at in order.items() if gene in evolution.settles and at is not None]
    if claim == "settles first":
        return AGREES if known and order.get(published) == min(known) else DIFFERS
    if not numbers:
        return AGREES if order.get(claim) is None else DIFFERS
    gene = rows[-1]["genes"].get(last, {}).get(claim)
    ranges = {each.name: each for species in evolution.job.species for each in species.genes}
    if gene is None or claim not in ranges:
        return DIFFERS
    deviation = gene["spread"] * (ranges[claim].high - ranges[claim].low)
    return AGREES if min(numbers) - deviation <= gene["mean"] <= max(numbers) + deviation else DIFFERS
