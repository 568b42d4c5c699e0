"""Executors play the games of a plan: this process, a pool of worker processes, or a Ray cluster.

Each executor takes chunks of games and gives back finished games, in any order. The executor does not change which
games are played or how they go. A worker that dies is replaced, and its games are played again.

A game's rules may run for ever, and no thread can be ended inside machine code. A worker that is stuck there is
replaced by another process, and the player to move forfeits that game.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from spielbaum.arena.game_batch import GameBatch, from_records
from spielbaum.arena.kernel_runner import kernel_runner_for
from spielbaum.arena.plan import Plan, Tasks
from spielbaum.arena.sandbox import GameRunner, RemoteGame, SandboxProcess
from spielbaum.arena.single import GameRecord
from spielbaum.errors import SpielbaumError
from spielbaum.watchdog import EndlessCall, ending_calls
from spielbaum.worker_pool import WorkerDied, WorkerPool, WorkerProcess

CHUNK_SECONDS = 0.25  # long beside the way to another process, short beside a patience
MOST_AT_ONCE = 100_000
MOST_WORKERS = 1000
MOST_DEATHS = 3  # of workers one after the other that do not finish a game
AHEAD = 2  # chunks that a worker has, so that it need not wait for the next one


class Stuck(SpielbaumError):
    """A rule of the game does not end, so that the worker that calls it never will.

    `batches` holds the game that is forfeited, `left` the numbers of the games to play again: all of them, if they
    were played in one kernel call.
    """

    def __init__(self, words: str, batches: list[GameBatch], left: np.ndarray):
        super().__init__(words, batches, left)
        self.batches, self.left = batches, left

    def __str__(self) -> str:
        return str(self.args[0])


class Worker:
    """Plays games of a plan, `together` where a kernel can play many. With `strict` a forfeit ends everything."""

    def __init__(self, plan: Plan, strict: bool = False, together: bool = True):
        self.plan, self.game, self.strict = plan, plan.load(), strict
        self.kernel_runner = kernel_runner_for(plan, self.game) if together else None
        self.runner = GameRunner(plan, self.game)
        self.sandbox = None if plan.move_limit is None else SandboxProcess(self.runner, plan.move_limit)
        self.at: tuple[int, RemoteGame] | None = None

    def play(self, numbers: np.ndarray) -> tuple[list[GameBatch], float]:
        """The games with these numbers, and how long they took; `Stuck` where a rule does not end."""
        begin = time.perf_counter()
        if self.sandbox is not None:  # which has limits of its own
            batches = [self.play_each(self.plan.tasks(numbers))]
        else:
            try:
                batches = ending_calls(lambda: self.play_all(numbers))
            except EndlessCall as call:
                raise self.stuck(numbers, call) from None
        return batches, time.perf_counter() - begin

    def play_all(self, numbers: np.ndarray) -> list[GameBatch]:
        """As many games as possible together, and the others one by one."""
        self.at = None
        batches, left = self.kernel_runner.play(self.plan.tasks(numbers)) if self.kernel_runner else ([], numbers)
        if len(left):
            batches.append(self.play_each(self.plan.tasks(left)))
        return batches

    def play_each(self, tasks: Tasks) -> GameBatch:
        """Games one by one, move by move."""
        records = []
        for number, seed, agent_seed, seats in zip(*tasks, strict=True):
            if self.sandbox is not None:
                record = self.sandbox.play(int(number), int(seed))
            else:
                self.at = int(number), RemoteGame(self.runner, int(seed))
                record = self.runner.play(seats, int(seed), int(agent_seed), self.at[1].on_decision)
            self.judge(int(number), seats, record)
            records.append(record)
        return from_records(self.game, tasks.numbers, tasks.seats, records)

    def judge(self, number: int, seats: Sequence[int], record: GameRecord) -> None:
        if record.forfeit is not None and self.strict:
            seat, reason = record.forfeit
            who = f"{self.game.seats[seat]} ({self.plan.agents[seats[seat]]})"
            raise SpielbaumError(f"game {number}: {who} {reason}; without --strict it forfeits that game alone")

    def stuck(self, numbers: np.ndarray, call: EndlessCall) -> SpielbaumError:
        """The error after a kernel did not return: Stuck with the forfeited game, or one that ends the run."""
        from spielbaum.testing.endless import endless_rule

        if self.at is None:
            played = f"one of the games {numbers[0]} to {numbers[-1]}"
            return Stuck(f"{played} met rules that do not end: {self.game.title}: {call}", [], numbers)
        number, game = self.at
        rule = endless_rule(self.game, game.seed, game.actions) or f"{self.game.title}: {call}"
        if game.seat is None:
            return SpielbaumError(f"game {number} can't be played: {rule}")
        record, tasks = game.forfeit(f"met rules that do not end: {rule}"), self.plan.tasks([number])
        self.judge(number, tasks.seats[0], record)
        batch = from_records(self.game, tasks.numbers, tasks.seats, [record])
        return Stuck(f"game {number} met rules that do not end: {rule}", [batch], numbers[numbers != number])

    def close(self) -> None:
        """End the sandbox, if there is one."""
        if self.sandbox is not None:
            self.sandbox.stop()


class Chunks:
    """The games that are not played yet, in chunks that grow until each takes CHUNK_SECONDS."""

    def __init__(self, numbers: np.ndarray, workers: int):
        self.numbers, self.workers = numbers, workers
        self.size, self.at = 1, 0
        self.again: list[np.ndarray] = []
        self.deaths = 0
        self.together = True  # until a rule did not end while many games were played in one call

    @property
    def left(self) -> int:
        """How many games are not handed out."""
        return len(self.numbers) - self.at + sum(map(len, self.again))

    def take(self) -> np.ndarray | None:
        """The next chunk, None when all are handed out."""
        if self.again:
            return self.again.pop()
        left = self.left
        if left == 0:
            return None
        shared = left if self.workers == 1 else max(1, left // (AHEAD * self.workers))
        size = min(self.size, shared)  # nobody has much to do alone at the end
        self.at += size
        return self.numbers[self.at - size : self.at]

    def finished(self, games: int, seconds: float) -> None:
        """Set the size of the next chunks by how long one took."""
        self.deaths = 0
        fitting = int(games * CHUNK_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * self.size, MOST_AT_ONCE))

    def got_stuck(self, stuck: Stuck, chunks: Sequence[np.ndarray] = ()) -> None:
        """A rule did not end: hand out all other games of that worker again."""
        self.again += [chunk for chunk in (*chunks, stuck.left) if len(chunk)]
        self.together = self.together and bool(stuck.batches)
        self.deaths = 0

    def died(self, chunks: Sequence[np.ndarray], how: str) -> None:
        """A worker died with some chunks: hand them out again; SpielbaumError after MOST_DEATHS in a row."""
        self.again += chunks
        self.deaths += 1
        if self.deaths >= MOST_DEATHS:
            game = f" over game {chunks[0][0]}" if chunks else ""
            raise SpielbaumError(f"{MOST_DEATHS} workers in a row died{game} ({how}); see whether memory is short")


def execute(
    plan: Plan, numbers: np.ndarray, workers: str | GamePool = "1", strict: bool = False
) -> Iterator[GameBatch]:
    """Play some games of a plan. `workers`: a process count, an open pool, `ray` or `ray:ADDRESS`."""
    if isinstance(workers, GamePool):
        return workers.play(plan, numbers, strict)
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_ray

        return on_ray(plan, numbers, workers.partition(":")[2] or None, strict)
    count = number_of(workers)
    return inline(plan, Chunks(numbers, 1), strict) if count == 1 else in_processes(plan, numbers, count, strict)


@contextlib.contextmanager
def worker_pool(workers: str, limited: bool = False) -> Iterator[str | GamePool]:
    """Workers that several plans share, so that processes start once; `limited` where plans limit a move's time."""
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_one_cluster

        with on_one_cluster(workers.partition(":")[2] or None):
            yield workers
        return
    if number_of(workers) == 1:
        yield workers
        return
    with GamePool(number_of(workers), limited) as processes:
        yield processes


