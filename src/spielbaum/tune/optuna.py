"""Optuna (extra `tune`): Parzen estimators or a Gaussian process propose trials, and hopeless ones are pruned.

A trial plays the pool in rungs, each with as many games as all before it together; after each one Optuna's pruner
decides whether it goes on (asynchronous successive halving: Li et al. 2018). Trials of a step are proposed together
(constant liar). At the end those with the best lower bounds play each other off: the luckiest would mostly be lucky.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spielbaum.arena.stats import share_error
from spielbaum.errors import SpielbaumError
from spielbaum.params import Param, Value, holds
from spielbaum.tune.method import Batch, PlayOff, Task, Trial, against_pool
from spielbaum.tune.space import Gene, joined

SAMPLERS = ("tpe", "gp", "random")
OPTIONS = (
    Param("sampler", "tpe", "who proposes: Parzen estimators, a Gaussian process or chance", choices=SAMPLERS),
    Param("trials", 0, "how many are begun; 0 is as many as the games are enough for", low=0, high=100_000),
    Param("width", 8, "trials of a step", low=1, high=1000),
    Param("play-off", 0.25, "share of the games that decide between the best trials", low=0, high=0.9),
    Param("storage", "", "an Optuna storage that is told of all trials, such as sqlite:///trials.db"),
)
RUNGS = 5  # 1, 2, 4, 8 and 16 times the games of the first
COST = 3.0  # of a trial on average, where half are pruned at each rung, in games of the first
MOST_TRIALS = 200  # unless told otherwise: proposals take longer and longer
FINALISTS = 8


@dataclass(eq=False)
class Running:
    """A trial on its way up the rungs."""

    study: Any
    trial: Trial
    rung: int = 0
    points: float = 0.0
    games: int = 0

    @property
    def units(self) -> int:
        """How much it plays next."""
        return 1 << max(0, self.rung - 1)

    @property
    def score(self) -> float:
        return self.points / max(1, self.games)

    @property
    def cautious(self) -> float:
        """The score less its error, as if one more game had been won and one lost."""
        games = self.games + 2
        share = (self.points + 1) / games
        return share - share_error(share, games)


class Method:
    """A study of Optuna's that asks for games."""

    def __init__(self, task: Task, options: Mapping[str, Any]):
        (self.species,) = task.species
        self.task, self.options, self.width = task, options, options["width"]
        self.begun = self.most = self.steps = self.left = 0
        self.running: list[Running] = []
        self.ended: list[Running] = []
        self.schedule(task.games)
        self.optuna = installed()
        self.study = study(self.optuna, options, int(task.rng(0x0974).integers(2**31)))
        self.batch = Batch([], [], 0)

    def schedule(self, games: int) -> None:
        """So many more games: new trials, and a play-off at their end."""
        pair, pool = self.task.pair, self.task.pool
        self.final = int(self.options["play-off"] * games)
        more = games - self.final
        self.left += more
        enough = max(1, int(more / (COST * pair * pool)))
        trials = self.options["trials"] or min(enough, MOST_TRIALS)
        self.most += trials
        self.unit = pair * max(1, enough // trials)
        self.steps += max(1, round(more / (self.width * self.unit * pool * COST / 2))) + 3
        self.play_off: PlayOff | None = None

    def extend(self, games: int) -> None:
        more = games - self.task.games
        self.task = replace(self.task, games=games)
        going_on = set(map(id, self.running))  # those that the games did not suffice for have ended for a while
        self.ended = [each for each in self.ended if id(each) not in going_on]
        self.schedule(more)

    def ask(self) -> Batch | None:
        if self.play_off is None and self.left > 0:
            while len(self.running) < self.width and self.begun < self.most:
                self.add_trial()
        if self.play_off is None and (self.left <= 0 or not self.running):
            self.ended += self.running
            best = sorted(self.ended, key=lambda each: -each.cautious)[:FINALISTS]
            self.play_off = PlayOff([each.trial for each in best], self.final, self.task)
        if self.play_off is not None:
            self.batch = Batch([], [], 0) if self.play_off.over else self.play_off.ask()
            return self.batch if self.batch.trials else None
        meetings = [
            meeting
            for number, each in enumerate(self.running)
            for _ in range(each.units)
            for meeting in against_pool(number, self.task.pool)
        ]
        self.batch = Batch([each.trial for each in self.running], meetings, self.unit)
        self.left -= self.batch.total
        return self.batch

    def add_trial(self) -> None:
        """A new trial; the first one is the agent as given."""
        if self.begun == 0:
            self.study.enqueue_trial(
                {gene.name: optuna_value(gene, self.species.start[gene.name]) for gene in self.species.genes}
            )
        asked = self.study.ask()
        values = dict(self.species.start)
        for gene in sorted(self.species.genes, key=lambda gene: bool(gene.when)):
            whole = {**self.species.values, **joined(values, self.species.values)}
            if holds(gene.when, whole):
                values[gene.name] = suggested(asked, gene)
        self.begun += 1
        self.running.append(Running(asked, Trial(0, values)))

    def tell(self, results: np.ndarray) -> None:
        if self.play_off is not None:
            self.play_off.tell(results, self.batch.games)
            return
        for (number, *_), had in zip(self.batch.meetings, results, strict=True):
            self.running[number].points += float(had[0]) * self.batch.games
            self.running[number].games += self.batch.games
        going_on = []
        for each in self.running:
            each.rung += 1
            each.study.report(each.score, 1 << (each.rung - 1))
            if each.rung < RUNGS and not each.study.should_prune():
                going_on.append(each)
                continue
            complete = each.rung == RUNGS
            state = self.optuna.trial.TrialState
            self.study.tell(each.study, each.score if complete else None, state.COMPLETE if complete else state.PRUNED)
            self.ended.append(each)
        self.running = going_on

    def best(self) -> Trial:
        if self.play_off is not None:
            return self.play_off.winner
        known = [each for each in (*self.ended, *self.running) if each.games]
        return max(known, key=lambda each: each.cautious).trial if known else Trial(0, self.species.start)


def installed() -> Any:
    try:
        found = importlib.import_module("optuna")
    except ImportError:
        raise SpielbaumError(
            "Optuna is not installed; pip install 'spielbaum[tune]', or use --method ntbea, spsa or evolution"
        ) from None
    found.logging.set_verbosity(found.logging.ERROR)
    return found


def study(optuna: Any, options: Mapping[str, Any], seed: int) -> Any:
    """A new study."""
    import warnings

    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    makers = {
        "tpe": lambda: optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True, constant_liar=True),
        "gp": lambda: optuna.samplers.GPSampler(seed=seed),
        "random": lambda: optuna.samplers.RandomSampler(seed=seed),
    }
    try:
        return optuna.create_study(
            direction="maximize",
            sampler=makers[options["sampler"]](),
            pruner=optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2),
            storage=options["storage"] or None,
        )
    except ImportError as error:
        raise SpielbaumError(f"sampler={options['sampler']} needs a package that is missing: {error}") from None


def suggested(trial: Any, gene: Gene) -> Value:
    """A value for a gene, as Optuna proposes it."""
    if not gene.numeric:
        return gene.choices[int(trial.suggest_categorical(gene.name, list(range(len(gene.choices)))))]
    if gene.whole:
        return int(trial.suggest_int(gene.name, int(gene.low), int(gene.high), log=gene.log))
    number = float(trial.suggest_float(gene.name, gene.low, gene.high, log=gene.log))
    return gene.at(gene.place(number))


def optuna_value(gene: Gene, value: Value) -> Value:
    """A value as Optuna knows it."""
    return value if gene.numeric else gene.choices.index(value)
