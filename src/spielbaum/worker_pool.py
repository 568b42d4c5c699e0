"""Worker processes: started, fed with jobs, replaced when they die, and ended with the process that started them.

All processes that work for another one on the same machine are made here:

| who | what a worker does |
|---|---|
| `arena.executors` | plays chunks of games |
| `arena.sandbox` | plays one game after the other under a limit of time |
| `cli.warm` | compiles kernels |

Two things are different and stay where they are: Ray starts and watches its own actors (`arena.cluster`,
`training.cluster`), and the child of a web server speaks JSON at low priority beside an event loop (`web.warming`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from spielbaum.compile.notices import unheard_interrupts
from spielbaum.errors import SpielbaumError

GRACE = 5.0  # seconds for a process whose pipe is closed to end by itself, and to say how
Job = Any
Answer = Any


class WorkerDied(Exception):
    """A worker process has ended without an answer."""

    def __init__(self, exit_code: int | None):
        super().__init__(f"exit code {exit_code}")
        self.exit_code = exit_code


class WorkerProcess:
    """A process that runs `target(pipe, *args)`, and the jobs that were sent to it.

    It does not hear Ctrl-C and ends with this process. Only one that `spawns` may start processes of its own.
    """

    def __init__(self, target: Callable[..., None], *args: Any, spawns: bool = False):
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: Any = context.Process(target=run, args=(spawns, target, theirs, *args), daemon=not spawns)
        with unheard_interrupts():
            self.process.start()
        theirs.close()
        self.jobs: deque[Job] = deque()

    @property
    def running(self) -> bool:
        return self.process is not None and bool(self.process.is_alive())

    def send(self, message: Any) -> None:
        """Send a message; whether the worker has died is found out by `receive`."""
        with contextlib.suppress(OSError):
            self.pipe.send(message)

    def receive(self, timeout: float | None = None) -> Any:
        """The next message; TimeoutError if none comes in so many seconds, WorkerDied if none will come."""
        try:
            if self.pipe.poll(timeout):
                return self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied(self.kill(GRACE)) from None
        raise TimeoutError

    def terminate(self) -> None:
        """Ask the process to end, and wait until it has."""
        self.pipe.close()
        if self.process is not None:
            self.process.terminate()
            self.process.join()
            self.process = None

    def kill(self, grace: float) -> int | None:
        """End the process with certainty, after some seconds in which it may end by itself; its exit code."""
        self.pipe.close()
        if self.process is None:
            return None
        self.process.join(grace)
        self.process.kill()
        self.process.join()
        code, self.process = self.process.exitcode, None
        return int(code)


class WorkerPool:
    """Up to `count` workers that share jobs, started when there is work and terminated at the end of the context."""

    def __init__(self, count: int, start: Callable[[], WorkerProcess]):
        self.count, self.start = count, start
        self.workers: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.terminate(self.workers)

    def run(
        self,
        take: Callable[[], Job | None],
        *,
        jobs: int,
        ahead: int = 1,
        setup: Callable[[], Any] | None = None,
    ) -> Generator[tuple[WorkerProcess, Job | None, Answer], None, None]:
        """Feed jobs to workers until `take` gives None; each worker with its job and answer, in the order of answers.

        `jobs` says how many there are about, `ahead` how many a worker holds at a time. `setup` makes the message that
        a worker gets before its first job. Of a worker that died the answer is WorkerDied, the job is None, and its
        `jobs` are those that it did not finish. A worker that died, or that the caller terminates, is replaced.
        """

        def feed(worker: WorkerProcess) -> None:
            while len(worker.jobs) < ahead and (job := take()) is not None:
                worker.jobs.append(job)
                worker.send(job)

        def prepare(worker: WorkerProcess) -> WorkerProcess:
            if setup is not None:
                worker.send(setup())
            return worker

        try:
            for worker in self.ensure(jobs):
                feed(prepare(worker))
            while busy := [worker for worker in self.workers if worker.jobs]:
                for pipe in wait([worker.pipe for worker in busy]):
                    worker = next(worker for worker in busy if worker.pipe is pipe)
                    try:
                        answer: Answer = worker.receive()
                        job = worker.jobs.popleft()
                    except WorkerDied as death:
                        answer, job = death, None
                    yield worker, job, answer
                    if worker.process is None:
                        self.workers[self.workers.index(worker)] = worker = prepare(self.start())
                    feed(worker)
        finally:
            self.terminate([worker for worker in self.workers if worker.jobs])

    def ensure(self, jobs: int) -> list[WorkerProcess]:
        """As many running workers as there are jobs for."""
        self.terminate([worker for worker in self.workers if not worker.running])
        needed = min(self.count, max(1, jobs))
        while len(self.workers) < needed:
            self.workers.append(self.start())
        return self.workers[:needed]

    def terminate(self, workers: Sequence[WorkerProcess]) -> None:
        """End workers that are dead, or busy with what nobody wants any more."""
        self.workers = [worker for worker in self.workers if worker not in workers]
        for worker in workers:
            worker.terminate()


# --- in a worker ----------------------------------------------------------------------------------


def run(spawns: bool, target: Callable[..., None], pipe: Connection, *args: Any) -> None:
    """What a worker process does; it ends when its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if spawns:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # which ends its own processes, too
    threading.Thread(target=exit_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        target(pipe, *args)


def answer_jobs(pipe: Connection, function: Callable[[Job], Answer]) -> None:
    """A target: answer each job by a function; an error that its user can put right is an answer."""
    while True:
        job = pipe.recv()
        try:
            pipe.send(function(job))
        except SpielbaumError as error:
            pipe.send(SpielbaumError(str(error)))


def exit_with_parent() -> None:
    """End this process and its own ones when the process that started it has ended, also in the middle of a job."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        for child in active_children():
            child.kill()
        os._exit(1)
