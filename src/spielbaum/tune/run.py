"""A tuning run: ask a method, play what it asks for, tell it, and test at the end what it found.

Each step is a run of the arena's, with its workers and its store. What a method asks for follows from the seed and the
games so far, so that a run that was interrupted asks for the same games again, and those that are stored are not
played twice. The tuned agent is then tested against the one that was given, with seeds that no step has used.
"""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from spielbaum.arena.executors import worker_pool
from spielbaum.arena.plan import make_plan, seatings
from spielbaum.arena.results import POINTS, Results, best_seat
from spielbaum.arena.run import LATER_COMMITS, Run, play
from spielbaum.arena.stats import MOST_ELO, Sprt, detectable_elo, elo_between, elo_interval, estimate_after
from spielbaum.arena.store import Store, opened
from spielbaum.errors import SpielbaumError
from spielbaum.params import written
from spielbaum.tune import method, records
from spielbaum.tune.history import FINISHED, INTERRUPTED, RUNNING, Estimate, Verdict
from spielbaum.tune.importance import StepResult, parameter_importances
from spielbaum.tune.job import STEP, TEST, Job, alike, plan_of, seed_of
from spielbaum.tune.method import Batch, Trial

LEAST_ELO = 5.0  # that a test looks for
LENGTH = ("games", "test_games", "steps", "earlier")  # what may differ where one run goes on with another
OPTION = {
    "game": "GAME",
    "options": "--option",
    "agents": "--agent",
    "parameters": "--vary",
    "fitness": "--maximise",
    "method_options": "--set",
    "test_games": "--test",
}
"""What settings are called on the command line, where that is not their name."""


class Progress(NamedTuple):
    """How far a tuning run is."""

    games: int
    planned: int
    step: int
    steps: int
    best: str
    testing: bool
    seconds: float
    played: int


Watch = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """What a tuning run has found."""

    number: int | None
    best: Estimate
    importances: list[Any]
    test: Verdict | None
    games: int
    seconds: float
    overhead: float
    """The share of the time in which no game was played."""

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        verdict = "not tested" if self.test is None else self.test.verdict
        return f"<Outcome of tuning{number}, {self.games:,} games: {self.best.spec}, {verdict}>"


# --- doing it -------------------------------------------------------------------------------------


