"""Searches in threads: a cap on how many run at once, a queue that everybody can see, limits and cancelling.

A search reports, and is cancelled, between two slices of the engine. A session has one search at a time, so that first
come, first served is fair. Agents keep their trees and tables after a search, for questions and for the next move; to
limit memory, only the latest few agents of the server do.

All searches of the engine end soon after they are stopped. An author's agent may not: some seconds later it is given
up, its players are informed, and the next search takes its place. A type of agent with several searches that were given
up is refused while they are still busy.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Any

from spielbaum.agents import Agent, resolve
from spielbaum.agents.human import imagined
from spielbaum.agents.searching import SearchAgent
from spielbaum.compile.link import preparing
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.scenes.drawing import Json
from spielbaum.search.report import SearchReport, TreeNode
from spielbaum.watchdog import interrupt
from spielbaum.web import safe_drawing
from spielbaum.web.catalogue import general
from spielbaum.web.live_game import move_outline
from spielbaum.web.threads import BETWEEN_LOOKS, Lost, in_thread
from spielbaum.web.warming import Job

log = logging.getLogger(__name__)

BETWEEN_REPORTS = 0.12  # seconds
MOST_EDGES = 60
KEPT_AGENTS = 6
CAPS = {
    "threads": 2,
    "determinizations": 256,
    "simulations": 10,
    "limit": 5_000,
}  # so that every iteration ends within a few seconds; besides memory, which is a setting


@dataclass(eq=False)
class AgentHandle:
    """An agent with its specification, and the lock that whoever uses its tree holds."""

    agent: Agent
    spec: str
    type_key: tuple[str, str]  # the game and the type of agent
    lost: bool = False  # a thread that was given up may still use it
    subject: Search | Pondering | None = None  # what its tree is about
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Acquire the tree's lock; raise `Lost` if its holder was given up."""
        while not self.lock.acquire(timeout=BETWEEN_LOOKS):
            if self.lost:
                raise Lost(f"{self.spec} was given up")
        try:
            yield
        finally:
            self.lock.release()


