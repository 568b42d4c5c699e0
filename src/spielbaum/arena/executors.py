"""Who plays the games of a plan: this process, several beside it, or a Ray cluster.

All of them do the same: they take chunks of games and give back finished ones, in any order. Which
games these are and how they go does not depend on it. A worker that dies is replaced and its games
are played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from spielbaum.arena.batch import batch_for
from spielbaum.arena.block import Block, from_records
from spielbaum.arena.plan import Plan, Tasks
from spielbaum.arena.tables import Host, Table
from spielbaum.errors import SpielbaumError
from spielbaum.notice import unheard_interrupts

CHUNK_SECONDS = 0.25  # long beside the way to another process, short beside a patience
MOST_AT_ONCE = 100_000
MOST_WORKERS = 1000
MOST_DEATHS = 3  # of workers one after the other that do not finish a game
AHEAD = 2  # chunks that a worker has, so that it need not wait for the next one


class Worker:
    """Plays games of a plan. With `strict` a forfeit ends everything."""

    def __init__(self, plan: Plan, strict: bool = False):
        self.plan, self.game, self.strict = plan, plan.load(), strict
        self.batch = batch_for(plan, self.game)
        self.host = Host(plan, self.game)
        self.table = None if plan.move_limit is None else Table(self.host, plan.move_limit)

    def play(self, numbers: np.ndarray) -> tuple[list[Block], float]:
        """The games with these numbers, and how long they took."""
        begin = time.perf_counter()
        blocks, left = self.batch.play(self.plan.tasks(numbers)) if self.batch else ([], numbers)
        if len(left):
            blocks.append(self.play_each(self.plan.tasks(left)))
        return blocks, time.perf_counter() - begin

    def play_each(self, tasks: Tasks) -> Block:
        """Games one by one, move by move."""
        records = []
        for number, seed, agent_seed, seats in zip(*tasks, strict=True):
            if self.table is not None:
                record = self.table.play(int(number), int(seed))
            else:
                record = self.host.play(seats, int(seed), int(agent_seed))
            if record.forfeit is not None and self.strict:
                seat, reason = record.forfeit
                who = f"{self.game.seats[seat]} ({self.plan.agents[seats[seat]]})"
                raise SpielbaumError(f"game {number}: {who} {reason}; without --strict it forfeits that game alone")
            records.append(record)
        return from_records(self.game, tasks.numbers, tasks.seats, records)

    def close(self) -> None:
        """End what it has begun."""
        if self.table is not None:
            self.table.clear()


class Chunks:
    """The games that are still to be played; the chunks handed out grow until they take long enough."""

    def __init__(self, numbers: np.ndarray, workers: int):
        self.numbers, self.workers = numbers, workers
        self.size, self.at = 1, 0
        self.again: list[np.ndarray] = []
        self.deaths = 0

    def take(self) -> np.ndarray | None:
        """The next chunk, None when all are handed out."""
        if self.again:
            return self.again.pop()
        left = len(self.numbers) - self.at
        if left == 0:
            return None
        shared = left if self.workers == 1 else max(1, left // (AHEAD * self.workers))
        size = min(self.size, shared)  # nobody has much to do alone at the end
        self.at += size
        return self.numbers[self.at - size : self.at]

    def finished(self, games: int, seconds: float) -> None:
        """Learn from a chunk how large the next ones should be."""
        self.deaths = 0
        fitting = int(games * CHUNK_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * self.size, MOST_AT_ONCE))

    def died(self, chunks: Sequence[np.ndarray], how: str) -> None:
        """Somebody died over some chunks: they are handed out again, unless that happens again and again."""
        self.again += chunks
        self.deaths += 1
        if self.deaths >= MOST_DEATHS:
            game = f" over game {chunks[0][0]}" if chunks else ""
            raise SpielbaumError(f"{MOST_DEATHS} workers in a row died{game} ({how}); see whether memory is short")


def execute(plan: Plan, numbers: np.ndarray, workers: str | Processes = "1", strict: bool = False) -> Iterator[Block]:
    """Play some games of a plan; `workers` is a number of processes, such processes, `ray` or `ray:ADDRESS`."""
    if isinstance(workers, Processes):
        return workers.play(plan, numbers, strict)
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_ray

        return on_ray(plan, numbers, workers.partition(":")[2] or None, strict)
    count = number_of(workers)
    return inline(plan, Chunks(numbers, 1), strict) if count == 1 else in_processes(plan, numbers, count, strict)


@contextlib.contextmanager
def lasting(workers: str, limited: bool = False) -> Iterator[str | Processes]:
    """The same workers for several plans, with or without a limit of moves: processes start for the first only."""
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_one_cluster

        with on_one_cluster(workers.partition(":")[2] or None):
            yield workers
        return
    if number_of(workers) == 1:
        yield workers
        return
    with Processes(number_of(workers), limited) as processes:
        yield processes


def number_of(workers: str) -> int:
    """How many processes play."""
    if not workers.isdecimal() or not 1 <= int(workers) <= MOST_WORKERS:
        asked = f"a whole number from 1 to {MOST_WORKERS}, 'ray' or 'ray:ADDRESS'"
        raise SpielbaumError(f"workers={workers} is not possible: {asked}")
    return int(workers)


def inline(plan: Plan, chunks: Chunks, strict: bool) -> Iterator[Block]:
    """Play in this process."""
    with contextlib.closing(Worker(plan, strict)) as worker:
        while (chunk := chunks.take()) is not None:
            blocks, seconds = worker.play(chunk)
            chunks.finished(len(chunk), seconds)
            yield from blocks


# --- processes ----------------------------------------------------------------------------------


@dataclass(eq=False)
class Hand:
    """A worker in a process of its own, and what it has to do."""

    process: Any
    pipe: Connection
    chunks: deque[np.ndarray] = field(default_factory=deque)


class Processes:
    """Processes that play one plan after the other; they start with the first and end with this one.

    Where moves are limited they have tables, which are processes of their own.
    """

    def __init__(self, count: int, limited: bool):
        self.count, self.limited = count, limited
        self.hands: list[Hand] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for hand in self.hands:
            dismiss(hand)

    def play(self, plan: Plan, numbers: np.ndarray, strict: bool) -> Iterator[Block]:
        """Play some games of a plan."""
        chunks = Chunks(numbers, self.count)
        try:
            for hand in self.staff(len(numbers)):
                assign(hand, plan, strict)
                supply(hand, chunks)
            while busy := [hand for hand in self.hands if hand.chunks]:
                for pipe in wait([hand.pipe for hand in busy]):
                    hand = next(hand for hand in busy if hand.pipe is pipe)
                    yield from result(hand, chunks)
                    if hand.process is None:
                        self.hands[self.hands.index(hand)] = hand = hire(self.limited)
                        assign(hand, plan, strict)
                    supply(hand, chunks)
        finally:
            self.let_go([hand for hand in self.hands if hand.chunks])

    def staff(self, games: int) -> list[Hand]:
        """As many as there is work for."""
        self.let_go([hand for hand in self.hands if not hand.process.is_alive()])
        needed = min(self.count, max(1, games))
        while len(self.hands) < needed:
            self.hands.append(hire(self.limited))
        return self.hands[:needed]

    def let_go(self, hands: Sequence[Hand]) -> None:
        """End those who are dead, or busy with what nobody wants any more."""
        self.hands = [hand for hand in self.hands if hand not in hands]
        for hand in hands:
            dismiss(hand)


def in_processes(plan: Plan, numbers: np.ndarray, count: int, strict: bool) -> Iterator[Block]:
    """Play in several processes, for this plan alone."""
    with Processes(count, plan.move_limit is not None) as processes:
        yield from processes.play(plan, numbers, strict)


def hire(limited: bool) -> Hand:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, limited), daemon=not limited)  # daemons may not have tables
    with unheard_interrupts():
        process.start()
    theirs.close()
    return Hand(process, ours)


def assign(hand: Hand, plan: Plan, strict: bool) -> None:
    """Tell a worker what the next games are games of, and whether a forfeit ends all."""
    with contextlib.suppress(OSError):  # as below
        hand.pipe.send((plan, strict))


def supply(hand: Hand, chunks: Chunks) -> None:
    """Give a worker what it can do next."""
    while len(hand.chunks) < AHEAD and (chunk := chunks.take()) is not None:
        hand.chunks.append(chunk)
        with contextlib.suppress(OSError):  # it is dead: that is found out when its answer is read
            hand.pipe.send(ranges(chunk))


def ranges(numbers: np.ndarray) -> list[range]:
    """The same numbers in a few words: who sends many while the other side does so too would wait for ever.

    >>> ranges(np.array([3, 4, 5, 9]))
    [range(3, 6), range(9, 10)]
    """
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return [range(int(part[0]), int(part[-1]) + 1) for part in parts]


def result(hand: Hand, chunks: Chunks) -> list[Block]:
    """What a worker has finished; nothing of one that died, whose process is None then."""
    try:
        answer = hand.pipe.recv()
    except (EOFError, OSError):
        hand.process.join()
        code, hand.process = hand.process.exitcode, None
        hand.pipe.close()
        chunks.died(hand.chunks, f"exit code {code}")
        return []
    if isinstance(answer, SpielbaumError):
        raise answer
    chunk = hand.chunks.popleft()
    blocks, seconds = answer
    chunks.finished(len(chunk), seconds)
    return list(blocks)


def dismiss(hand: Hand) -> None:
    hand.pipe.close()
    if hand.process is not None:
        hand.process.terminate()
        hand.process.join()


def serve(pipe: Connection, limited: bool) -> None:
    """What a worker's process does, until its pipe is closed; Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if limited:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # not without its table
    order: tuple[Plan, bool] | None = None
    worker: Worker | None = None
    with contextlib.ExitStack() as stack, contextlib.suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            if isinstance(task, tuple):
                stack.close()
                order, worker = task, None
                continue
            try:
                assert order is not None
                worker = worker or stack.enter_context(contextlib.closing(Worker(*order)))
                answer: Any = worker.play(np.concatenate([np.arange(part.start, part.stop) for part in task]))
            except SpielbaumError as error:
                answer = SpielbaumError(str(error))
            pipe.send(answer)
