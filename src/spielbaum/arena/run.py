"""Play a plan: hand its games to an executor, store each before it counts, and stop when a test is decided."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from spielbaum.arena.executors import GamePool, execute
from spielbaum.arena.game_batch import GameBatch
from spielbaum.arena.plan import Plan
from spielbaum.arena.results import Results, are_groups, best_seat, gather, points_of
from spielbaum.arena.stats import Sprt
from spielbaum.arena.store import Store, StoredRun
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

FIRST_COMMIT, LATER_COMMITS = 0.1, 1.0  # seconds between two: soon at first, then seldom, as the disk takes its time


class Sequential:
    """A sequential test of the first agent, in the order of the games' numbers.

    Where seats rotate a step is a pair of games with sides swapped. Only that order decides when it
    ends, so that the same seed ends at the same game whatever came in first.
    """

    def __init__(self, test: Sprt, cycle: int):
        self.test, self.cycle = test, cycle
        self.at = 0
        self.counts = np.zeros(2 * cycle + 1, np.int64)
        self.llr = 0.0
        self.verdict: str | None = None

    def follow(self, scores: np.ndarray) -> None:
        """Take in the scores of all games, NaN for those that are not played."""
        steps = scores[self.at : len(scores) // self.cycle * self.cycle].reshape(-1, self.cycle).sum(axis=1)
        complete = steps[: np.argmax(np.isnan(steps))] if np.isnan(steps).any() else steps
        if self.verdict is not None or not len(complete):
            return
        halves = np.round(2 * complete).astype(np.int64)
        counts = self.counts + np.cumsum(np.eye(len(self.counts), dtype=np.int64)[halves], axis=0)
        ratios = self.test.llrs(counts)
        low, high = self.test.bounds
        decided = np.flatnonzero((ratios <= low) | (ratios >= high))
        last = int(decided[0]) if len(decided) else len(complete) - 1
        self.at += (last + 1) * self.cycle
        self.counts, self.llr = counts[last], float(ratios[last])
        self.verdict = self.test.verdict(self.counts.tolist())


@dataclass
class Run:
    """A run while it is played, and its result at the end."""

    plan: Plan
    game: Game
    sequential: Sequential | None = None
    number: int | None = None
    """In the store, where there is one."""
    seconds: float = 0.0
    """How long it was played, this time."""
    played: int = 0
    """How many games, this time."""
    batches: list[GameBatch] = field(default_factory=list)
    """All games that count, without their actions."""

    def __post_init__(self) -> None:
        self.scores = np.full(self.plan.total, np.nan)
        """What the first agent of its group scored in each game that counts."""

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        score = f"; {self.plan.agents[0]} has {self.score:.3f}" if self.batches and len(self.plan.groups) == 1 else ""
        who = ", ".join(self.plan.lineup)
        return f"<Run{number} of {self.game.name}, {self.games} of {self.plan.total} games: {who}{score}>"

    def add(self, batch: GameBatch) -> None:
        """Count some games."""
        if are_groups(self.plan, self.game):
            first = batch.seats == batch.seats.min(axis=1, keepdims=True)
            self.scores[batch.numbers] = best_seat(batch.returns, first)
        else:
            points = points_of(batch.returns, self.game.teams[: self.game.players])
            self.scores[batch.numbers] = points[np.arange(len(batch)), np.argmin(batch.seats, axis=1)]
        self.batches.append(batch.without_actions())

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(map(len, self.batches))

    @property
    def score(self) -> float:
        """What the first agent of each group has scored on average."""
        return float(np.nanmean(self.scores)) if self.batches else float("nan")

    @property
    def results(self) -> Results:
        """All games that count, in columns."""
        return gather(self.plan, self.game, self.batches)

    @property
    def games_per_second(self) -> float:
        return self.played / self.seconds if self.seconds else 0.0

    @property
    def decided(self) -> bool:
        """Whether a sequential test has ended it."""
        return self.sequential is not None and self.sequential.verdict is not None


Watch = Callable[[Run], None]


def play(
    plan: Plan,
    *,
    kind: str = "match",
    workers: str | int | GamePool = 1,
    store: Store | None = None,
    resume: bool = False,
    sprt: Sprt | None = None,
    watch: Watch | None = None,
    before: Run | None = None,
    strict: bool = False,
    patience: float = FIRST_COMMIT,
) -> Run:
    """Play all games of a plan that are not stored yet; `watch` is called with the run after every commit.

    The first commit comes after `patience` seconds, later ones less often.

    An agent that raises, plays illegally or exceeds the plan's `move_limit` forfeits the game; with `strict` the run
    stops instead. A plan that extends another one takes over the games of the run `before`. Several plans can share
    the processes of one `worker_pool`.
    """
    if before is not None:
        run = extend(before, plan, store)
    elif store is not None:
        run = resume_or_create(store, kind, plan, resume, sprt)
    else:
        run = start(plan, sprt)
    missing = np.flatnonzero(np.isnan(run.scores))
    if len(missing) and not run.decided:
        players = str(workers) if isinstance(workers, int) else workers
        play_games(run, execute(run.plan, missing, players, strict), store, watch, patience)
    if run.decided:
        truncate(run, store)
    return run


def recall(store: Store, number: int) -> Run:
    """A run of the store with all its games counted."""
    stored = store.run(number)
    run = start(stored.plan, stored.test)
    run.number = number
    read(run, store)
    return run


def read(run: Run, store: Store) -> None:
    """Count the games that are stored."""
    assert run.number is not None
    for batch in store.batches(run.number, run.game, actions=False):
        run.add(batch)
    follow(run)


def start(plan: Plan, sprt: Sprt | None = None) -> Run:
    """A run without games."""
    game = plan.load()
    if sprt is not None and sorted(Counter(plan.groups[0]).values()) != [plan.size / 2] * 2:
        raise SpielbaumError("a sequential test is for two agents with as many seats each")
    return Run(plan, game, Sequential(sprt, plan.cycle) if sprt else None)


def resume_or_create(store: Store, kind: str, plan: Plan, resume: bool, sprt: Sprt | None) -> Run:
    """A new run in the store, or the stored run of this plan with its games; the longer of the two plans holds."""
    stored = store.find(kind, plan) if resume else None
    if stored is None:
        run = start(plan, sprt)
        run.number = store.create_run(kind, plan, rules_version(run.game.module), sprt)
        return run
    require_test(stored, sprt)
    run = start(max(plan, stored.plan, key=lambda either: either.total), sprt)
    require_rules(stored, rules_version(run.game.module))
    run.number = stored.run
    if run.plan.total > stored.plan.total:
        store.update(stored.run, plan=run.plan)
    read(run, store)
    return run


def extend(before: Run, plan: Plan, store: Store | None) -> Run:
    """A run with a longer plan, and the games of the run `before`."""
    run = start(plan)
    run.number, run.seconds, run.played = before.number, before.seconds, before.played
    for batch in before.batches:
        run.add(batch)
    if store is not None and run.number is not None:
        store.update(run.number, plan=plan)
    return run


def require_rules(stored: StoredRun, rules: str) -> None:
    """Raise SpielbaumError for a run that was played by other rules."""
    if stored.rules != rules:
        raise SpielbaumError(
            f"run {stored.run} was played by other rules of {stored.plan.game} (version {stored.rules},"
            f" now {rules}): its records hold for the old ones; check out these, or play a new run"
        )


def require_test(stored: StoredRun, test: Sprt | None) -> None:
    """Raise SpielbaumError for a run that was begun with another sequential test."""
    if stored.test != test:
        had, wanted = ("no sequential test" if each is None else f"--sprt {each}" for each in (stored.test, test))
        raise SpielbaumError(
            f"run {stored.run} was begun with {had}, not with {wanted}: a test that changes on its way promises"
            " nothing; give the same one, or play a new run without --resume"
        )


def play_games(run: Run, batches: Iterator[GameBatch], store: Store | None, watch: Watch | None, pause: float) -> None:
    """Count games while they are played, each when it is stored, also when all is interrupted."""
    committed = time.monotonic()
    start = committed - run.seconds
    waiting: list[GameBatch] = []
    try:
        for batch in batches:
            waiting.append(batch)
            now = time.monotonic()
            if now - committed >= pause:
                count(run, waiting, store)
                committed, run.seconds, pause = now, now - start, min(2 * pause, LATER_COMMITS)
                if watch is not None:
                    watch(run)
                if run.decided:
                    break
    finally:
        batches.close()  # type: ignore[attr-defined]  # ends the workers
        count(run, waiting, store)
        run.seconds = time.monotonic() - start
        if watch is not None:
            watch(run)


def count(run: Run, waiting: list[GameBatch], store: Store | None) -> None:
    """Store what has come in, and count it."""
    for batch in waiting:
        if store is not None and run.number is not None:
            store.add(run.number, batch)
    if store is not None:
        store.commit()
    for batch in waiting:
        run.add(batch)
        run.played += len(batch)
    waiting.clear()
    follow(run)


def follow(run: Run) -> None:
    if run.sequential is not None:
        run.sequential.follow(run.scores)


def truncate(run: Run, store: Store | None) -> None:
    """Drop the games after the one that decided the sequential test, from the run and the store."""
    assert run.sequential is not None
    end = run.sequential.at
    run.batches = [batch.pick(batch.numbers < end) for batch in run.batches]
    run.scores[end:] = np.nan
    if store is not None and run.number is not None:
        store.drop(run.number, end, run.game)
        store.update(run.number, verdict=run.sequential.verdict)
