"""Who plays the games of a plan: this process, several beside it, or a Ray cluster.

All of them do the same: they take chunks of games and give back finished ones, in any order. Which
games these are and how they go does not depend on it. A worker that dies is replaced and its games
are played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from spielbaum.agents import resolve
from spielbaum.arena.batch import batch_for
from spielbaum.arena.block import Block, from_records
from spielbaum.arena.plan import Plan
from spielbaum.arena.single import GameRecord, play_game
from spielbaum.errors import SpielbaumError
from spielbaum.rules import seat_seed

CHUNK_SECONDS = 0.25  # long beside the way to another process, short beside a patience
MOST_AT_ONCE = 100_000
MOST_DEATHS = 3  # of workers one after the other that do not finish a game
AHEAD = 2  # chunks that a worker has, so that it need not wait for the next one


class Worker:
    """Plays games of a plan."""

    def __init__(self, plan: Plan):
        self.plan, self.game = plan, plan.load()
        self.batch = batch_for(plan, self.game)
        self.kinds = [resolve(spec, self.game) for spec in plan.agents]

    def play(self, numbers: np.ndarray) -> tuple[list[Block], float]:
        """The games with these numbers, and how long they took."""
        begin = time.perf_counter()
        tasks = self.plan.tasks(numbers)
        if self.batch:
            return self.batch.play(tasks), time.perf_counter() - begin
        records = [
            self.play_one(seats, int(seed), int(agent_seed)) for _, seed, agent_seed, seats in zip(*tasks, strict=True)
        ]
        return [from_records(self.game, tasks.numbers, tasks.seats, records)], time.perf_counter() - begin

    def play_one(self, seats: Sequence[int], seed: int, agent_seed: int) -> GameRecord:
        """One game, move by move, with fresh agents."""
        seated = [self.kinds[agent] for agent in seats]
        agents = [
            kind.seat(self.game, values.copy(), seat_seed(agent_seed, seat))
            for seat, (kind, values) in enumerate(seated)
        ]
        plan = self.plan
        return play_game(self.game, agents, seed, opening=plan.opening, rounds=plan.rounds, control=plan.control)


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


def execute(plan: Plan, numbers: np.ndarray, workers: str = "1") -> Iterator[Block]:
    """Play some games of a plan; `workers` is a number of processes, `ray` or `ray:ADDRESS`."""
    if workers == "ray" or workers.startswith("ray:"):
        from spielbaum.arena.cluster import on_ray

        return on_ray(plan, numbers, workers.partition(":")[2] or None)
    if not workers.isdecimal() or int(workers) < 1:
        raise SpielbaumError(f"workers={workers} is not possible: a whole number from 1, 'ray' or 'ray:ADDRESS'")
    if workers == "1":
        return inline(plan, Chunks(numbers, 1))
    return in_processes(plan, Chunks(numbers, int(workers)))


def inline(plan: Plan, chunks: Chunks) -> Iterator[Block]:
    """Play in this process."""
    worker = Worker(plan)
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


def in_processes(plan: Plan, chunks: Chunks) -> Iterator[Block]:
    """Play in several processes, which end with this one."""
    hands = [hire(plan) for _ in range(min(chunks.workers, max(1, len(chunks.numbers))))]
    try:
        for hand in hands:
            supply(hand, chunks)
        while any(hand.chunks for hand in hands):
            for pipe in wait([hand.pipe for hand in hands if hand.chunks]):
                hand = next(hand for hand in hands if hand.pipe is pipe)
                yield from result(hand, chunks)
                if hand.process is None:
                    hands[hands.index(hand)] = hand = hire(plan)
                supply(hand, chunks)
    finally:
        for hand in hands:
            dismiss(hand)


def hire(plan: Plan) -> Hand:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, plan), daemon=True)
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


def serve(pipe: Connection, plan: Plan) -> None:
    """What a worker's process does, until its pipe is closed; Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            numbers = pipe.recv()
            try:
                worker = worker or Worker(plan)
                answer: Any = worker.play(numbers)
            except SpielbaumError as error:
                answer = SpielbaumError(str(error))
            pipe.send(answer)
