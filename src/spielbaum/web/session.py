"""A session: a live game with its clients. It decides who may see and do what, and sends everybody each change.

A session changes under its lock, one change at a time. Rules, drawing and disk run in threads, so that the event loop
is free for other sessions. After every change each connection is sent the position as its seats may see it; a client
that reconnects is sent the same, with the whole history. `handlers` does what clients ask for, `session_agents` runs
the agents.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from spielbaum.errors import GameError, SpielbaumError
from spielbaum.scenes import drawing
from spielbaum.scenes.drawing import Json
from spielbaum.testing.endless import endless_rule
from spielbaum.watchdog import endless_words
from spielbaum.web import catalogue
from spielbaum.web.connection import Connection, SessionState, refused
from spielbaum.web.errors import Refusal, failure, log_failure, without_folders
from spielbaum.web.live_game import LiveGame, Seat, actions_of
from spielbaum.web.searches import Pondering
from spielbaum.web.seating import seeds
from spielbaum.web.session_agents import SessionAgents
from spielbaum.web.session_server import SessionServer
from spielbaum.web.threads import Lost, within

log = logging.getLogger(__name__)


class Session(SessionState):
    """A live game, the tokens that permit to play it, and the connected clients."""

    def __init__(
        self,
        server: SessionServer,
        identity: str,
        live: LiveGame,
        tokens: dict[str, str | int],
        taken: Iterable[int] = (),
    ):
        super().__init__(server, identity, live, taken)
        self.tokens = tokens
        self.lock = asyncio.Lock()
        self.position_rev = 0  # the first one with the position that is shown
        self.shown = (live, live.changes)
        self.agents = SessionAgents(self)
        self.work: asyncio.Task[None] | None = None
        self.pondering: list[Pondering] = []
        self.alarm: asyncio.TimerHandle | None = None
        self.moved = 0.0  # when an agent has moved
        self.touched = time.monotonic()
        self.recorded = False
        self.stored = False  # as it is now
        self.origin = ""  # the address that it was begun from
        self.suspects_rules = True  # where a search does not end

    # --- connections ----------------------------------------------------------------------------

    async def connect(self, token: str) -> Connection:
        """Add a client and send it everything; refuse a wrong token, and a client too many."""
        permission = self.permission_of(token)
        if len(self.connections) >= self.server.settings.connections:
            raise Refusal("too-many", "too many connections to this session", "too-many-screens")
        connection = Connection(self, permission)
        async with self.lock:
            if self.ended:
                raise Refusal("unknown-session", "the session has ended")
            if isinstance(permission, int) and permission not in self.taken:
                await self.take_seat(permission)
            connection.send(self.welcome(connection))
            await self.show(connection)
            self.agents.resend_report(connection)
            self.connections.add(connection)
            self.go_on()
        return connection

    async def take_seat(self, seat: int) -> None:
        """Give a seat to the client whose invite it is: the owner no longer decides for it, nor sees what it sees.

        That is stored at once: a server that is killed now must not forget it.
        """
        self.taken.add(seat)
        await asyncio.to_thread(self.save)
        for connection in [*self.connections]:
            connection.shown = None if connection.shown == seat else connection.shown
            connection.send(self.welcome(connection))
            await self.show(connection)

    def permission_of(self, token: str) -> str | int:
        """What a token permits: everything, or one seat. An unknown token is refused."""
        for known, permission in self.tokens.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                return permission
        raise Refusal("unauthorised", "this token does not belong to the session")

    def disconnect(self, connection: Connection) -> None:
        """Remove a client; searches that only clients want end with the last one."""
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if not self.connections:
            self.stop_pondering()
        search = self.agents.search
        if not self.connections and search is not None and (search.why != "move" or not self.live.humans):
            self.stop_work()
        if not self.ended:
            self.server.save_later(self.save)

    def welcome(self, connection: Connection) -> Json:
        live = self.live
        seats = [
            {**described, "kind": seat.kind, "person": seat.person, "spec": seat.spec}
            for described, seat in zip(catalogue.seats(live.game), live.seats, strict=True)
        ]
        return {
            "type": "welcome",
            "session": self.identity,
            "game": live.name,
            "title": drawing.words(live.game, live.game.title),
            "mode": live.mode,
            "options": live.game.options,
            "seats": seats,
            "yours": connection.seats,
            "control": connection.control,
            "backdrop": drawing.backdrop(live.game),
            "symbols": drawing.artwork(live.game) is not None,
            "hidden": live.game.hidden,
            "rounds": live.game.simultaneous,
        }

    # --- showing --------------------------------------------------------------------------------

    def presentation(self, connection: Connection, drawn: dict[Any, Json] | None = None) -> Json:
        """The message that shows a connection the position; `drawn` shares drawings among those who see the same."""
        drawn = {} if drawn is None else drawn
        view = connection.view()
        if view.is_hidden:
            return {"type": "pass-screen", "rev": self.rev, "seat": view.passed_to, "ply": self.live.ply}
        sight = view.viewer, *connection.seats
        try:
            if sight not in drawn:
                drawn[sight] = self.live.shown(view.viewer, connection.seats)
        except Exception as error:  # a drawing is other people's code, which may raise anything
            return refused(failure(error, session=self.identity, game=self.live.name))
        busy = self.agents.search
        return {
            "type": "state",
            "rev": self.rev,
            **drawn[sight],
            "busy": busy.busy if busy else None,
            "can": self.possibilities(connection),
        }

    def possibilities(self, connection: Connection) -> Json:
        live, seats = self.live, connection.seats
        deciding = connection.turn is not None
        return {
            "act": deciding or (live.mode == "analysis" and not live.over),
            "undo": connection.control and live.undo_ply() is not None,
            "hint": deciding,
            "resign": live.mode == "play" and not live.over and bool(seats),
            "restart": connection.control,
            "think": live.mode == "analysis" and not live.over,
        }

    async def show(self, connection: Connection) -> None:
        connection.remember_view()
        (message,) = await self.drawn(lambda: [self.presentation(connection)], 1)
        connection.send(message)

    async def show_all(self) -> None:
        """Send the same position again: what is searched, or whose clock runs, has changed."""
        async with self.lock:
            self.go_on()
            await self.show_again()

    async def show_again(self) -> None:
        for connection in [*self.connections]:
            await self.show(connection)

    async def hold_clocks(self) -> None:
        """Stop everybody's clock while kernels are compiled or loaded."""
        async with self.lock:
            self.live.stop_clock(*self.live.since)
            self.watch_clock()
            await self.show_again()

    async def publish(self) -> None:
        """Store a change, send it to everybody, and let an agent move."""
        self.rev += 1
        self.stored = False
        is_new = self.shown != (self.live, self.live.changes)
        if is_new:
            self.shown, self.position_rev = (self.live, self.live.changes), self.rev
        self.touched = time.monotonic()
        self.go_on()
        self.ponder()
        connections = list(self.connections)
        for connection in connections:
            connection.remember_view()
        messages = await self.drawn(lambda: self.draw_all(connections), len(connections))
        for connection, message in zip(connections, messages, strict=True):
            connection.send(message)
        if is_new:
            self.agents.send_round_report()

    async def drawn(self, work: Callable[[], list[Json]], number: int) -> list[Json]:
        """A number of messages with positions; errors in their place where drawing does not end."""
        try:
            messages: list[Json] = await self.by_rules("positions", work)
        except GameError as error:
            return [refused(failure(error, session=self.identity, game=self.live.name))] * number
        return messages

    def draw_all(self, connections: list[Connection]) -> list[Json]:
        """Store the session and make the message for each connection; runs in a thread."""
        self.save()
        drawn: dict[Any, Json] = {}
        return [self.presentation(connection, drawn) for connection in connections]

    @property
    def is_unused(self) -> bool:
        """Whether it can leave memory: it is stored, without a client, and nothing is searched."""
        return self.stored and not self.connections and self.agents.search is None and not self.lock.locked()

    def save(self) -> None:
        """Store the session; record its game when it is over."""
        live = self.live
        is_finished = live.over and live.mode == "play"
        if is_finished and not self.recorded:
            self.recorded = True  # no other thread does it meanwhile
            self.recorded = self.server.store.add_record({**live.record(), "summary": live.summary()})
        kept = {"tokens": self.tokens, "taken": sorted(self.taken), "recorded": self.recorded}
        if self.server.closed or not self.connections:  # connected clients have received them
            kept["reports"] = self.agents.recent
        saved = self.server.store.save(self.identity, {"live": live.as_dict(), **kept}, over=live.over)
        self.stored = saved and (self.recorded or not is_finished)

    # --- agents at work -------------------------------------------------------------------------

    def go_on(self) -> None:
        """Start the clocks, and let an agent move if one is to move."""
        live = self.live
        if self.agents.search is None or self.agents.search.preparation is None:
            live.start_clocks(self.asked())
        self.watch_clock()
        if live.mode != "play" or self.is_working:
            return
        if live.over:
            if live.repeat and not live.humans and self.connections:
                self.work = self.beside(self.again())
        elif self.agent_to_move() is not None and not live.paused and (live.humans or self.connections):
            self.work = self.server.task(self.agent_move())

    def ponder(self) -> None:
        """Let the agents ponder that want to, while others are to move."""
        self.stop_pondering()
        live = self.live
        if live.mode != "play" or live.over or live.paused or not self.connections:
            return
        for seat, handle in self.agents.agents.items():
            if handle.agent.ponders and not handle.lost and seat not in live.waiting:
                thoughts = Pondering(handle, live.state.view(seat), self.server.settings.seconds)
                self.pondering.append(thoughts)
                self.server.task(self.server.searches.ponder(thoughts))

    def stop_pondering(self) -> None:
        for thoughts in self.pondering:
            thoughts.stop()
        self.pondering.clear()

    @property
    def is_working(self) -> bool:
        """Whether a search runs or waits to run."""
        return self.work is not None and not self.work.done()

    def agent_to_move(self) -> int | None:
        """The seat of the agent that is to move; None if a person is."""
        return next((seat for seat in self.live.waiting if self.live.seats[seat].kind == "agent"), None)

    def asked(self) -> list[int]:
        """The seats that may decide now: one agent, people with a screen of their own, one who shares a screen."""
        waiting, humans = self.live.waiting, self.live.humans
        agent = self.agent_to_move()
        sharing = [seat for seat in waiting if seat in humans and seat not in self.taken]
        return [*([] if agent is None else [agent]), *sharing[:1], *(seat for seat in waiting if seat in self.taken)]

    def watch_clock(self) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
        live = self.live
        if live.limit is not None and live.since:
            left = live.limit - max(live.clock()["used"][seat] for seat in live.since)
            self.alarm = asyncio.get_running_loop().call_later(max(left, 0), lambda: self.beside(self.time_is_up()))

    def beside(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Start work that no client has asked for; if it fails, send every client the error."""

        async def or_send_error() -> None:
            try:
                await work
            except Exception as error:  # rules are other people's code, which may raise anything
                refusal = failure(error, session=self.identity)
                for connection in self.connections:
                    connection.send(refused(refusal))

        return self.server.task(or_send_error())

    async def time_is_up(self) -> None:
        async with self.lock:
            live = self.live
            if live.limit is None or not live.since or live.over:
                return
            used = live.clock()["used"]
            last = max(live.since, key=lambda seat: used[seat])
            if used[last] < live.limit:
                self.watch_clock()
                return
            self.stop_work()
            live.end("time", last)
            await self.publish()

    async def again(self) -> None:
        """Show for a while how a game of agents ended, then begin another one."""
        await asyncio.sleep(self.server.settings.pause)
        async with self.lock:
            self.work = None
            await self.restart(self.live.seats, None)

    async def agent_move(self) -> None:
        """Let an agent move, when the move before it was shown for long enough."""
        live, seat = self.live, self.agent_to_move()
        assert seat is not None
        by_agents = bool(live.steps) and all(live.seats[move.seat].kind == "agent" for move in live.steps[-1])
        if (by_agents or self.server.settings.kiosk) and not live.choices:  # visitors want to see what they have done
            await asyncio.sleep(max(0.0, self.moved + live.pace - time.monotonic()))
        try:
            search, action = await self.agents.move(seat)
            async with self.lock:
                self.agents.finish(search)
                await self.play(seat, action)
                self.moved = time.monotonic()
                self.work = None
                await self.publish()
        except Exception as error:  # rules and agents are other people's code, which may raise anything
            await self.fault(error)

    async def play(self, seat: int, action: int) -> None:
        """Play a move. Raises `GameError`, and leaves the position as it was, if a rule does not end."""
        await self.by_rules("moves", lambda: self.live.play(seat, action))

    async def by_rules(self, what: str, work: Callable[[], Any]) -> Any:
        """Run code of the game in a thread and return its result; raises `GameError` if it does not end in time."""
        self.server.need_end(self.live.name, what)
        try:
            return await within(self.server.settings.patient, work, polite=False)
        except Lost as error:
            self.server.stuck[self.live.name, what] += 1
            raise GameError(f"{error}{await self.cause(error)}") from error

    async def cause(self, error: Lost) -> str:
        """The rule that did not end, as `: text`; empty if it is not found, or would tell secrets."""
        live = self.live
        if live.secret or live.choosing:
            return ""
        if error.__cause__ is not None:
            words = endless_words(error.__cause__, live.game.module, "a rule", self.server.settings.patient)
            return f": {live.game.title}: {words}"
        if live.position is not None:
            return ""
        actions = actions_of(live.steps[: live.ply])
        found = await asyncio.to_thread(endless_rule, live.game, live.seed, actions)
        return f": {found}" if found else ""

    async def fault(self, error: Exception) -> None:
        """Pause the game because an agent failed, and say why."""
        number = log_failure("an agent failed", error, session=self.identity)
        is_open = not self.live.secret and not self.live.choosing
        is_public = isinstance(error, Lost) or (isinstance(error, SpielbaumError) and is_open)
        async with self.lock:
            self.agents.cancel()
            self.work = None
            self.live.faults.append(
                without_folders(str(error)) if is_public else f"number {number} in the server's log says why"
            )
            self.live.paused = True
            await self.publish()
        if isinstance(error, Lost) and self.suspects_rules:
            self.beside(self.complete_fault(self.live, error))

    async def complete_fault(self, live: LiveGame, error: Lost) -> None:
        """Add to a fault the rule that kept a search from ending; if none is found, never look for one again."""
        fault, found = without_folders(str(error)), await self.cause(error)
        self.suspects_rules = bool(found)
        async with self.lock:
            if found and self.live is live and fault in live.faults:
                live.faults[live.faults.index(fault)] = fault + without_folders(found)
                await self.publish()

    def stop_work(self) -> None:
        """Cancel the search that runs or waits."""
        self.agents.cancel()
        if self.work is not None:
            self.work.cancel()
            self.work = None

    # --- requests -------------------------------------------------------------------------------

    async def restart(self, seats: list[Seat], seed: int | None) -> None:
        old = self.live
        (seed, agent_seed), position = seeds(old.game, seats, seed), old.position
        kept = old.mode, old.limit, old.pace, old.repeat
        self.live = LiveGame(old.game, old.name, seats, seed, *kept, position=position, agent_seed=agent_seed)
        self.agents.forget()
        self.agents.recent.clear()
        self.recorded = False
        for connection in self.connections:
            connection.shown = None
            connection.send(self.welcome(connection))
        await self.publish()

    async def end(self, reason: str) -> None:
        """End the session for everybody and forget it."""
        self.ended = True
        self.stop_work()
        if self.alarm is not None:
            self.alarm.cancel()
        for connection in self.connections:
            connection.send({"type": "ended", "reason": reason})
            connection.close()
        self.agents.forget()
        self.server.searches.release(id(self))
        await asyncio.to_thread(self.server.store.forget, self.identity)
        self.server.remove(self.identity)  # not before: it would be found on disk, and live again
        log.info("session ended", extra={"facts": {"session": self.identity, "why": reason}})
