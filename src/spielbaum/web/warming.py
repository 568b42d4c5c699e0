"""Kernels are compiled before somebody waits for them; whoever waits sees the progress.

Numba holds the interpreter's lock while it compiles, which all players of a server would feel. So a child process
does it, one at a time and at low priority, and fills the cache that the server then loads from. What is searched in
a game that somebody plays comes before what was only looked at. Where the child fails the search compiles for itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from spielbaum.agents import opponent, own_agents, strongest, warm_up
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.scenes.drawing import Json
from spielbaum.web.catalogue import plays_any_side

log = logging.getLogger(__name__)

LOOKED_AT, BEGUN, AWAITED = range(3)  # how much somebody wants it
WAITING, COMPILING, LOADING, ALONE, READY = "waiting", "compiling", "loading", "alone", "ready"
LOAD = 1.0  # seconds that kernels take to come from the cache, about
LONGEST = 300.0  # seconds after which a child is given up
MOST = 12  # jobs of games that are played may wait


@dataclass(eq=False)
class Job:
    """The kernels of a search, and how far their compilation is.

    It waits for the child, is compiled there, and is then loaded by the first search that uses it. Where the child
    failed, that search is alone with it.
    """

    need: warm_up.CompileTarget
    source: str | pathlib.Path
    options: Json
    spec: str
    takes: warm_up.Time
    doing: str = WAITING
    wanted: int = LOOKED_AT
    since: float = field(default_factory=time.monotonic)
    prepared: asyncio.Event = field(default_factory=asyncio.Event)  # as far as others than the search can

    def go_to(self, doing: str) -> None:
        self.doing, self.since = doing, time.monotonic()

    def settle(self, doing: str) -> None:
        """End what others can do for it: the first search loads the kernels, or compiles them itself."""
        self.go_to(doing)
        self.prepared.set()

    def loaded(self) -> None:
        """In a search's thread: it has used the kernels."""
        if self.doing == ALONE:
            warm_up.write_record(self.need, None)
        self.go_to(READY)

    def progress(self) -> Json:
        """For clients: what it does, for how long already, how long that will take and what it took last time."""
        expected, last = (LOAD, None) if self.doing == LOADING else self.takes
        return {
            "doing": self.doing,
            "elapsed": round(time.monotonic() - self.since, 1),
            "expected": round(expected, 1),
            "last": None if last is None else round(last, 1),
        }


