"""Searches in threads: a cap on how many run at once, a queue that everybody can see, limits and cancelling.

A search reports while it runs (between two slices of the engine) and is cancelled there. A session has one
search at a time, so that first come, first served is fair. Agents keep their trees and tables
after a search, for walking in the tree and for the next move; only the latest few of the whole server do,
because memory is the server's.

All searches of the engine end soon after they are told to. An author's agent may not: it is given up some seconds
later, its players are told, and others go on in its place. An agent of which several were given up is refused as
long as they are still busy.
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
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.link import preparing
from spielbaum.search.report import SearchReport, TreeNode
from spielbaum.web import plain
from spielbaum.web.catalogue import general
from spielbaum.web.drawing import Json
from spielbaum.web.table import place_of
from spielbaum.web.threads import Lost, in_thread, interrupt
from spielbaum.web.warming import Job

log = logging.getLogger(__name__)

BETWEEN_REPORTS = 0.12  # seconds
MOST_EDGES = 60
KEPT_AGENTS = 6
BETWEEN_LOOKS = 0.25  # seconds after which a thread is looked after again
CAPS = {
    "threads": 2,
    "determinizations": 256,
    "simulations": 10,
    "limit": 5_000,
}  # so that every iteration ends within a few seconds; besides memory, which is a setting


@dataclass(eq=False)
class Thinker:
    """An agent with what it was made of; the lock is held by whoever uses its tree."""

    agent: Agent
    spec: str
    breed: tuple[str, str]  # the game and the kind of agent
    lost: bool = False  # a thread that was given up may still use it
    subject: Search | Pondering | None = None  # what its tree is about
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else uses the tree, unless somebody will for ever."""
        while not self.lock.acquire(timeout=BETWEEN_LOOKS):
            if self.lost:
                raise Lost(f"{self.spec} was given up")
        try:
            yield
        finally:
            self.lock.release()


@dataclass(eq=False)
class Search:
    """An agent at work on a position, as its mover sees it."""

    thinker: Thinker
    state: State
    why: str
    ply: int
    seconds: float
    tell: Callable[[Search], None]
    report: Json | None = None
    line: list[int] = field(default_factory=list)
    position: int = 0
    cancelled: bool = False
    enough: bool = False
    begin: float | None = None
    done: bool = False
    job: Job | None = None  # what it needs first, where it is the first search of its kind
    questions: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        self.reported = 0.0
        self.places: dict[int, Json] = {}
        self.agent, self.spec = self.thinker.agent, self.thinker.spec

    @property
    def seat(self) -> int:
        """Whose decision it is about."""
        return self.state.player

    @property
    def told(self) -> Json:
        """What is said of it with every position."""
        return {"seat": self.seat, "why": self.why, "queue": self.position, "preparation": self.preparation}

    @property
    def preparing(self) -> bool:
        """Whether it has its turn but not its first result: the very first search of a game is compiled."""
        return self.position == 0 and self.begin is None and not self.done and isinstance(self.agent, SearchAgent)

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end."""
        return self.cancelled or self.enough

    @property
    def preparation(self) -> Json | None:
        """What it waits for while its kernels are compiled or loaded."""
        return None if self.job is None or self.begin is not None or self.done else self.job.told()

    def cancel(self) -> None:
        """Nobody wants to know any more."""
        self.cancelled = True

    def give_up(self) -> None:
        """Its thread is lost: nothing will come of it."""
        self.cancelled = self.done = True
        self.answer_questions(SpielbaumError("the agent does not answer any more"))

    # --- in the search's thread -----------------------------------------------------------------

    def run(self) -> int:
        """The action that the agent plays."""
        with self.thinker.alone():
            self.thinker.subject = self
            return self.run_alone()

    def run_alone(self) -> int:
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
        """Time begins to run at the first slice: compiling is nobody's thinking."""
        now = time.monotonic()
        if self.begin is None:
            self.begin = now
            self.note_kernels()
        self.answer_questions()
        if now > self.reported + BETWEEN_REPORTS and not self.cancelled:
            self.take_report()
            self.tell(self)
            self.reported = time.monotonic()
        if self.is_stopped or now > self.begin + self.seconds:
            self.agent.stop()

    def note_kernels(self) -> None:
        """Its kernels are there, for all that come after it too."""
        if self.job is not None:
            self.job.loaded()

    def take_report(self) -> None:
        report = self.agent.report()
        if report is not None:
            self.report, self.line = self.described(report), report.principal_variation

    def described(self, report: SearchReport) -> Json:
        """A report with its moves as they are called and drawn."""
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
        """How a root action is called and drawn; looked up once, however often it is reported."""
        if action not in self.places:
            self.places[action] = place_of(plain.gesture(self.state, action))
        return self.places[action]

    def steps(self, report: SearchReport, *, scenes: bool = False) -> list[Json]:
        """The principal variation, on demand with the position after each move."""
        return played_out(self.possible_world(), report.principal_variation[: len(report.line)], scenes, self.state)

    def possible_world(self) -> State:
        """The position as the search supposes it to be: rules can't play on from blanks."""
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
        """Answer with what the agent still has in its memory, unless it thinks about something else by now."""
        excuse = SpielbaumError("the agent thinks about something else by now")
        if self.thinker.lock.acquire(timeout=0.1):
            try:
                self.answer_questions(None if self.thinker.subject is self else excuse)
            finally:
                self.thinker.lock.release()
        else:
            self.answer_questions(excuse)

    async def ask(self, question: Callable[[], Any]) -> Any:
        """Answer a question where nobody changes the tree: between two slices, or after the search."""
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
            "scene": plain.scene(state, viewer),
            "node": node_data(node, state, node.visits, path[-1] if path else None),
        }


