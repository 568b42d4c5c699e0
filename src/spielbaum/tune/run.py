"""A tuning run: ask a method, play what it asks for, tell it, and test at the end what it found.

Each step is a run of the arena's, with its workers and its store. What a method asks for follows from the seed and the
games so far, so that a run that was interrupted asks for the same games again, and those that are stored are not
played twice. The tuned agent is then tested against the one that was given, with seeds that no step has used.
"""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.arena.executors import lasting
from spielbaum.arena.plan import make_plan, seatings
from spielbaum.arena.results import POINTS, Results, best_seat
from spielbaum.arena.run import LATER_COMMITS, Run, play
from spielbaum.arena.stats import MOST_ELO, Sprt, detectable_elo, elo, elo_interval, estimate_after
from spielbaum.arena.store import Store, opened
from spielbaum.errors import SpielbaumError
from spielbaum.tune import method, records
from spielbaum.tune.effects import Played, effects
from spielbaum.tune.history import FINISHED, INTERRUPTED, RUNNING, Estimate, Verdict
from spielbaum.tune.job import STEP, TEST, Job, alike, plan_of, seed_of
from spielbaum.tune.method import Batch, Trial

LEAST_ELO = 5.0  # that a test looks for


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
    effects: list[Any]
    test: Verdict | None
    games: int
    seconds: float
    overhead: float
    """The share of the time in which no game was played."""


# --- doing it -------------------------------------------------------------------------------------


def tune(
    job: Job,
    *,
    workers: str | int = 1,
    store: Store | str | pathlib.Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Outcome:
    """Carry out a tuning run, or go on with it."""
    tuner = method.begin(job.method, job.task)
    with opened(store) as kept, lasting(str(workers)) as players:
        tuning = None if kept is None else take_up(kept, job.settings(tuner.steps), resume)
        try:
            return carry_out(job, tuner, tuning, kept, players, watch)
        except BaseException:
            if tuning is not None and kept is not None:
                records.mark(kept, tuning.number, INTERRUPTED)
            raise


def take_up(store: Store, settings: dict[str, Any], resume: bool) -> records.Tuning:
    """A new tuning run of the store, or the newest with these settings."""
    known = [records.read(store, number) for number in records.numbers(store)] if resume else []
    for tuning in reversed(known):
        if tuning.settings == json_like(settings):
            records.mark(store, tuning.number, RUNNING)
            return tuning
    if known:
        had = known[-1].settings
        other = next(name for name, value in json_like(settings).items() if had.get(name) != value)
        raise SpielbaumError(
            f"store {store.path} holds another tuning run: {other} was {short(had.get(other))}, not"
            f" {short(settings[other])}; give the same command, or leave --resume out to begin a new one"
        )
    return records.begin(store, settings)


def again(store: Store, job: Job) -> bool:
    """Whether the store holds a tuning run of this job."""
    settings = json_like(job.settings(method.begin(job.method, job.task).steps))
    return any(records.read(store, number).settings == settings for number in records.numbers(store))


def json_like(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they come back from the store."""
    import json

    told: dict[str, Any] = json.loads(json.dumps(settings))
    return told


def short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"


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
    steps: list[Played] = []
    done = played = 0
    begin, playing = time.monotonic(), 0.0
    best = estimate(job, Trial(0, job.species[0].start))

    def tell(run: Run, testing: bool = False) -> None:
        if watch is not None:
            seconds = time.monotonic() - begin
            games, planned = (run.games, run.plan.total) if testing else (done + run.games, job.games)
            watch(Progress(games, planned, len(steps), tuner.steps, best.spec, testing, seconds, played + run.played))

    while (batch := tuner.ask()) is not None:
        plan = plan_of(job, batch, seed_of(job.seed, STEP, len(steps)))
        kind = "tune" if number is None else records.step_kind(number, len(steps))
        run = play(plan, kind=kind, workers=players, store=store, resume=True, watch=tell, patience=LATER_COMMITS)
        playing, done, played = playing + run.seconds, done + run.games, played + run.played
        results = fitness(job, batch, run)
        tuner.tell(results)
        best = estimate(job, tuner.best())
        steps.append(Played(batch, results))
        if store is not None and number is not None:
            records.write_step(store, number, len(steps) - 1, step_facts(job, len(steps) - 1, steps[-1], best))
    best = estimate(job, tuner.best())
    found = effects(job.species, steps, tuner.best())
    seconds = time.monotonic() - begin
    result = {"best": best._asdict(), "effects": [each._asdict() for each in found]}
    if store is not None and number is not None:
        records.put_result(store, number, result, RUNNING)
    test = held_out(job, best, number, store, players, lambda run: tell(run, testing=True))
    if store is not None and number is not None:
        records.put_result(store, number, {**result, "test": None if test is None else test._asdict()}, FINISHED)
    return Outcome(number, best, found, test, done, seconds, max(0.0, 1 - playing / seconds) if played else 0.0)


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
    if alike(job.game) and (own.sum(axis=1) > 1).any():
        return best_seat(results.returns, own)
    return np.asarray((results.points * own).sum(axis=1) / own.sum(axis=1))


def estimate(job: Job, trial: Trial) -> Estimate:
    """A trial as it is told."""
    each = job.species[trial.species]
    return Estimate(each.given, each.active(trial.values), each.spec(trial.values))


def step_facts(job: Job, number: int, step: Played, best: Estimate) -> dict[str, Any]:
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
    seed = seed_of(job.seed, TEST, 0)
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
    ours, theirs = fitness(job, batch, run)[:, 0].reshape(2, -1).mean(axis=1)
    played = games * len(pool)
    ours, theirs = ((share * played + 0.5) / (played + 1) for share in (ours, theirs))
    slopes = [173.7178 / (share * (1 - share)) for share in (ours, theirs)]  # of Elo by the score
    error = float(np.sqrt(sum(s**2 * p * (1 - p) / played for s, p in zip(slopes, (ours, theirs), strict=True))))
    gain = elo(float(ours)) - elo(float(theirs))
    low, high = gain - 1.96 * error, gain + 1.96 * error
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
        "effects": [each._asdict() for each in outcome.effects],
        "test": None if outcome.test is None else outcome.test._asdict(),
    }