def tune(
    job: Job,
    *,
    workers: str | int = 1,
    store: Store | str | pathlib.Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Outcome:
    """Play a tuning run, or resume one; with more games than it had it is extended."""
    with opened(store) as kept, worker_pool(str(workers)) as players:
        job, tuning = (job, None) if kept is None else resume_or_create(kept, job, resume)
        tuner = method.create(job.method, job.task)
        try:
            return carry_out(job, tuner, tuning, kept, players, watch)
        except BaseException:
            if tuning is not None and kept is not None:
                records.mark(kept, tuning.number, INTERRUPTED)
            raise


def resume_or_create(store: Store, job: Job, resume: bool) -> tuple[Job, records.Tuning]:
    """A new tuning run in the store, or the newest one of this job; the longer of the two jobs holds."""
    found = stored(store, job) if resume else None
    if found is None:
        if resume and (newest := records.newest(store)) is not None:
            raise another(store, records.read(store, newest).settings, settings_of(job))
        return job, records.create_tuning(store, settings_of(job))
    had, earlier = found.settings, tuple(found.settings.get("earlier", ()))
    if had["games"] == job.games and had["test_games"] != job.test_games:
        raise another(store, had, settings_of(job))
    if had["games"] >= job.games:
        job = replace(job, games=had["games"], test_games=had["test_games"], earlier=earlier)
    else:
        job = replace(job, earlier=(*earlier, had["games"]))
        records.write(store, replace(found, settings=settings_of(job), result={}))
    records.mark(store, found.number, RUNNING)
    return job, found


def stored(store: Store, job: Job) -> records.Tuning | None:
    """The newest tuning run of this job in a store, with however many games; one with as many comes first."""
    wanted = settings_of(job)
    known = [records.read(store, number) for number in records.numbers(store)]
    alike = [each for each in known if unlike(each.settings, wanted) is None]
    return max(alike, key=lambda each: (each.settings["games"] == job.games, each.number), default=None)


def unlike(had: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """The first setting that differs and keeps one run from resuming the other."""
    return next((name for name in wanted if name not in LENGTH and had.get(name) != wanted[name]), None)


def another(store: Store, had: Mapping[str, Any], wanted: Mapping[str, Any]) -> SpielbaumError:
    """The error for a run that this one can't go on with, in the words of the command line."""
    name = unlike(had, wanted) or "test_games"
    before, now = (short(name, each.get(name)) for each in (had, wanted))
    return SpielbaumError(
        f"store {store.path} holds another tuning run: {OPTION.get(name, f'--{name}')} was {before}, not {now};"
        " give the same command, or leave --resume out to begin a new one"
    )


def settings_of(job: Job) -> dict[str, Any]:
    """The settings of a job as they come back from the store."""
    return json_like(job.settings(method.create(job.method, job.task).steps))


def json_like(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they come back from the store."""
    import json

    told: dict[str, Any] = json.loads(json.dumps(settings))
    return told


def short(name: str, value: Any) -> str:
    """A setting as the command line would take it."""
    if name == "parameters":
        value = [f"{each['name']}={span(each)}" for each in value]
    elif isinstance(value, dict):
        value = [f"{key}={written(one)}" for key, one in value.items()]
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return (text if len(text) <= 60 else text[:59] + "…") or "not given"


def span(parameter: Mapping[str, Any]) -> str:
    if parameter["choices"]:
        return "|".join(parameter["choices"])
    return f"{parameter['low']:g}..{parameter['high']:g}{',log' if parameter['log'] else ''}"


def carry_out(
    job: Job,
    tuner: method.Method,
    tuning: records.Tuning | None,
    store: Store | None,
    players: Any,
    watch: Watch | None,
) -> Outcome:
    """All steps, then the test."""
    number = None if tuning is None else tuning.number
    steps: list[StepResult] = []
    done = played = 0
    begin, playing = time.monotonic(), 0.0
    best = estimate(job, Trial(0, job.species[0].start))

    def tell(run: Run, testing: bool = False) -> None:
        if watch is not None:
            seconds = time.monotonic() - begin
            games, planned = (run.games, run.plan.total) if testing else (done + run.games, job.games)
            watch(Progress(games, planned, len(steps), tuner.steps, best.spec, testing, seconds, played + run.played))

    for batch in batches(tuner, job.stages):
        plan = plan_of(job, batch, seed_of(job.seed, STEP, len(steps)))
        kind = "tune" if number is None else records.step_kind(number, len(steps))
        run = play(plan, kind=kind, workers=players, store=store, resume=True, watch=tell, patience=LATER_COMMITS)
        playing, done, played = playing + run.seconds, done + run.games, played + run.played
        results = fitness(job, batch, run)
        tuner.tell(results)
        best = estimate(job, tuner.best())
        steps.append(StepResult(batch, results))
        if store is not None and number is not None:
            records.write_step(store, number, len(steps) - 1, step_facts(job, len(steps) - 1, steps[-1], best))
            records.plan_steps(store, number, tuner.steps)
    best = estimate(job, tuner.best())
    found = parameter_importances(job.species, steps, tuner.best())
    seconds = time.monotonic() - begin
    result = {"best": best._asdict(), "effects": [each._asdict() for each in found]}
    if store is not None and number is not None:
        records.put_result(store, number, result, RUNNING)
    test = held_out(job, best, number, store, players, lambda run: tell(run, testing=True))
    if store is not None and number is not None:
        records.put_result(store, number, {**result, "test": None if test is None else test._asdict()}, FINISHED)
    return Outcome(number, best, found, test, done, seconds, max(0.0, 1 - playing / seconds) if played else 0.0)


def batches(tuner: method.Method, stages: Sequence[int]) -> Iterator[Batch]:
    """All that a method asks for, first with the games that it began with, then with those that were added."""
    for stage, games in enumerate(stages):
        if stage:
            tuner.extend(games)
        while (batch := tuner.ask()) is not None:
            yield batch


def fitness(job: Job, batch: Batch, run: Run) -> np.ndarray:
    """f8[meetings, sides]: what each side had on average in the games of its meeting."""
    results, plan = run.results, run.plan
    assert results.numbers is not None
    group = results.numbers // plan.games
    had = np.zeros((len(batch.meetings), len(batch.meetings[0])))
    sides = [list(dict.fromkeys(each)) for each in plan.groups]
    for side in range(had.shape[1]):
        agent = np.array([each[side] for each in sides])[group]
        values = values_of(job, results, results.seats == agent[:, None])
        had[:, side] = np.bincount(group, values, len(had)) / np.bincount(group, minlength=len(had))
    return had


def values_of(job: Job, results: Results, own: np.ndarray) -> np.ndarray:
    """f8[games]: what the seats `own` had in each game."""
    points = results.last(POINTS) if job.fitness == "points" else None
    if points is not None:
        best = points.max(axis=1, keepdims=True)
        shares = np.where(best > 0, np.maximum(points, 0) / np.maximum(best, 1e-9), points >= best)
        return np.asarray((shares * own).sum(axis=1) / own.sum(axis=1))
    if job.fitness == "result":
        return np.asarray((((results.returns + 1) / 2) * own).sum(axis=1) / own.sum(axis=1))
    if alike(job.game) and (own.sum(axis=1) > 1).any():
        return best_seat(results.returns, own)
    return np.asarray((results.points * own).sum(axis=1) / own.sum(axis=1))


def estimate(job: Job, trial: Trial) -> Estimate:
    """A trial as reports show it."""
    each = job.species[trial.species]
    return Estimate(each.given, each.active(trial.values), each.spec(trial.values))


def step_facts(job: Job, number: int, step: StepResult, best: Estimate) -> dict[str, Any]:
    """A step as the store keeps it."""
    total, games = np.zeros((2, len(step.batch.trials)))
    for meeting, had in zip(step.batch.meetings, step.results, strict=True):
        for side, value in zip(meeting, had, strict=True):
            if side >= 0:
                total[side] += value * step.batch.games
                games[side] += step.batch.games
    individuals = [
        {**estimate(job, trial)._asdict(), "fitness": total[i] / max(1, games[i]), "games": int(games[i])}
        for i, trial in enumerate(step.batch.trials)
    ]
    return {"number": number, "individuals": individuals, "best": best._asdict()}


# --- the test -------------------------------------------------------------------------------------


def held_out(
    job: Job,
    best: Estimate,
    number: int | None,
    store: Store | None,
    players: Any,
    watch: Callable[[Run], None],
) -> Verdict | None:
    """The tuned agent against the one that was given, where there is any difference."""
    start = best.species
    if job.test_games == 0 or best.spec == start:
        return None
    kind = "tune" if number is None else records.test_kind(number)
    seed = seed_of(job.seed, TEST, len(job.earlier))  # others than those of a test before the run was made longer
    even = alike(job.game) and job.game.players % 2 == 0
    if not even:
        return compared(job, best, start, kind, seed, store, players, watch)
    cycle = len(seatings(job.shared_seats((0, 1))))
    plan = make_plan(
        job.game,
        [best.spec, start],
        -(-job.test_games // cycle) * cycle,
        seed,
        groups=[job.shared_seats((0, 1))],
        opening=job.opening,
        paired=True,
    )
    test = Sprt(0.0, max(LEAST_ELO, float(round(detectable_elo(plan.total)))))
    run = play(plan, kind=kind, workers=players, store=store, resume=True, sprt=test, watch=watch)
    assert run.sequential is not None
    if run.sequential.verdict is not None:
        told = "stronger" if run.sequential.verdict == "elo1" else "not stronger"
        middle, low, high = estimate_after(test, run.sequential.counts.tolist())
    else:
        told, pairs = "undecided", run.results.pairs
        middle, low, high = pairs.elo_interval if pairs else elo_interval(tally(run))
    return Verdict(run.number or 0, told, finite(middle), finite(low), finite(high), run.games, plan.total)


def tally(run: Run) -> Any:
    from spielbaum.arena.results import by_group

    return by_group(run.results).agent_tally(0)


def compared(
    job: Job,
    best: Estimate,
    start: str,
    kind: str,
    seed: int,
    store: Store | None,
    players: Any,
    watch: Callable[[Run], None],
) -> Verdict:
    """Where the two can't meet on equal terms: both against the same opponents, and the difference of their scores."""
    pool = job.pool
    sides = [(agent, 2 + opponent) for agent in (0, 1) for opponent in range(len(pool))]
    games = max(job.pair, job.test_games // len(sides) // job.pair * job.pair)
    plan = make_plan(
        job.game,
        [best.spec, start, *pool],
        games,
        seed,
        groups=[job.shared_seats(side) for side in sides],
        rotate=alike(job.game),
        opening=job.opening,
        paired=True,
    )
    run = play(plan, kind=kind, workers=players, store=store, resume=True, watch=watch)
    batch = Batch([], sides, games)
    ours, theirs = fitness(replace(job, fitness="wins"), batch, run)[:, 0].reshape(2, -1).mean(axis=1)
    gain, low, high = elo_between(float(ours), float(theirs), games * len(pool))
    told = "stronger" if low > 0 else "not stronger" if high < 0 else "undecided"
    return Verdict(run.number or 0, told, gain, low, high, run.games, plan.total)


def finite(number: float) -> float | None:
    """A difference in Elo; None for one without end, as after nothing but wins."""
    return float(number) if abs(number) <= MOST_ELO else None


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    told = asdict(outcome)
    return {
        **told,
        "best": outcome.best._asdict(),
        "effects": [each._asdict() for each in outcome.importances],
        "test": None if outcome.test is None else outcome.test._asdict(),
    }