@dataclass(eq=False)
class Search:
    """A search of a position, as its mover sees it."""

    handle: AgentHandle
    state: State
    why: str
    ply: int
    seconds: float
    on_report: Callable[[Search], None]
    report: Json | None = None
    line: list[int] = field(default_factory=list)
    position: int = 0
    cancelled: bool = False
    enough: bool = False
    started: float | None = None
    done: bool = False
    job: Job | None = None  # what it needs first, where it is the first search of its kind
    questions: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        self.reported = 0.0
        self.places: dict[int, Json] = {}
        self.agent, self.spec = self.handle.agent, self.handle.spec

    @property
    def seat(self) -> int:
        """The seat whose decision is searched."""
        return self.state.player

    @property
    def busy(self) -> Json:
        """The search as `busy` in a state message."""
        return {"seat": self.seat, "why": self.why, "queue": self.position, "preparation": self.preparation}

    @property
    def preparing(self) -> bool:
        """Whether it runs but has no result yet: the first search of a game compiles."""
        return self.position == 0 and self.started is None and not self.done and isinstance(self.agent, SearchAgent)

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end."""
        return self.cancelled or self.enough

    @property
    def preparation(self) -> Json | None:
        """The progress of its kernels while they are compiled or loaded; None otherwise."""
        return None if self.job is None or self.started is not None or self.done else self.job.progress()

    def cancel(self) -> None:
        """Stop it; nobody needs its result."""
        self.cancelled = True

    def give_up(self) -> None:
        """Mark it as failed, and refuse its questions: its thread does not end."""
        self.cancelled = self.done = True
        self.answer_questions(SpielbaumError("the agent does not answer any more"))

    # --- in the search's thread -----------------------------------------------------------------

    def run(self) -> int:
        """Search, and return the action that the agent plays."""
        with self.handle.locked():
            self.handle.subject = self
            return self.run_locked()

    def run_locked(self) -> int:
        try:
            action = self.agent.act(self.state, watch=self.watch)
            self.take_report()
            self.note_kernels()
            if action not in self.state.actions:
                raise SpielbaumError(f"{self.spec} answered action {action}, which is not legal")
            return action
        finally:
            self.done = True
            self.answer_questions()

    def watch(self) -> None:
        """Between two slices: answer questions, report, stop when time is up. Time runs from the first slice on."""
        now = time.monotonic()
        if self.started is None:
            self.started = now
            self.note_kernels()
        self.answer_questions()
        if now > self.reported + BETWEEN_REPORTS and not self.cancelled:
            self.take_report()
            self.on_report(self)
            self.reported = time.monotonic()
        if self.is_stopped or now > self.started + self.seconds:
            self.agent.stop()

    def note_kernels(self) -> None:
        """Note that its kernels are loaded."""
        if self.job is not None:
            self.job.loaded()

    def take_report(self) -> None:
        report = self.agent.report()
        if report is not None:
            self.report, self.line = self.described(report), report.principal_variation

    def described(self, report: SearchReport) -> Json:
        """A report as JSON, with names and steps of its moves."""
        total = sum(edge.visits for edge in report.edges) or 1.0
        numbers = ["algorithm", "action", "nodes", "depth", "seconds", "memory", "full"]
        numbers += ["table_hits", "cut_off", "proven"]
        return {
            **{name: getattr(report, name) for name in numbers},
            "value": finite(report.value),
            "unit": {**asdict(report.unit), "title": general(self.state.game, report.unit.name)},
            "per_second": report.per_second,
            "edges": [
                {
                    **self.place(edge.action),
                    "visits": edge.visits,
                    "share": edge.visits / total,
                    "value": finite(edge.value),
                    "prior": finite(edge.prior),
                    "exact": edge.exact,
                    "proven": edge.proven,
                }
                for edge in report.edges[:MOST_EDGES]
            ],
            "line": [{key: step[key] for key in ("action", "label", "steps", "seat")} for step in self.steps(report)],
        }

    def place(self, action: int) -> Json:
        """Name and steps of a root action, looked up once."""
        if action not in self.places:
            self.places[action] = move_outline(safe_drawing.gesture(self.state, action))
        return self.places[action]

    def steps(self, report: SearchReport, *, scenes: bool = False) -> list[Json]:
        """The principal variation; with `scenes` also the position after each move."""
        return played_out(self.possible_world(), report.principal_variation[: len(report.line)], scenes, self.state)

    def possible_world(self) -> State:
        """A position that fits what the mover sees: rules can't play on from hidden parts."""
        if self.state.game.hidden and isinstance(self.agent, SearchAgent):
            return self.agent.branch([], depth=0, top=0)[1]
        return imagined(self.state, self.seat)

    # --- questions about the tree, also while it grows --------------------------------------------

    def answer_questions(self, excuse: SpielbaumError | None = None) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                question, answer = self.questions.get_nowait()
                if not answer.set_running_or_notify_cancel():
                    continue
                try:
                    if excuse is not None:
                        raise excuse
                    answer.set_result(question())
                except Exception as error:
                    answer.set_exception(error)

    def answer_afterwards(self) -> None:
        """Answer questions after the search, unless its agent searches something else by now."""
        excuse = SpielbaumError("the agent thinks about something else by now")
        if self.handle.lock.acquire(timeout=0.1):
            try:
                self.answer_questions(None if self.handle.subject is self else excuse)
            finally:
                self.handle.lock.release()
        else:
            self.answer_questions(excuse)

    async def ask(self, question: Callable[[], Any]) -> Any:
        """Answer a question while nobody changes the tree: between two slices, or after the search."""
        answer: Future[Any] = Future()
        self.questions.put((question, answer))
        if self.done:
            await asyncio.to_thread(self.answer_afterwards)
        return await asyncio.wrap_future(answer)

    def line_shown(self) -> list[Json]:
        """The principal variation with its positions."""
        report = self.agent.report()
        return self.steps(report, scenes=True) if report else []

    def branch(self, path: list[int], depth: int, top: int) -> Json:
        """Part of the tree, with the position at its root."""
        node, state = self.agent.branch(path, depth, top)
        viewer = self.seat if state.game.hidden else None
        return {
            "path": path,
            "turn": None if state.over else state.player,
            "scene": safe_drawing.scene(state, viewer),
            "node": node_data(node, state, node.visits, path[-1] if path else None),
        }


