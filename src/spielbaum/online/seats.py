"""Who plays on a server: guests, each at the other end of a socket, and bots of the house, which think in threads.

Nobody may keep the others waiting. What is sent to a guest goes into the socket's buffer without waiting; a guest who
does not read is dropped when the buffer is full. Bots share the cores fairly: with n of them waiting or thinking on c
cores, a bot whose turn comes has c / n of the time until its deadline, and one that does not end is given up at the
cut-off.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.frames import CloseCode

from spielbaum.agents import Agent, make
from spielbaum.agents.agent import Watch
from spielbaum.clock import Clock
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.rules import NO_ANSWER
from spielbaum.online.local_stage import THOUGHTS, plans
from spielbaum.online.match import Match
from spielbaum.online.protocol import CODES, Message, action_of
from spielbaum.rules import seat_seed
from spielbaum.web.threads import give_way, in_thread

log = logging.getLogger(__name__)

UNREAD = 1 << 20  # bytes that may wait for a guest
UNASKED = 100  # messages that nobody has asked for, until the next state
HURRY = 2.0  # seconds in which a connection has to end
MARGIN, LEAST_MARGIN = 0.1, 0.03  # of its time, and seconds, that a bot leaves before the cut-off


class Guest:
    """Somebody at the other end of a socket."""

    def __init__(self, connection: ServerConnection, name: str, *, abrupt: bool = False):
        self.connection, self.name, self.abrupt = connection, name, abrupt
        self.match: Match | None = None
        self.player = 0
        self.unasked = 0
        self.gone = False

    def sit(self, match: Match, player: int) -> None:
        self.match, self.player = match, player

    def on_state(self, state: Message) -> None:
        """Send a state; who has let too much lie unread is dropped."""
        self.unasked = 0
        broadcast([self.connection], state.to(self.player))
        if self.connection.transport.get_write_buffer_size() > UNREAD:
            self.connection.transport.abort()

    def asked(self, deadline: float, cut_off: float) -> None:
        if self.gone and self.match is not None:
            self.match.leave(self.player)

    def heard(self, text: str | bytes) -> bool:
        """Take a message; whether the guest may go on talking."""
        wanted = self.match is not None and self.match.answer(self.player, action_of(text))
        self.unasked += not wanted
        return self.unasked <= UNASKED

    def left(self) -> None:
        """The socket is closed."""
        self.gone = True
        if self.match is not None:
            self.match.leave(self.player)

    def dismissed(self) -> None:
        self.match = None

    async def part(self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Close the connection after what was sent; `abrupt` is without a word, as the official server does it."""
        if not self.abrupt:
            await self.connection.close(code, reason)
            return
        self.connection.transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HURRY):
                await self.connection.wait_closed()
        self.connection.transport.abort()


class Worker(threading.Thread):
    """A thread that does one thing after the other; to begin a thread for each would take the event loop's time."""

    def __init__(self) -> None:
        super().__init__(name="bot", daemon=True)
        self.jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.start()

    def run(self) -> None:
        give_way()
        while (job := self.jobs.get()) is not None:
            job()

    def do(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """Begin to work; the future has what comes of it."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Any] = loop.create_future()

        def deliver(answer: Any, error: Exception | None) -> None:
            if not result.cancelled():
                result.set_result(answer) if error is None else result.set_exception(error)

        def job() -> None:
            answer, error = None, None
            try:
                answer = work()
            except BaseException as raised:  # also `exit()`, which is not for an agent to say
                error = RuntimeError(f"{type(raised).__name__}: {raised}")
            with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(deliver, answer, error)

        self.jobs.put(job)
        return result


class Brains:
    """The threads that bots share, one for each core."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1
        self.free = asyncio.Semaphore(self.cores)
        self.idle = [Worker() for _ in range(self.cores)]
        self.busy = 0  # bots that wait or think

    async def think(self, agent: Agent, view: State, watch: Watch | None, until: float, cut_off: float) -> int:
        """What an agent answers, and no answer at the cut-off; there it is told to stop."""
        self.busy += 1
        try:
            async with asyncio.timeout_at(cut_off), self.free, self.worker() as worker:
                now = time.monotonic()
                share = (until - now) * min(1.0, self.cores / self.busy)
                return int(await worker.do(lambda: agent.act(view, Clock(deadline=now + share), watch=watch)))
        except TimeoutError:
            agent.stop()
            return NO_ANSWER
        finally:
            self.busy -= 1

    @contextlib.asynccontextmanager
    async def worker(self) -> AsyncIterator[Worker]:
        """A thread for one thing; where that is not done in time, nobody waits for it and another takes its place."""
        worker = self.idle.pop()
        try:
            yield worker
        except asyncio.CancelledError:
            worker.jobs.put(None)
            worker = Worker()
            raise
        finally:
            self.idle.append(worker)


class Bot:
    """An agent of the house. It does not think of giving no answer: it sees a game in which everybody has a voice."""

    def __init__(self, spec: str, game: Game, brains: Brains):
        self.name, self.spec, self.game, self.brains = spec, spec, game, brains
        self.task: asyncio.Task[None] | None = None
        self.match: Any = None
        self.player = 0

    def sit(self, match: Match, player: int) -> None:
        self.match, self.player = match, player
        self.agent = make(self.spec, self.game, seat_seed(match.seed, player))

    def on_state(self, state: Message) -> None:
        """Nothing: a bot sees the game itself."""

    def asked(self, deadline: float, cut_off: float) -> None:
        margin = max(LEAST_MARGIN, MARGIN * (cut_off - time.monotonic()))
        self.task = asyncio.create_task(self.answer(min(deadline, cut_off - margin), cut_off))

    async def answer(self, until: float, cut_off: float) -> None:
        """Think, or let a person at the screen do so."""
        match, rounds = self.match, self.match.rounds
        action = await self.steered(match, until)
        if action is None:
            thought = await self.thought(match, until, cut_off)
            came = await self.steered(match, until)  # somebody may have come meanwhile
            action = thought if came is None else came
        if match.rounds == rounds:
            match.answer(self.player, action)

    async def steered(self, match: Match, until: float) -> int | None:
        """What a person has chosen who has taken the bot's place, and has as much time for it."""
        stream = match.stream
        if stream is None or stream.taken(self.player) is None:
            return None
        _, chosen = in_thread(lambda: stream.wait(self.player, until - time.monotonic()))
        return CODES.get(await chosen)

    async def thought(self, match: Match, until: float, cut_off: float) -> int:
        """What the agent answers; what it raises is told, and is no answer."""
        state = match.state
        view = State(self.game, state.array.copy(), state.rng, list(state.history or ())).view(self.player)
        try:
            action = await self.brains.think(self.agent, view, self.shown(match, view), until, cut_off)
        except Exception as error:  # agents are other people's code, which may raise anything
            log.warning("game %d: %s raised %s", match.number, self.name, error)
            return NO_ANSWER
        return action if action in CODES.values() else NO_ANSWER

    def shown(self, match: Match, view: State) -> Watch | None:
        """Shows what the agent thinks, some times a second, where somebody looks on; who takes over stops it."""
        stream, last = match.stream, 0.0
        if stream is None:
            return None

        def watch() -> None:
            nonlocal last
            if stream.taken(self.player) is not None:
                self.agent.stop()
            if stream.followers and time.monotonic() - last > THOUGHTS:
                last = time.monotonic()
                stream.think(plans(self.agent, view, self.player), self.player)

        return watch

    def dismissed(self) -> None:
        """Its tree is not needed any more."""
        self.agent.stop()
        self.match = self.task = None