@dataclass(eq=False)
class Pondering:
    """An agent that thinks in the time of others: until it is stopped, and no longer than a search may take."""

    thinker: Thinker
    state: State
    seconds: float
    stopped: bool = False

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end."""
        return self.stopped

    def stop(self) -> None:
        """Nobody needs it any more, or somebody needs its thread or its agent."""
        self.stopped = True

    def give_up(self) -> None:
        """Its thread is lost."""
        self.stopped = True

    def run(self) -> None:
        """In a thread."""
        with self.thinker.alone():
            if not self.stopped:
                self.end = time.monotonic() + self.seconds
                self.thinker.agent.ponder(self.state, watch=self.watch)

    def watch(self) -> None:
        self.thinker.subject = self
        if self.stopped or time.monotonic() > self.end:
            self.thinker.agent.stop()


def finite(number: float | None) -> float | None:
    """A number that JSON knows; an evaluation of a game may give others."""
    return number if number is not None and math.isfinite(number) else None


def node_data(node: TreeNode, state: State, siblings: float, action: int | None) -> Json:
    """A node and what is shown below it; `state` is the position there, `siblings` their visits together."""
    children = []
    below = sum(child.visits for child in node.children)
    for child in node.children:
        if child.action in state.actions:
            after = state.copy().play(child.action)
            place = place_of(plain.gesture(state.view(state.player), child.action))
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


def played_out(world: State, actions: list[int], scenes: bool, seen: State) -> list[Json]:
    """A line of actions, each as it is called and drawn, with who moves."""
    viewer = seen.player if seen.game.hidden else None
    steps = []
    for action in actions:
        if action not in world.actions:
            break
        mover = world.player
        place = place_of(plain.gesture(world.view(mover) if mover == viewer or viewer is None else world, action))
        world.play(action)
        steps.append({**place, "seat": mover, **({"scene": plain.scene(world, viewer)} if scenes else {})})
    return steps


def limited_agent(spec: str, game: Game, seed: int, megabytes: int) -> Thinker:
    """An agent within the server's limits."""
    kind, values = resolve(spec, game)
    if kind.name == "human":
        raise SpielbaumError('\'human\' asks in a terminal; a person\'s seat is {"kind": "human"}')
    caps = {**CAPS, "memory": megabytes, "table": megabytes}
    limited = {name: min(value, caps[name]) if name in caps else value for name, value in values.items()}
    return Thinker(kind.seat(game, limited, seed), spec, (game.name, kind.name))