class Warming:
    """All jobs of a server by what they need, and the child that does them."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.need_of = functools.lru_cache(maxsize=128)(need_of)
        self.thread = ThreadPoolExecutor(1, "warming")
        self.task: asyncio.Task[None] | None = None
        self.child: subprocess.Popen[str] | None = None
        self.game: tuple[str, str] | None = None  # the child's
        self.closed = False
        self.closing = threading.Lock()

    async def want(
        self, source: str | pathlib.Path, game: Game, specs: Iterable[str], wanted: int = LOOKED_AT
    ) -> list[Job]:
        """Have what some agents need compiled, unless it is there or on its way."""
        jobs = []
        for spec in dict.fromkeys(specs):
            need = await asyncio.to_thread(self.need_of, game, spec)
            if need is not None:
                if need.digest not in self.jobs:
                    job = await asyncio.to_thread(new_job, need, source, game, spec)
                    self.jobs.setdefault(need.digest, job)
                job = self.jobs[need.digest]
                if job.doing == WAITING and wanted > job.wanted and self.is_crowded():
                    job.settle(ALONE)
                job.wanted = max(job.wanted, wanted)
                jobs.append(job)
        self.go_on()
        return list(dict.fromkeys(jobs))

    def is_crowded(self) -> bool:
        """Whether so many wait who play that one more had better compile for itself."""
        return sum(job.doing == WAITING and job.wanted > LOOKED_AT for job in self.jobs.values()) >= MOST

    def of_game(self, source: str | pathlib.Path) -> Json:
        """For clients: how far a game is, agent by agent."""
        jobs = [job for job in self.jobs.values() if job.source == source]
        ready = all(job.prepared.is_set() for job in jobs)
        return {"ready": ready, "agents": [{"spec": job.spec, **job.progress()} for job in jobs]}

    def go_on(self) -> None:
        """Begin to work where there is something to do."""
        if (self.task is None or self.task.done()) and not self.closed and self.next_job() is not None:
            self.task = asyncio.get_running_loop().create_task(self.work())

    def next_job(self) -> Job | None:
        """What somebody wants most; among equals what was wanted first."""
        waiting = [job for job in self.jobs.values() if job.doing == WAITING]
        return max(waiting, key=lambda job: job.wanted, default=None)

    async def work(self) -> None:
        """Let the child do one job after the other, and end it when there are no more.

        What is wanted while the child ends starts no other task, as this one still runs: so it looks again.
        """
        loop = asyncio.get_running_loop()
        while not self.closed and self.next_job() is not None:
            while not self.closed and (job := self.next_job()) is not None:
                await self.do(job)
            await loop.run_in_executor(self.thread, self.end_child)

    async def do(self, job: Job) -> None:
        """Have a job compiled, and tell those who wait for it."""
        job.go_to(COMPILING)
        failure = await asyncio.get_running_loop().run_in_executor(self.thread, self.compile, job)
        if failure and not self.closed:
            facts = {"game": job.need.game, "agent": job.spec, "why": failure}
            log.warning("kernels could not be compiled beforehand", extra={"facts": facts})
        job.settle(ALONE if failure else LOADING)

    # --- in the thread of the child -------------------------------------------------------------

    def compile(self, job: Job) -> str | None:
        """Have the child do a job; why it could not, if it could not."""
        game = str(job.source), json.dumps(job.options)
        try:
            if self.game != game:
                self.end_child()
                self.start_child(game)
            answer = self.asked(job.spec)
        except Exception as error:  # whatever it is, a game waits for this job
            self.end_child()
            return f"the process that compiles gave no answer: {error}"
        if "error" in answer:
            return str(answer["error"])
        is_same = answer.get("digest") == job.need.digest
        return None if is_same else "the game's file has changed since the server started"

    def asked(self, spec: str) -> Json:
        """What the child says, unless it takes too long."""
        child = self.child
        if child is None or child.stdin is None or child.stdout is None:
            raise OSError("the server shuts down")
        given_up = threading.Timer(LONGEST, child.kill)
        given_up.start()
        try:
            child.stdin.write(f"{json.dumps(spec)}\n")
            child.stdin.flush()
            answer: Json = json.loads(child.stdout.readline())  # a child that has died says nothing, which is no JSON
            if not isinstance(answer, dict):
                raise ValueError(f"it says {answer!r}")
            return answer
        finally:
            given_up.cancel()

    def start_child(self, game: tuple[str, str]) -> None:
        command = [sys.executable, "-P", "-m", "spielbaum.web.warmer", *game]
        with self.closing:
            if not self.closed:
                self.child = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,  # deaf to Ctrl-C, which is for the server
                )
                self.game = game

    def end_child(self) -> None:
        child, self.child, self.game = self.child, None, None
        if child is not None:
            child.kill()
            with contextlib.suppress(OSError):
                child.communicate()

    # --- the server's end -----------------------------------------------------------------------

    async def close(self) -> None:
        """End the child, whatever it does."""
        with self.closing:
            self.closed = True
            if self.child is not None:
                self.child.kill()
        if self.task is not None:
            await self.task
        self.thread.shutdown()


def need_of(game: Game, spec: str) -> warm_up.CompileTarget | None:
    """In a thread: what an agent needs, if anything; of an agent that does not exist others complain."""
    with contextlib.suppress(SpielbaumError):
        return warm_up.compile_target(game, spec)
    return None


def new_job(need: warm_up.CompileTarget, source: str | pathlib.Path, game: Game, spec: str) -> Job:
    """In a thread: look into the cache."""
    job = Job(need, source, game.options, spec, warm_up.time_of(need))
    if warm_up.is_warm(need):
        job.settle(LOADING)
    return job


def usual_agents(game: Game) -> list[str]:
    """What people meet who only begin: the opponent, who gives hints, and all other levels."""
    levels = [name for name in own_agents(game) if plays_any_side(game, name)]
    return list(dict.fromkeys([opponent(game), strongest(game), *levels]))