@dataclass(eq=False)
class Pondering:
    """An agent that thinks while others are to move, until it is stopped or has used the time of a search."""

    handle: AgentHandle
    state: State
    seconds: float
    stopped: bool = False

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end."""
        return self.stopped

    def stop(self) -> None:
        """End it: nobody needs it, or a search needs its thread or agent."""
        self.stopped = True

    def give_up(self) -> None:
        """Mark it as stopped: its thread does not end."""
        self.stopped = True

    def run(self) -> None:
        """Ponder; runs in a thread."""
        with self.handle.locked():
            if not self.stopped:
                self.end = time.monotonic() + self.seconds
                self.handle.agent.ponder(self.state, watch=self.watch)

    def watch(self) -> None:
        self.handle.subject = self
        if self.stopped or time.monotonic() > self.end:
            self.handle.agent.stop()


def finite(number: float | None) -> float | None:
    """A number as JSON has it: None for NaN and infinity, which an evaluation may return."""
    return number if number is not None and math.isfinite(number) else None


def node_data(node: TreeNode, state: State, siblings: float, action: int | None) -> Json:
    """A node and what is shown below it; `state` is the position there, `siblings` their visits together."""
    children = []
    below = sum(child.visits for child in node.children)
    for child in node.children:
        if child.action in state.actions:
            after = state.copy().play(child.action)
            place = move_outline(safe_drawing.gesture(state.view(state.player), child.action))
            children.append({**node_data(child, after, max(below, node.visits), child.action), **place})
    return {
        "action": action,
        "label": node.move,
        "steps": [],
        "seat": node.player if node.player >= 0 else None,
        "visits": node.visits,
        "share": node.visits / siblings if siblings else 0.0,
        "value": finite(node.value),
        "bound": node.bound,
        "children": children,
        "more": node.more,
    }


def played_out(world: State, actions: list[int], scenes: bool, viewed: State) -> list[Json]:
    """A line of actions with names, steps and movers; with `scenes` also the positions."""
    viewer = viewed.player if viewed.game.hidden else None
    steps = []
    for action in actions:
        if action not in world.actions:
            break
        mover = world.player
        place = move_outline(
            safe_drawing.gesture(world.view(mover) if mover == viewer or viewer is None else world, action)
        )
        world.play(action)
        steps.append({**place, "seat": mover, **({"scene": safe_drawing.scene(world, viewer)} if scenes else {})})
    return steps


def limited_agent(spec: str, game: Game, seed: int, megabytes: int) -> AgentHandle:
    """An agent within the server's limits."""
    kind, values = resolve(spec, game)
    if kind.name == "human":
        raise SpielbaumError('\'human\' asks in a terminal; a person\'s seat is {"kind": "human"}')
    caps = {**CAPS, "memory": megabytes, "table": megabytes}
    limited = {name: min(value, caps[name]) if name in caps else value for name, value in values.items()}
    return AgentHandle(kind.seat(game, limited, seed), spec, (game.name, kind.name))