def number_of(workers: str) -> int:
    """How many processes play."""
    if not workers.isdecimal() or not 1 <= int(workers) <= MOST_WORKERS:
        asked = f"a whole number from 1 to {MOST_WORKERS}, 'ray' or 'ray:ADDRESS'"
        raise SpielbaumError(f"workers={workers} is not possible: {asked}")
    return int(workers)


def inline(plan: Plan, chunks: Chunks, strict: bool) -> Iterator[GameBatch]:
    """Play in this process."""
    with contextlib.closing(Worker(plan, strict)) as worker:
        while (chunk := chunks.take()) is not None:
            try:
                batches, seconds = worker.play(chunk)
            except Stuck as stuck:  # a thread of this process is lost; another process can be ended
                yield from stuck.batches
                chunks.got_stuck(stuck)
                with GamePool(1, limited=False) as processes:
                    yield from processes.play_chunks(plan, chunks, strict)
                return
            chunks.finished(len(chunk), seconds)
            yield from batches


# --- processes ----------------------------------------------------------------------------------


class GamePool(WorkerPool):
    """Processes that play one plan after the other; `limited` ones have sandboxes, which are processes of their own."""

    def __init__(self, count: int, limited: bool):
        super().__init__(count, lambda: WorkerProcess(serve, spawns=limited))

    def play(self, plan: Plan, numbers: np.ndarray, strict: bool) -> Iterator[GameBatch]:
        """Play some games of a plan."""
        return self.play_chunks(plan, Chunks(numbers, self.count), strict)

    def play_chunks(self, plan: Plan, chunks: Chunks, strict: bool) -> Iterator[GameBatch]:
        """Play what is still to be handed out."""

        def take() -> list[range] | None:
            chunk = chunks.take()
            return None if chunk is None else ranges(chunk)

        answers = self.run(take, jobs=chunks.left, ahead=AHEAD, setup=lambda: (plan, strict, chunks.together))
        with contextlib.closing(answers):
            for worker, job, answer in answers:
                if isinstance(answer, WorkerDied):
                    chunks.died([numbers_of(each) for each in worker.jobs], str(answer))
                elif isinstance(answer, Stuck):
                    worker.terminate()
                    chunks.got_stuck(answer, [numbers_of(each) for each in worker.jobs])
                    yield from answer.batches
                elif isinstance(answer, SpielbaumError):
                    raise answer
                else:
                    assert job is not None
                    batches, seconds = answer
                    chunks.finished(sum(map(len, job)), seconds)
                    yield from batches


