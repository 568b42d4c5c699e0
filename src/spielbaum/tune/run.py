"""A tuning run: ask a method, play what it asks for, tell it, and test at the end what it found.

Each step is a run of the arena's, with its workers and its store. What a method asks for follows from the seed and the
games so far, so that a run that was interrupted asks for the same games again, and those that are stored are not
played twice. The tuned agent is then tested against the one that was given, with seeds that no step has used.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.agents import meaning, pin, resolve
from spielbaum.arena.executors import Worker, lasting, number_of
from spielbaum.arena.plan import SEED_BITS, Plan, make_plan, origin, seatings
from spielbaum.arena.results import POINTS, Results, best_seat
from spielbaum.arena.run import LATER_COMMITS, Run, play
from spielbaum.arena.single import starts_alike, thinking_clock
from spielbaum.arena.stats import MOST_ELO, Sprt, detectable_elo, elo, elo_interval, estimate_after
from spielbaum.arena.store import Store, opened
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.params import Value
from spielbaum.rules import FIRST_KEY, mix, mix_seed, stream_of
from spielbaum.tune import method, records
from spielbaum.tune.effects import Played, effects
from spielbaum.tune.evolution import games_of
from spielbaum.tune.history import FINISHED, INTERRUPTED, RUNNING, Estimate, Verdict
from spielbaum.tune.method import Batch, Task, Trial
from spielbaum.tune.space import Species, concerns, species

GAMES = 2000  # unless told otherwise
OPENING = 4  # random moves, where games would begin alike
TEST_SHARE, LEAST_TEST = 0.25, 400
MOST_SEATINGS = 6
LEAST_ELO = 5.0  # that a test looks for
PROBE_SECONDS = 1.0
STEP, TEST, PROBE = 0x57E9, 0x7E57, 0x9B0B  # keep the seeds of these apart


@dataclass(frozen=True)
class Job:
    """All that decides a tuning run."""

    game: Game
    species: tuple[Species, ...]
    method: str
    pool: tuple[str, ...]
    """The fixed opponents; the agent as given where none was named."""
    meet: bool
    """Whether tuned agents may play each other."""
    games: int
    seed: int = 0
    opening: int = 0
    seat: str = ""
    """The seats of the tuned agent, where sides differ."""
    test_games: int = 0
    fitness: str = "score"
    options: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    """Of the method."""

    @property
    def task(self) -> Task:
        """What a method is told."""
        return Task(
            self.species,
            self.games,
            self.seed,
            pool=len(self.pool),
            meet=self.meet,
            seats=self.game.players if self.meet else 2,
            pair=self.pair,
            options=self.options,
        )

    @property
    def pair(self) -> int:
        """How many games make a fair meeting of two sides."""
        if not alike(self.game):
            return 1
        ways = len(seatings(self.shared_seats((0, 1))))
        return ways if ways <= MOST_SEATINGS else self.game.players

    def shared_seats(self, meeting: Sequence[int]) -> tuple[int, ...]:
        """Who takes which seat: everybody one, or two sides half of them each, or those that the sides are made for."""
        players = self.game.players
        if not alike(self.game):
            teams = self.game.teams[:players].tolist()
            own = {teams[seat] for seat in self.game.seated({self.seat: ""})}
            return tuple(meeting[0] if team in own else meeting[1] for team in teams)
        if len(meeting) == players:
            return tuple(meeting)
        half = players // 2
        return (meeting[0],) * half + (meeting[1],) * (players - half)

    def settings(self, steps: int) -> dict[str, Any]:
        """What the store keeps: two runs with the same settings are the same."""
        return {
            "method": self.method,
            "game": origin(self.game),
            "options": dict(self.game.options),
            "agents": [each.given for each in self.species],
            "against": [] if self.meet else list(self.pool),
            "seed": self.seed,
            "seat": self.seat,
            "opening": self.opening,
            "fitness": self.fitness,
            "parameters": [parameter._asdict() for each in self.species for parameter in each.parameters()],
            "method_options": dict(self.options),
            "steps": steps,
            "games": self.games,
            "test_games": self.test_games,
        }


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


# --- what is to be done ---------------------------------------------------------------------------


def prepare(
    game: Game,
    agents: Sequence[str],
    *,
    vary: Sequence[str] = (),
    against: Sequence[str] = (),
    name: str = "ntbea",
    games: int | None = None,
    seed: int = 0,
    seat: str = "",
    opening: int | None = None,
    test_games: int | None = None,
    options: Mapping[str, Value] | None = None,
) -> Job:
    """A job that can be done; what is wrong with it is said here, before the first game."""
    method.module_of(name)
    if not agents:
        raise SpielbaumError("nothing to tune; name an agent with --agent")
    agents, against = [meaning(spec, game) for spec in agents], [pin(spec, game) for spec in against]
    names = [resolve(spec, game)[0].name for spec in agents] + [spec.partition(":")[0] for spec in agents]
    kinds = [
        species(game, spec, [text for text in vary if concerns(text, names, spec.partition(":")[0])]) for spec in agents
    ]
    for spec in against:
        if resolve(spec, game)[0].name == "human":
            raise SpielbaumError("a person can't be the opponent of a tuner; name an agent with --against")
    if game.players < 2:
        raise SpielbaumError(f"{game.name} is for one player; a tuner needs somebody to win against")
    if alike(game) == bool(seat):
        told = "leave --seat out" if seat else f"say with --seat which are tuned: {', '.join(seat_names(game))}"
        raise SpielbaumError(f"the sides of {game.name} are {'alike' if seat else 'played differently'}; {told}")
    if seat:
        game.seated({seat: ""})
    if not alike(game) and not against:
        raise SpielbaumError(f"the sides of {game.name} are played differently; name an opponent with --against")
    meet = alike(game) and not against and name in ("evolution", "spsa") and (name == "evolution" or game.players == 2)
    if opening is None:
        opening = OPENING if not game.chance and starts_alike(game) else 0
    fitness = "points" if name == "evolution" and meet and POINTS in game.metrics else "score"
    job = Job(
        game, tuple(kinds), name, tuple(against or agents[:1]), meet, games or GAMES, seed, opening, seat,
        0, fitness, dict(options or {}),
    )  # fmt: skip
    if name == "evolution" and (games is None or "generations" in job.options):
        job = dataclasses.replace(job, games=games_of(job.task))
    tests = max(LEAST_TEST, int(TEST_SHARE * job.games)) if test_games is None else test_games
    job = dataclasses.replace(job, test_games=tests)
    method.begin(name, job.task)  # refuses what it can't do
    return job


def alike(game: Game) -> bool:
    """Whether everybody may sit anywhere: nobody is in a team, and the sides are played alike."""
    return game.rotates and len(set(game.teams[: game.players].tolist())) == game.players


def seat_names(game: Game) -> list[str]:
    return [*game.seat_groups, *(seat for seat in game.seats if not any(seat in g for g in game.seat_groups.values()))]


def cost(job: Job, workers: str) -> dict[str, float]:
    """What it will take: measured seconds of a game between agents as given, and what so many games can tell."""
    seconds = seconds_per_game(job)
    hands = (os.cpu_count() or 1) if workers.startswith("ray") else min(number_of(workers), os.cpu_count() or 1)
    return {
        "games": job.games,
        "test_games": job.test_games,
        "seconds_per_game": seconds,
        "seconds": (job.games + job.test_games) * seconds / hands,
        "detectable_elo": detectable_elo(job.games),
        "test_detectable_elo": detectable_elo(job.test_games),
    }


def seconds_per_game(job: Job) -> float:
    """How long a game takes here, from a few that nobody counts."""
    trials = [Trial(number, each.start) for number, each in enumerate(job.species)]
    sides = tuple(number % len(trials) for number in range(job.game.players)) if len(trials) > 1 else (0, ~0)
    many = len(sides) == 2 or len(trials) == 1
    meeting = sides if many else tuple(sides[: job.game.players])
    if not many:
        trials, meeting = [trials[side] for side in sides], tuple(range(job.game.players))
    plan = plan_of(job, Batch(trials, [meeting], 1000), seed_of(job.seed, PROBE, 0))
    worker = Worker(plan)
    try:
        begin, played = thinking_clock(), 0
        while played < 1 or (thinking_clock() - begin < PROBE_SECONDS and played < 500):
            worker.play(np.arange(played, 2 * played + 1))
            played = 2 * played + 1
        return (thinking_clock() - begin) / played
    finally:
        worker.close()


def games_in(minutes: float, seconds: float, workers: str) -> tuple[int, int]:
    """How many games fit into some minutes, for the search and for the test."""
    hands = (os.cpu_count() or 1) if workers.startswith("ray") else min(number_of(workers), os.cpu_count() or 1)
    whole = 60 * minutes * hands / seconds
    tests = int(whole * TEST_SHARE / (1 + TEST_SHARE))
    return max(2, int(whole) - tests), tests


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
    found = effects(job.species, steps)
    seconds = time.monotonic() - begin
    result = {"best": best._asdict(), "effects": [each._asdict() for each in found]}
    if store is not None and number is not None:
        records.put_result(store, number, result, RUNNING)
    test = held_out(job, best, number, store, players, lambda run: tell(run, testing=True))
    if store is not None and number is not None:
        records.put_result(store, number, {**result, "test": None if test is None else test._asdict()}, FINISHED)
    return Outcome(number, best, found, test, done, seconds, max(0.0, 1 - playing / seconds) if played else 0.0)


def plan_of(job: Job, batch: Batch, seed: int) -> Plan:
    """The games of a step as a plan of the arena's."""
    agents = [job.species[trial.species].spec(trial.values) for trial in batch.trials]
    opponents = sorted({~side for meeting in batch.meetings for side in meeting if side < 0})
    places = {~opponent: len(agents) + place for place, opponent in enumerate(opponents)}
    agents += [job.pool[opponent] for opponent in opponents]
    groups = [job.shared_seats([places.get(side, side) for side in meeting]) for meeting in batch.meetings]
    return make_plan(
        job.game,
        agents,
        batch.games,
        seed,
        groups=groups,
        rotate=alike(job.game),
        opening=job.opening,
        paired=batch.games > 1,
    )


def seed_of(seed: int, kind: int, number: int) -> int:
    """A seed that follows from the run's, for one purpose."""
    key = mix(mix_seed(FIRST_KEY, seed), kind)
    words: np.ndarray = stream_of(mix(np.full(1, key), np.array([number])))
    return int((words >> SEED_BITS)[0])


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