class Searches:
    """The server's searches: `limit` of them at once, all others in a queue.

    One that goes on for more than `patience` seconds after its end is given up; `most` of one type_key that still go on
    are enough.
    """

    def __init__(self, limit: int, patience: float, most: int):
        self.limit, self.patience, self.most = limit, patience, most
        self.running: list[Search] = []
        self.pondering: list[Pondering] = []
        self.waiting: list[tuple[Search, asyncio.Future[None]]] = []
        self.lost: list[AgentHandle] = []
        self.tasks: set[asyncio.Task[Any]] = set()
        self.kept: OrderedDict[int, Callable[[], None]] = OrderedDict()

    async def run(self, search: Search) -> int:
        """The search's action, when it has had its turn; cancelling the task cancels the search."""
        self.admit(*search.handle.type_key)
        try:
            await self.take_turn(search)
            return int(await self.looked_after(search, self.running))
        except asyncio.CancelledError:
            search.cancel()
            raise

    async def ponder(self, pondering: Pondering) -> None:
        """Let an agent ponder where a thread is free; searches go first."""
        if len(self.running) + len(self.pondering) >= self.limit:
            return
        self.pondering.append(pondering)
        with contextlib.suppress(Lost):
            await self.looked_after(pondering, self.pondering)

    # --- threads --------------------------------------------------------------------------------

    def looked_after(self, job: Search | Pondering, place: list[Any]) -> asyncio.Future[Any]:
        """The result of a job in a thread; the job holds its place until the thread ends, even if nobody waits."""
        task = asyncio.get_running_loop().create_task(self.look_after(job, place))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may wait for it any more
        return asyncio.shield(task)

    async def look_after(self, job: Search | Pondering, place: list[Any]) -> Any:
        busy = late = 0.0
        try:
            thread, work = in_thread(job.run)
            while not (await asyncio.wait({work}, timeout=BETWEEN_LOOKS))[0]:
                if preparing():
                    continue  # compiling is nobody's thinking
                busy += BETWEEN_LOOKS
                if job.is_stopped or busy > job.seconds:
                    if late == 0:
                        in_thread(job.handle.agent.stop)
                    late += BETWEEN_LOOKS
                if late > self.patience:
                    raise self.give_up(job, thread, work)
            return work.result()
        finally:
            place.remove(job)
            self.next_please()

    def give_up(self, job: Search | Pondering, thread: threading.Thread, work: asyncio.Future[Any]) -> Lost:
        """Give a thread up; it counts as lost until it ends."""
        handle = job.handle
        handle.lost = True
        self.lost.append(handle)

        def found(work: asyncio.Future[Any]) -> None:
            self.lost.remove(handle)
            log.warning("a search that was given up has ended", extra={"facts": {"agent": handle.spec}})
            work.cancelled() or work.exception()

        work.add_done_callback(found)
        job.give_up()
        interrupt(thread)
        facts = {"game": handle.type_key[0], "agent": handle.spec, "lost": len(self.lost)}
        log.error("a search was given up", extra={"facts": facts})
        return Lost(f"{handle.spec} was still busy {self.patience:g} s after it should have ended, and was given up")

    def admit(self, game: str, kind: str) -> None:
        """Raise `SpielbaumError` for an agent with too many lost threads."""
        number = sum(handle.type_key == (game, kind) for handle in self.lost)
        if number >= self.most:
            raise SpielbaumError(f"{kind} is not asked in {game}: {number} of its searches did not end; choose another")

    def health(self) -> Json:
        """How many there are, and which are lost."""
        counts = {"running": len(self.running), "waiting": len(self.waiting), "limit": self.limit}
        return {**counts, "lost": [{"game": handle.type_key[0], "agent": handle.spec} for handle in self.lost]}

    # --- the queue ------------------------------------------------------------------------------

    async def take_turn(self, search: Search) -> None:
        for pondering in self.pondering[: max(0, len(self.running) + len(self.pondering) + 1 - self.limit)]:
            pondering.stop()
        if len(self.running) < self.limit:
            self.running.append(search)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((search, turn))
        search.position = len(self.waiting)
        search.on_report(search)
        try:
            await turn
        except asyncio.CancelledError:
            if search in self.running:  # its turn came just now
                self.running.remove(search)
            self.waiting = [(other, its) for other, its in self.waiting if other is not search]
            self.next_please()
            raise

    def next_please(self) -> None:
        """Start the next searches of the queue, and report to the others how far they have come."""
        while self.waiting and len(self.running) < self.limit:
            search, turn = self.waiting.pop(0)
            search.position = 0
            self.running.append(search)
            if not turn.done():
                turn.set_result(None)
        for position, (search, _) in enumerate(self.waiting, 1):
            if search.position != position:
                search.position = position
                search.on_report(search)

    def retain(self, key: int, forget: Callable[[], None]) -> None:
        """Note that a session keeps agents in memory; the session that has kept them longest must forget them."""
        self.kept.pop(key, None)
        self.kept[key] = forget
        while len(self.kept) > KEPT_AGENTS:
            self.kept.popitem(last=False)[1]()

    def release(self, key: int) -> None:
        """Note that a session keeps no agents."""
        self.kept.pop(key, None)

    def close(self) -> None:
        """Stop everything that runs."""
        for search in self.running:
            search.cancel()
        for pondering in self.pondering:
            pondering.stop()
        for task in self.tasks:
            task.cancel()
