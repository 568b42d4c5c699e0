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

CHUNK_SECONDS = 0.25  # long beside the way to another process, short beside a patience
MOST_AT_ONCE = 100_000
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
        size = min(self.size, max(1, left // (AHEAD * self.workers)))  # nobody has much to do alone at the end
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


def execute(plan: Plan, numbers: np.ndarray, workers: str = "1", strict: bool = False) -> Iterator[Block]:
    """Play some games of a plan; `workers` is a number of processes, `ray` or `ray:ADDRESS`."""
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_ray

        return on_ray(plan, numbers, workers.partition(":")[2] or None, strict)
    if not workers.isdecimal() or int(workers) < 1:
        raise SpielbaumError(f"workers={workers} is not possible: a whole number from 1, 'ray' or 'ray:ADDRESS'")
    if workers == "1":
        return inline(plan, Chunks(numbers, 1), strict)
    return in_processes(plan, Chunks(numbers, int(workers)), strict)


def inline(plan: Plan, chunks: Chunks, strict: bool) -> Iterator[Block]:
    """Play in this process."""
    with contextlib.closing(Worker(plan, strict)) as worker:
        while (chunk := chunks.take()) is not None:
            blocks, seconds = worker.play(chunk)
            chunks.finished(len(chunk), seconds)
            yield from blocks


# --- processes ----------------------------------------------------------------------------------


@dataclass
class Hand:
    """A worker in a process of its own, and what it has to do."""

    process: Any
    pipe: Connection
    chunks: deque[np.ndarray] = field(default_factory=deque)


def in_processes(plan: Plan, chunks: Chunks, strict: bool) -> Iterator[Block]:
    """Play in several processes, which end with this one."""
    hands = [hire(plan, strict) for _ in range(min(chunks.workers, max(1, len(chunks.numbers))))]
    try:
        for hand in hands:
            supply(hand, chunks)
        while any(hand.chunks for hand in hands):
            for pipe in wait([hand.pipe for hand in hands if hand.chunks]):
                hand = next(hand for hand in hands if hand.pipe is pipe)
                yield from result(hand, chunks)
                if hand.process is None:
                    hands[hands.index(hand)] = hand = hire(plan, strict)
                supply(hand, chunks)
    finally:
        for hand in hands:
            dismiss(hand)


def hire(plan: Plan, strict: bool) -> Hand:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with_table = plan.move_limit is not None  # a process of its own, which a daemon may not have
    process = context.Process(target=serve, args=(theirs, plan, strict), daemon=not with_table)
    process.start()
    theirs.close()
    return Hand(process, ours)


def supply(hand: Hand, chunks: Chunks) -> None:
    """Give a worker what it can do next."""
    while len(hand.chunks) < AHEAD and (chunk := chunks.take()) is not None:
        hand.chunks.append(chunk)
        with contextlib.suppress(OSError):  # it is dead: that is found out when its answer is read
            hand.pipe.send(chunk)


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


def serve(pipe: Connection, plan: Plan, strict: bool) -> None:
    """What a worker's process does, until its pipe is closed; Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plan.move_limit is not None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # not without its table
    with contextlib.ExitStack() as stack, contextlib.suppress(EOFError, OSError):
        worker = None
        while True:
            numbers = pipe.recv()
            try:
                worker = worker or stack.enter_context(contextlib.closing(Worker(plan, strict)))
                answer: Any = worker.play(numbers)
            except SpielbaumError as error:
                answer = SpielbaumError(str(error))
            pipe.send(answer)
