"""Tuning runs that were never played, in a real store: an evolution of two species, as large as wanted."""

from __future__ import annotations

import math
import pathlib
from typing import Any

import numpy as np

from spielbaum.arena import Store
from spielbaum.tune import Estimate, Individual, Parameter, ParameterImportance, Verdict, records

MCTS, GREEDY = "mcts:iterations=100", "greedy"
SELECTS = ("ucb1", "puct", "epsilon-greedy")
PARAMETERS = [
    Parameter(MCTS, "c", 0.1, 10.0, True, False, (), "", 1.4)._asdict(),
    Parameter(MCTS, "depth", 1, 10, False, True, (), "", 8)._asdict(),
    Parameter(MCTS, "select", None, None, False, False, SELECTS, "", "ucb1")._asdict(),
    Parameter(MCTS, "epsilon", 0.0, 1.0, False, False, (), "select=epsilon-greedy", 0.1)._asdict(),
    Parameter(MCTS, "keep", None, None, False, False, ("off", "on"), "", False)._asdict(),
    Parameter(GREEDY, "weight.corner", -2.0, 2.0, False, False, (), "", 0.0)._asdict(),
]


def made_settings(**changes: Any) -> dict[str, Any]:
    """What an evolution on connect-four was asked for."""
    settings = {
        "method": "evolution",
        "game": "connect-four",
        "options": {},
        "agents": [MCTS, GREEDY],
        "against": [],
        "fitness": "wins",
        "seed": 7,
        "parameters": PARAMETERS,
        "steps": 10,
        "games": 1000,
    }
    return {**settings, **changes}


def made_store(path: pathlib.Path, steps: int = 10, population: int = 12, finished: bool = True, **changes: Any) -> int:
    """A store with a run of so many steps, whose c goes to 1 and whose greedy individuals die out; its number."""
    with Store(path) as store:
        tuning = records.create_tuning(store, made_settings(**changes))
        for number in range(1, steps + 1):
            add_step(store, tuning.number, number, population)
        if finished:
            records.write(store, ended(tuning))
        else:
            records.write(store, tuning)
    return tuning.number


def add_step(store: Store, tuning: int, number: int, population: int) -> None:
    """The generation of a number from 1, which the store counts from 0; it is kept with the next commit."""
    rng = np.random.default_rng(number)
    greedy = max(0, population // 2 - number)
    individuals = [individual(rng, number, place < greedy) for place in range(population)]
    best = max(individuals, key=lambda one: one["fitness"])
    facts = {
        "number": number - 1,
        "individuals": individuals,
        "best": {k: best[k] for k in ("species", "values", "spec")},
    }
    records.write_step(store, tuning, number - 1, facts)


def individual(rng: np.random.Generator, number: int, greedy: bool) -> dict[str, Any]:
    """Somebody who is the better the nearer c is to 1 and depth to 3."""
    if greedy:
        corner = float(np.clip(rng.normal(0, 1), -2, 2))
        spec = f"greedy:weight.corner={corner:.3f}"
        return Individual(GREEDY, {"weight.corner": corner}, spec, 0.3 + 0.02 * corner, 8)._asdict()
    c = float(np.clip(10 ** rng.normal(0.6 / number, 0.5 / math.sqrt(number)), 0.1, 10))
    depth = int(np.clip(round(rng.normal(3, 8 / number)), 1, 10))
    select = str(rng.choice(SELECTS, p=[0.6, 0.2, 0.2]))
    values: dict[str, Any] = {"c": c, "depth": depth, "select": select, "keep": bool(rng.random() < 0.5)}
    if select == "epsilon-greedy":
        values["epsilon"] = float(rng.random())
    fitness = 0.7 - 0.3 * abs(math.log10(c)) - 0.02 * abs(depth - 3) + 0.03 * float(rng.normal())
    spec = "mcts:iterations=100," + ",".join(f"{name}={value}" for name, value in values.items())
    return Individual(MCTS, values, spec, fitness, 8)._asdict()


def ended(tuning: records.Tuning) -> records.Tuning:
    """The run with its result and a test."""
    effects = [
        ParameterImportance(MCTS, "c", 0.8, ("0.7", "1.4"), ((0.3, -0.1, 0.02), (1.0, 0.1, 0.02))),
        ParameterImportance(MCTS, "depth", 0.15, ("2", "4"), ((2, 0.02, 0.01), (8, -0.05, 0.02))),
        ParameterImportance(MCTS, "select", 0.05, ("ucb1", "puct"), (("ucb1", 0.0, 0.01),)),
    ]
    best = Estimate(MCTS, {"c": 1.03, "depth": 3, "select": "ucb1", "keep": True}, f"{MCTS},c=1.03,depth=3")
    test = Verdict(12, "stronger", 41.0, 12.0, 70.0, 600, 4000)
    result = {"best": best._asdict(), "effects": [each._asdict() for each in effects], "test": test._asdict()}
    return records.Tuning(**{**vars(tuning), "state": "finished", "result": result})