def in_processes(plan: Plan, numbers: np.ndarray, count: int, strict: bool) -> Iterator[GameBatch]:
    """Play in several processes, for this plan alone."""
    with GamePool(count, plan.move_limit is not None) as pool:
        yield from pool.play(plan, numbers, strict)


def ranges(numbers: np.ndarray) -> list[range]:
    """The same numbers as a few ranges: a long message could block both ends of a pipe, if both send at once.

    >>> ranges(np.array([3, 4, 5, 9]))
    [range(3, 6), range(9, 10)]
    """
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return [range(int(part[0]), int(part[-1]) + 1) for part in parts]


def numbers_of(parts: Sequence[range]) -> np.ndarray:
    """The numbers of some ranges.

    >>> numbers_of([range(3, 6), range(9, 10)]).tolist()
    [3, 4, 5, 9]
    """
    return np.concatenate([np.arange(part.start, part.stop) for part in parts])


def serve(pipe: Connection) -> None:
    """What a worker's process does: play chunks of games of the plan that it was told last."""
    order: tuple[Plan, bool, bool] | None = None
    worker: Worker | None = None
    with contextlib.ExitStack() as stack:
        while True:
            message = pipe.recv()
            if isinstance(message, tuple):
                stack.close()
                order, worker = message, None
                continue
            try:
                assert order is not None
                worker = worker or stack.enter_context(contextlib.closing(Worker(*order)))
                answer: Any = worker.play(numbers_of(message))
            except Stuck as stuck:
                pipe.send(stuck)
                os._exit(1)  # one of its threads will never end
            except SpielbaumError as error:
                answer = SpielbaumError(str(error))
            pipe.send(answer)
