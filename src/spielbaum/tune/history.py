"""What is known about a tuning run, at its end or while it goes on: plain data for reports, pictures and live pages.

    read_history("spielbaum.db").best.spec

It is read from the store alone, without replaying anything, so that a page can ask for it again and again.
"""

from __future__ import annotations

import os
import pathlib
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple

from spielbaum.arena.store import Store
from spielbaum.errors import SpielbaumError
from spielbaum.params import Value

RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"


class Parameter(NamedTuple):
    """A parameter that is varied. Numbers have `low` and `high`, all else has `choices`."""

    species: str
    """The agent that it belongs to, as given."""
    name: str
    low: float | None
    high: float | None
    log: bool
    """Whether it is searched by factors: draw it on a logarithmic axis."""
    whole: bool
    """Whether it is a whole number."""
    choices: tuple[str, ...]
    condition: str
    """Where it matters, such as `select=epsilon-greedy`; empty where it always does."""
    start: Value
    """What the agent has before it is tuned."""


class Individual(NamedTuple):
    """An agent that was tried: an individual of a population, or a trial."""

    species: str
    values: Mapping[str, Value]
    """By the parameters' names; only those that matter beside the others."""
    spec: str
    fitness: float
    """What it had on average in the games of its step, of what the run maximises."""
    games: int


class Estimate(NamedTuple):
    """The agent that a method would name now: a model's optimum, a mean or the winner of a play-off."""

    species: str
    values: Mapping[str, Value]
    spec: str


class Step(NamedTuple):
    """A generation, or some trials that were played at the same time."""

    number: int
    individuals: tuple[Individual, ...]
    best: Estimate
    """What was thought best after this step."""


class ParameterImportance(NamedTuple):
    """What the games say about one parameter, as far as an additive model can tell."""

    species: str
    name: str
    importance: float
    """The share of all that the parameters explain, 0 to 1."""
    values: tuple[str, ...]
    """Those that can't be told apart from the best one (95 %): both ends of an interval, or choices."""
    levels: tuple[tuple[Value, float, float], ...]
    """The value in the middle of each part of the range (or a choice), its effect on the fitness, and the error."""


class Verdict(NamedTuple):
    """The test of the tuned agent against the one that was given, with seeds that no step has seen."""

    run: int
    """Its number in the store."""
    verdict: str
    """`stronger`, `not stronger` or `undecided`; empty while it goes on."""
    elo: float | None
    low: float | None
    high: float | None
    games: int
    planned: int


class History(NamedTuple):
    """A tuning run."""

    number: int
    """Of the tuning run in its store, from 1."""
    created: str
    method: str
    game: str
    options: Mapping[str, Value]
    agents: tuple[str, ...]
    """As given; more than one are the species of an evolution."""
    against: tuple[str, ...]
    """The fixed opponents; empty where the tuned agents play each other."""
    maximises: str
    """What fitness is: `wins`, `result` or `points`."""
    seed: int
    parameters: tuple[Parameter, ...]
    steps: tuple[Step, ...]
    steps_planned: int
    best: Estimate | None
    """The present best estimate."""
    importances: tuple[ParameterImportance, ...]
    """Known at the end."""
    state: str
    """`running`, `finished` or `interrupted`."""
    test: Verdict | None
    games: int
    """Played so far, without those of the test."""
    planned: int


def read_history(store: str | pathlib.Path | Store, number: int | None = None) -> History:
    """A tuning run of a store, the newest unless its number is given."""
    if not isinstance(store, Store):
        with Store(store, create=False) as opened:
            return read_history(opened, number)
    from spielbaum.tune import records

    chosen = records.newest(store) if number is None else number
    if chosen is None:
        raise SpielbaumError(f"store {store.path} has no tuning run; 'spielbaum tune' makes one")
    tuning, steps = records.read(store, chosen), records.steps(store, chosen)
    settings, result = tuning.settings, tuning.result
    games, test = records.games(store, chosen), result.get("test")
    return History(
        number=chosen,
        created=tuning.created,
        method=settings["method"],
        game=settings["game"],
        options=dict(settings["options"]),
        agents=tuple(settings["agents"]),
        against=tuple(settings["against"]),
        maximises=settings["fitness"],
        seed=settings["seed"],
        parameters=tuple(Parameter(**{**each, "choices": tuple(each["choices"])}) for each in settings["parameters"]),
        steps=tuple(map(step_of, steps)),
        steps_planned=settings["steps"],
        best=estimate_of(result.get("best")) or (step_of(steps[-1]).best if steps else None),
        importances=tuple(importance_of(each) for each in result.get("effects", ())),
        state=state_of(tuning),
        test=Verdict(**test) if test else records.test_so_far(store, chosen),
        games=games,
        planned=settings["games"],
    )


def numbers(store: str | pathlib.Path) -> list[int]:
    """The numbers of all tuning runs in a store, oldest first."""
    from spielbaum.tune import records

    with Store(store, create=False) as opened:
        return records.numbers(opened)


def state_of(tuning: Any) -> str:
    """Whether somebody still works on it: a process that was killed can't say so itself."""
    if tuning.state != RUNNING or tuning.host != socket.gethostname():
        return str(tuning.state)
    try:
        os.kill(tuning.process, 0)
    except ProcessLookupError:
        return INTERRUPTED
    except PermissionError:
        pass  # somebody else's, and alive
    return RUNNING


def step_of(data: Mapping[str, Any]) -> Step:
    individuals = tuple(Individual(**each) for each in data["individuals"])
    return Step(data["number"], individuals, Estimate(**data["best"]))


def estimate_of(data: Mapping[str, Any] | None) -> Estimate | None:
    return Estimate(**data) if data else None


def importance_of(data: Mapping[str, Any]) -> ParameterImportance:
    return ParameterImportance(**{**data, "values": tuple(data["values"]), "levels": tuple(map(tuple, data["levels"]))})
