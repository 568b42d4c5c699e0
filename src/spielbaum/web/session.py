"""A session: a table with people around it. Who may see and do what, whose turn it is, who is told.

A session changes under its lock, one change at a time; the rules, the drawing and the disk are worked on in
threads, so that the event loop is free for all others. After every change each connection gets the
complete position as its seats may see it, which is also all that a client needs to come back after a break.
What clients ask for is in `handlers`, what agents think in `mind`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any

from spielbaum.errors import SpielbaumError
from spielbaum.web import catalogue, drawing
from spielbaum.web.connection import Connection, refused
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal, failure, noted, without_folders
from spielbaum.web.handlers import HANDLERS
from spielbaum.web.mind import Mind
from spielbaum.web.searches import Pondering
from spielbaum.web.seating import seeds
from spielbaum.web.table import Seat, Table
from spielbaum.web.threads import Lost

if TYPE_CHECKING:
    from spielbaum.web.sessions import Sessions

log = logging.getLogger(__name__)


class Session:
    """A table, the tokens for its seats, and those who are connected."""

    def __init__(
        self, hub: Sessions, identity: str, table: Table, tokens: dict[str, str | int], claimed: Iterable[int] = ()
    ):
        self.hub, self.identity, self.table, self.tokens = hub, identity, table, tokens
        self.claimed = set(claimed)  # seats whose invites were used: they no longer belong to the owner
        self.connections: set[Connection] = set()
        self.lock = asyncio.Lock()
        self.rev = 0
        self.position_rev = 0  # the first one with the position that is shown
        self.shown = (table, table.changes)
        self.mind = Mind(self)
        self.work: asyncio.Task[None] | None = None
        self.pondering: list[Pondering] = []
        self.alarm: asyncio.TimerHandle | None = None
        self.moved = 0.0  # when an agent has moved
        self.touched = time.monotonic()
        self.recorded = False
        self.stored = False  # as it is now
        self.origin = ""  # the address that it was begun from
        self.ended = False

    # --- connections ----------------------------------------------------------------------------

    async def connect(self, token: str) -> Connection:
        """Let a client in and show it everything."""
        grant = self.granted(token)
        if len(self.connections) >= self.hub.settings.connections:
            raise Refusal("too-many", "too many connections to this session", "too-many-screens")
        connection = Connection(self, grant)
        async with self.lock:
            if isinstance(grant, int) and grant not in self.claimed:
                await self.claim(grant)
            connection.send(self.welcome(connection))
            await self.show(connection)
            self.mind.tell_again(connection)
            self.connections.add(connection)
            self.go_on()
        return connection

    async def claim(self, seat: int) -> None:
        """Somebody came for a seat: others no longer decide for it, nor see what it sees.

        That is stored at once: a server that is killed now must not forget it.
        """
        self.claimed.add(seat)
        await asyncio.to_thread(self.save)
        for connection in [*self.connections]:
            connection.shown = None if connection.shown == seat else connection.shown
            connection.send(self.welcome(connection))
            await self.show(connection)

    def granted(self, token: str) -> str | int:
        """What a token is good for."""
        for known, grant in self.tokens.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                return grant
        raise Refusal("unauthorised", "this token does not belong to the session")

    def disconnect(self, connection: Connection) -> None:
        """A client is gone; what only it wanted to know is no longer searched."""
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if not self.connections:
            self.stop_pondering()
        search = self.mind.search
        if not self.connections and search is not None and (search.why != "move" or not self.table.humans):
            self.stop_work()
        if not self.ended:
            self.hub.keep(self.save)

    def welcome(self, connection: Connection) -> Json:
        table = self.table
        seats = [
            {**described, "kind": seat.kind, "person": seat.person, "spec": seat.spec}
            for described, seat in zip(catalogue.seats(table.game), table.seats, strict=True)
        ]
        return {
            "type": "welcome",
            "session": self.identity,
            "game": table.name,
            "title": drawing.words(table.game, table.game.title),
            "mode": table.mode,
            "options": table.game.options,
            "seats": seats,
            "yours": connection.seats,
            "control": connection.control,
            "backdrop": drawing.backdrop(table.game),
            "symbols": drawing.artwork(table.game) is not None,
            "hidden": table.game.hidden,
            "rounds": table.game.simultaneous,
        }

    # --- showing --------------------------------------------------------------------------------

    def presentation(self, connection: Connection, drawn: dict[Any, Json] | None = None) -> Json:
        """The position as a connection may see it; what was drawn for one is there for others who see the same."""
        drawn = {} if drawn is None else drawn
        viewer, seat, curtain = connection.view()
        if curtain:
            return {"type": "curtain", "rev": self.rev, "seat": seat, "ply": self.table.ply}
        sight = viewer, *connection.seats
        try:
            if sight not in drawn:
                drawn[sight] = self.table.shown(viewer, connection.seats)
        except Exception as error:  # a drawing is other people's code, which may raise anything
            return refused(failure(error, session=self.identity, game=self.table.name))
        busy = self.mind.search
        return {
            "type": "state",
            "rev": self.rev,
            **drawn[sight],
            "busy": busy.told if busy else None,
            "can": self.possibilities(connection),
        }

    def possibilities(self, connection: Connection) -> Json:
        table, seats = self.table, connection.seats
        deciding = connection.turn is not None
        return {
            "act": deciding or (table.mode == "analysis" and not table.over),
            "undo": connection.control and table.undo_ply() is not None,
            "hint": deciding,
            "resign": table.mode == "play" and not table.over and bool(seats),
            "restart": connection.control,
            "think": table.mode == "analysis" and not table.over,
        }

    async def show(self, connection: Connection) -> None:
        connection.send(await asyncio.to_thread(self.presentation, connection))

    async def show_all(self) -> None:
        """The position is the same, but what is searched or whose clock runs is not."""
        async with self.lock:
            self.go_on()
            await self.show_again()

    async def show_again(self) -> None:
        for connection in [*self.connections]:
            await self.show(connection)

    async def hold_clocks(self) -> None:
        """Nobody's time runs while kernels are compiled or loaded."""
        async with self.lock:
            self.table.stop_clock(*self.table.since)
            self.watch_clock()
            await self.show_again()

    async def publish(self) -> None:
        """Something has changed: store it, tell everybody, and let an agent move."""
        self.rev += 1
        self.stored = False
        is_new = self.shown != (self.table, self.table.changes)
        if is_new:
            self.shown, self.position_rev = (self.table, self.table.changes), self.rev
        self.touched = time.monotonic()
        self.go_on()
        self.ponder()
        connections = list(self.connections)
        for connection, message in zip(connections, await asyncio.to_thread(self.draw_all, connections), strict=True):
            connection.send(message)
        if is_new:
            self.mind.tell_round()

    def draw_all(self, connections: list[Connection]) -> list[Json]:
        """In a thread: what everybody is sent."""
        self.save()
        drawn: dict[Any, Json] = {}
        return [self.presentation(connection, drawn) for connection in connections]

    @property
    def is_unused(self) -> bool:
        """Whether nobody is connected, nothing is searched, and it can be found on disk."""
        return self.stored and not self.connections and self.mind.search is None

    def save(self) -> None:
        """Store the session, and its game where it is over."""
        table = self.table
        is_finished = table.over and table.mode == "play"
        if is_finished and not self.recorded:
            self.recorded = True  # no other thread does it meanwhile
            self.recorded = self.hub.store.add_record({**table.record(), "told": table.summary()})
        kept = {"tokens": self.tokens, "claimed": sorted(self.claimed), "recorded": self.recorded}
        if self.hub.closed or not self.connections:  # those who are there have been told
            kept["told"] = self.mind.told
        saved = self.hub.store.save(self.identity, {"table": table.as_dict(), **kept}, over=table.over)
        self.stored = saved and (self.recorded or not is_finished)

    # --- agents at work -------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let an agent move where one is to, and watch the clock."""
        table = self.table
        if self.mind.search is None or self.mind.search.preparation is None:
            table.start_clocks(self.asked())
        self.watch_clock()
        if table.mode != "play" or self.is_working:
            return
        if table.over:
            if table.repeat and not table.humans and self.connections:
                self.work = self.beside(self.again())
        elif self.agent_to_move() is not None and not table.paused and (table.humans or self.connections):
            self.work = self.hub.task(self.agent_move())

    def ponder(self) -> None:
        """Let agents who want to think in the time of those who are to move now."""
        self.stop_pondering()
        table = self.table
        if table.mode != "play" or table.over or table.paused or not self.connections:
            return
        for seat, thinker in self.mind.agents.items():
            if thinker.agent.ponders and not thinker.lost and seat not in table.waiting:
                thoughts = Pondering(thinker, table.state.view(seat), self.hub.settings.seconds)
                self.pondering.append(thoughts)
                self.hub.task(self.hub.searches.ponder(thoughts))

    def stop_pondering(self) -> None:
        for thoughts in self.pondering:
            thoughts.stop()
        self.pondering.clear()

    @property
    def is_working(self) -> bool:
        """Whether something is searched, or waited for before it is."""
        return self.work is not None and not self.work.done()

    def agent_to_move(self) -> int | None:
        """The agent that is asked now."""
        return next((seat for seat in self.table.waiting if self.table.seats[seat].kind == "agent"), None)

    def asked(self) -> list[int]:
        """Who may decide now: an agent, who plays at an own screen, and one of those who share the other screen."""
        waiting, humans = self.table.waiting, self.table.humans
        agent = self.agent_to_move()
        sharing = [seat for seat in waiting if seat in humans and seat not in self.claimed]
        return [*([] if agent is None else [agent]), *sharing[:1], *(seat for seat in waiting if seat in self.claimed)]

    def watch_clock(self) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
        table = self.table
        if table.limit is not None and table.since:
            left = table.limit - max(table.clock()["used"][seat] for seat in table.since)
            self.alarm = asyncio.get_running_loop().call_later(max(left, 0), lambda: self.beside(self.time_is_up()))

    def beside(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Do something that no client has asked for; where it fails, everybody here is told."""

        async def done_or_told() -> None:
            try:
                await work
            except Exception as error:  # rules are other people's code, which may raise anything
                refusal = failure(error, session=self.identity)
                for connection in self.connections:
                    connection.send(refused(refusal))

        return self.hub.task(done_or_told())

    async def time_is_up(self) -> None:
        async with self.lock:
            table = self.table
            if table.limit is None or not table.since or table.over:
                return
            used = table.clock()["used"]
            last = max(table.since, key=lambda seat: used[seat])
            if used[last] < table.limit:
                self.watch_clock()
                return
            self.stop_work()
            table.end("time", last)
            await self.publish()

    async def again(self) -> None:
        """Agents show how it ended, and begin another game."""
        await asyncio.sleep(self.hub.settings.pause)
        async with self.lock:
            self.work = None
            await self.begin_anew(self.table.seats, None)

    async def agent_move(self) -> None:
        """One move by an agent, not before the one before it was shown for long enough."""
        table, seat = self.table, self.agent_to_move()
        assert seat is not None
        by_agents = bool(table.steps) and all(table.seats[move.seat].kind == "agent" for move in table.steps[-1])
        if (by_agents or self.hub.settings.kiosk) and not table.choices:  # visitors want to see what they have done
            await asyncio.sleep(max(0.0, self.moved + table.pace - time.monotonic()))
        try:
            search, action = await self.mind.move(seat)
            async with self.lock:
                self.mind.finish(search)
                await asyncio.to_thread(table.play, seat, action)
                self.moved = time.monotonic()
                self.work = None
                await self.publish()
        except Exception as error:  # rules and agents are other people's code, which may raise anything
            await self.fault(error)

    async def fault(self, error: Exception) -> None:
        """An agent failed: say so and wait for somebody to decide."""
        number = noted("an agent failed", error, session=self.identity)
        is_open = not self.table.secret and not self.table.choosing
        told = isinstance(error, Lost) or (isinstance(error, SpielbaumError) and is_open)
        async with self.lock:
            self.mind.cancel()
            self.work = None
            self.table.faults.append(
                without_folders(str(error)) if told else f"number {number} in the server's log says why"
            )
            self.table.paused = True
            await self.publish()

    def stop_work(self) -> None:
        """Whatever is being searched or waited for is no longer wanted."""
        self.mind.cancel()
        if self.work is not None:
            self.work.cancel()
            self.work = None

    # --- requests -------------------------------------------------------------------------------

    async def handle(self, connection: Connection, message: Any) -> None:
        """Do what a client asks for, or refuse."""
        async with self.lock:
            if self.ended:
                raise Refusal("not-now", "the session has ended", "ended")
            await HANDLERS[message.type](self, connection, message)

    async def begin_anew(self, seats: list[Seat], seed: int | None) -> None:
        old = self.table
        (seed, agent_seed), position = seeds(old.game, seats, seed), old.position
        kept = old.mode, old.limit, old.pace, old.repeat
        self.table = Table(old.game, old.name, seats, seed, *kept, position=position, agent_seed=agent_seed)
        self.mind.forget()
        self.mind.told.clear()
        self.recorded = False
        for connection in self.connections:
            connection.shown = None
            connection.send(self.welcome(connection))
        await self.publish()

    async def end(self, reason: str) -> None:
        """The session is over for all, and forgotten."""
        self.ended = True
        self.stop_work()
        if self.alarm is not None:
            self.alarm.cancel()
        for connection in self.connections:
            connection.send({"type": "ended", "reason": reason})
            connection.close()
        self.mind.forget()
        self.hub.searches.release(id(self))
        self.hub.loaded.pop(self.identity, None)
        await asyncio.to_thread(self.hub.store.forget, self.identity)
        log.info("session ended", extra={"facts": {"session": self.identity, "why": reason}})