class Searches:
    """The server's searches: `limit` of them at once, all others in a queue.

    One that goes on for more than `patience` seconds after its end is given up; `most` of one breed that still go on
    are enough.
    """

    def __init__(self, limit: int, patience: float, most: int):
        self.limit, self.patience, self.most = limit, patience, most
        self.running: list[Search] = []
        self.pondering: list[Pondering] = []
        self.waiting: list[tuple[Search, asyncio.Future[None]]] = []
        self.lost: list[Thinker] = []
        self.tasks: set[asyncio.Task[Any]] = set()
        self.kept: OrderedDict[int, Callable[[], None]] = OrderedDict()

    async def run(self, search: Search) -> int:
        """The search's action, when it has had its turn; cancelling the task cancels the search."""
        self.admit(*search.thinker.breed)
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
        """What comes of a job in a thread; the thread keeps its place until it ends, whoever waits for it."""
        task = asyncio.get_running_loop().create_task(self.look_after(job, place))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may wait for it any more
        return asyncio.shield(task)

    async def look_after(self, job: Search | Pondering, place: list[Any]) -> Any:
        thread, work = in_thread(job.run)
        busy = late = 0.0
        try:
            while not (await asyncio.wait({work}, timeout=BETWEEN_LOOKS))[0]:
                if preparing():
                    continue  # compiling is nobody's thinking
                busy += BETWEEN_LOOKS
                if job.is_stopped or busy > job.seconds:
                    if late == 0:
                        in_thread(job.thinker.agent.stop)
                    late += BETWEEN_LOOKS
                if late > self.patience:
                    raise self.give_up(job, thread, work)
            return work.result()
        finally:
            place.remove(job)
            self.next_please()

    def give_up(self, job: Search | Pondering, thread: threading.Thread, work: asyncio.Future[Any]) -> Lost:
        """A thread is lost, until it ends after all."""
        thinker = job.thinker
        thinker.lost = True
        self.lost.append(thinker)

        def found(work: asyncio.Future[Any]) -> None:
            self.lost.remove(thinker)
            log.warning("a search that was given up has ended", extra={"facts": {"agent": thinker.spec}})
            work.cancelled() or work.exception()

        work.add_done_callback(found)
        job.give_up()
        interrupt(thread)
        facts = {"game": thinker.breed[0], "agent": thinker.spec, "lost": len(self.lost)}
        log.error("a search was given up", extra={"facts": facts})
        return Lost(f"{thinker.spec} was still busy {self.patience:g} s after it should have ended, and was given up")

    def admit(self, game: str, kind: str) -> None:
        """Refuse an agent of which enough threads are lost."""
        number = sum(thinker.breed == (game, kind) for thinker in self.lost)
        if number >= self.most:
            raise SpielbaumError(f"{kind} is not asked in {game}: {number} of its searches did not end; choose another")

    def health(self) -> Json:
        """How many there are, and which are lost."""
        counts = {"running": len(self.running), "waiting": len(self.waiting), "limit": self.limit}
        return {**counts, "lost": [{"game": thinker.breed[0], "agent": thinker.spec} for thinker in self.lost]}

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
        search.tell(search)
        try:
            await turn
        except asyncio.CancelledError:
            if search in self.running:  # its turn came just now
                self.running.remove(search)
            self.waiting = [(other, its) for other, its in self.waiting if other is not search]
            self.next_please()
            raise

    def next_please(self) -> None:
        """Let those who wait move up, and tell them where they are."""
        while self.waiting and len(self.running) < self.limit:
            search, turn = self.waiting.pop(0)
            search.position = 0
            self.running.append(search)
            if not turn.done():
                turn.set_result(None)
        for position, (search, _) in enumerate(self.waiting, 1):
            if search.position != position:
                search.position = position
                search.tell(search)

    def keep(self, key: int, forget: Callable[[], None]) -> None:
        """Note that somebody keeps an agent with its memory; the one who has kept longest must forget."""
        self.kept.pop(key, None)
        self.kept[key] = forget
        while len(self.kept) > KEPT_AGENTS:
            self.kept.popitem(last=False)[1]()

    def release(self, key: int) -> None:
        """Somebody keeps nothing any more."""
        self.kept.pop(key, None)

    def close(self) -> None:
        """Stop everything that runs."""
        for search in self.running:
            search.cancel()
        for pondering in self.pondering:
            pondering.stop()
        for task in self.tasks:
            task.cancel()
