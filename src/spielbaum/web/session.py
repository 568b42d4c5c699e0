"""A session: a table with people around it. Who may see and do what, whose turn it is, who is told.

A session changes under its lock, one change at a time; the rules, the drawing and the disk are worked on in
threads, so that the event loop is free for all others. After every change each connection gets the
complete position as its seats may see it, which is also all that a client needs to come back after a break.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from spielbaum.agents import opponent, strongest
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.game import Game
from spielbaum.rules import seat_seed
from spielbaum.web import catalogue, drawing, messages
from spielbaum.web.connection import Connection, refused
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import Pondering, Search, Thinker, limited_agent
from spielbaum.web.table import Seat, Table

if TYPE_CHECKING:
    from spielbaum.web.sessions import Sessions

log = logging.getLogger(__name__)

SEEDS = 1_000_000_000


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
        self.agents: dict[int, Thinker] = {}
        self.search: Search | None = None  # what is searched now
        self.last: Search | None = None  # the latest one that has something to show
        self.work: asyncio.Task[None] | None = None
        self.pondering: list[Pondering] = []
        self.alarm: asyncio.TimerHandle | None = None
        self.moved = 0.0  # when an agent has moved
        self.touched = time.monotonic()
        self.recorded = False
        self.ended = False

    # --- connections ----------------------------------------------------------------------------

    async def connect(self, token: str) -> Connection:
        """Let a client in and show it everything."""
        grant = self.granted(token)
        if len(self.connections) >= self.hub.settings.connections:
            raise Refusal("too-many", "too many connections to this session")
        connection = Connection(self, grant)
        async with self.lock:
            if isinstance(grant, int) and grant not in self.claimed:
                await self.claim(grant)
            connection.send(self.welcome(connection))
            await self.show(connection)
            self.connections.add(connection)
            self.go_on()
        return connection

    async def claim(self, seat: int) -> None:
        """Somebody came for a seat: others no longer decide for it, nor see what it sees."""
        self.claimed.add(seat)
        for connection in self.connections:
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
        if not self.connections and self.search is not None and (self.search.why != "move" or not self.table.humans):
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
        }

    # --- showing --------------------------------------------------------------------------------

    def presentation(self, connection: Connection) -> Json:
        """The position as a connection may see it."""
        viewer, seat, curtain = connection.view()
        if curtain:
            return {"type": "curtain", "rev": self.rev, "seat": seat, "ply": self.table.ply}
        try:
            shown = self.table.shown(viewer, connection.seats)
        except GameError as error:
            log.error("a game can't be drawn", extra={"facts": {"game": self.table.name, "why": str(error)}})
            return {"type": "error", "re": None, "code": "broken-game", "reason": str(error)}
        busy = self.search
        return {
            "type": "state",
            "rev": self.rev,
            **shown,
            "busy": {"seat": busy.seat, "why": busy.why, "queue": busy.position} if busy else None,
            "can": self.possibilities(connection),
        }

    def possibilities(self, connection: Connection) -> Json:
        table, seats = self.table, connection.seats
        deciding = table.turn is not None and table.turn in seats
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

    async def publish(self) -> None:
        """Something has changed: store it, tell everybody, and let an agent move."""
        self.rev += 1
        self.touched = time.monotonic()
        self.go_on()
        self.ponder()
        connections = list(self.connections)
        for connection, message in zip(connections, await asyncio.to_thread(self.draw_all, connections), strict=True):
            connection.send(message)

    def draw_all(self, connections: list[Connection]) -> list[Json]:
        """In a thread: what everybody is sent."""
        self.save()
        return [self.presentation(connection) for connection in connections]

    def save(self) -> None:
        table = self.table
        data = {"table": table.as_dict(), "tokens": self.tokens, "claimed": sorted(self.claimed)}
        self.hub.store.save(self.identity, data, over=table.over)
        if table.over and table.mode == "play" and not self.recorded:
            self.recorded = True
            self.hub.store.add_record(f"{self.identity}-{self.rev}", table.record())

    # --- agents at work -------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let an agent move where one is to, and watch the clock."""
        table = self.table
        self.watch_clock()
        if table.mode != "play" or (self.work is not None and not self.work.done()):
            return
        if table.since is None:
            table.start_clock()
        if table.over:
            if table.repeat and not table.humans and self.connections:
                self.work = self.hub.task(self.again())
        elif self.agent_to_move() and not table.paused and (table.humans or self.connections):
            self.work = self.hub.task(self.agent_move())

    def ponder(self) -> None:
        """Let agents who want to think in the time of those who are to move now."""
        self.stop_pondering()
        table = self.table
        if table.mode != "play" or table.over or table.paused or not self.connections:
            return
        for seat, thinker in self.agents.items():
            if thinker.agent.ponders and seat != table.turn:
                thoughts = Pondering(thinker, table.state.view(seat), self.hub.settings.seconds)
                self.pondering.append(thoughts)
                self.hub.task(self.hub.searches.ponder(thoughts))

    def stop_pondering(self) -> None:
        for thoughts in self.pondering:
            thoughts.stop()
        self.pondering.clear()

    def agent_to_move(self) -> bool:
        return self.table.turn is not None and self.table.seats[self.table.turn].kind == "agent"

    def watch_clock(self) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
        table = self.table
        if table.limit is not None and table.turn is not None and table.mode == "play":
            left = table.limit - table.clock()["used"][table.turn]
            self.alarm = asyncio.get_running_loop().call_later(max(left, 0), lambda: self.hub.task(self.time_is_up()))

    async def time_is_up(self) -> None:
        async with self.lock:
            table = self.table
            if table.turn is None or table.limit is None:
                return
            if table.clock()["used"][table.turn] < table.limit:
                self.watch_clock()
                return
            self.stop_work()
            table.end("time", table.turn)
            await self.publish()

    async def again(self) -> None:
        """Agents show how it ended, and begin another game."""
        await asyncio.sleep(self.hub.settings.pause)
        async with self.lock:
            self.work = None
            await self.begin_anew(self.table.seats, None)

    async def agent_move(self) -> None:
        """One move by an agent, not before the one before it was shown for long enough."""
        table = self.table
        by_agent = bool(table.moves) and table.seats[table.moves[-1].seat].kind == "agent"
        if by_agent or self.hub.settings.kiosk:  # visitors want to see what they have done
            await asyncio.sleep(max(0.0, self.moved + table.pace - time.monotonic()))
        seat = table.state.player
        try:
            if seat not in self.agents:
                self.agents[seat] = await asyncio.to_thread(self.new_agent, seat, table.seats[seat].spec or "")
            search, action = await self.searched(self.agents[seat], "move")
        except Exception as error:  # rules and agents are other people's code, which may raise anything
            await self.fault(error)
            return
        async with self.lock:
            self.finish(search)
            await asyncio.to_thread(table.play, action)
            self.moved = time.monotonic()
            self.work = None
            await self.publish()

    def new_agent(self, seat: int, spec: str) -> Thinker:
        table = self.table
        return limited_agent(spec, table.game, seat_seed(table.seed, seat), self.hub.settings.megabytes)

    async def fault(self, error: Exception) -> None:
        """An agent failed: say so and wait for somebody to decide."""
        log.error("an agent failed", exc_info=error, extra={"facts": {"session": self.identity}})
        told = isinstance(error, SpielbaumError) and not self.table.secret
        async with self.lock:
            self.search, self.work = None, None
            self.table.faults.append(str(error) if told else "the agent failed; the server's log says why")
            self.table.paused = True
            await self.publish()

    async def searched(self, agent: Thinker, why: str) -> tuple[Search, int]:
        """Search the position shown, as its mover sees it, and tell what is thought meanwhile."""
        loop, state = asyncio.get_running_loop(), self.table.state

        def tell(search: Search) -> None:
            loop.call_soon_threadsafe(self.tell, search)

        search = Search(
            agent,
            state.view(state.player),
            why,
            self.table.ply,
            self.hub.settings.seconds,
            tell,
        )
        self.search = search
        self.tell(search)
        action = await self.hub.searches.run(search)
        return search, action

    def finish(self, search: Search) -> None:
        """A search is over: keep what can be asked about it, and its value for the curve."""
        if search.report is not None:
            self.last = search
            self.hub.searches.keep(id(self), self.forget)
            point = {"ply": search.ply, "seat": search.seat, "value": search.report["value"]}
            self.table.curve = [p for p in self.table.curve if p["ply"] != search.ply] + [point]
        self.tell(search)
        self.search = None

    def forget(self) -> None:
        """Let go of agents and their memory."""
        self.stop_pondering()
        self.last = None
        self.agents.clear()

    def stop_work(self) -> None:
        """Whatever is being searched is no longer wanted. An agent that may still be at it is not used again."""
        if self.search is not None:
            self.search.cancel()
            self.agents.pop(self.search.seat, None)
            self.search = None
        if self.work is not None:
            self.work.cancel()
            self.work = None

    def tell(self, search: Search) -> None:
        """Stream what a search has found so far."""
        if search.cancelled or (search is not self.search and search is not self.last):
            return
        message = {
            "type": "thinking",
            "rev": self.rev,
            "ply": search.ply,
            "seat": search.seat,
            "why": search.why,
            "queue": search.position,
            "preparing": search.preparing,
            "done": search.done,
            "spec": search.spec,
        }
        for connection in self.connections:
            knows = self.may_know(connection, search)
            connection.send({**message, "search": search.report if knows else None})

    def may_know(self, connection: Connection, search: Search) -> bool:
        """Whether thoughts tell a connection nothing that its screen may not show."""
        if not self.table.secret:
            return True
        viewer, _, curtain = connection.view()
        return not curtain and viewer == search.seat

    # --- requests -------------------------------------------------------------------------------

    async def handle(self, connection: Connection, message: Any) -> None:
        """Do what a client asks for, or refuse."""
        handler: Callable[[Connection, Any], Any] = getattr(self, f"on_{message.type}")
        async with self.lock:
            if self.ended:
                raise Refusal("not-now", "the session has ended")
            await handler(connection, message)

    async def on_hello(self, connection: Connection, message: Any) -> None:
        raise Refusal("not-now", "hello was said already")

    async def on_ping(self, connection: Connection, message: Any) -> None:
        connection.send({"type": "pong", "re": message.id})

    async def on_act(self, connection: Connection, message: messages.Act) -> None:
        table = self.table
        if message.rev != self.rev:
            connection.send(refused(Refusal("stale", f"the position is at rev {self.rev}"), message.id))
            await self.show(connection)
            return
        if table.turn is None:
            raise Refusal("not-now", "the game is over")
        if table.mode == "play" and table.turn not in connection.seats:
            raise Refusal("not-your-turn", f"it is the turn of {table.state.seat}")
        self.need_open_curtain(connection)
        if message.action not in table.state.actions:
            table.play(message.action)  # refuses, in the engine's words
        self.stop_work()
        await asyncio.to_thread(table.play, message.action)
        await self.publish()

    def need_open_curtain(self, connection: Connection) -> None:
        if connection.view()[2]:
            raise Refusal("not-now", "the curtain is down; say ready first")

    async def on_ready(self, connection: Connection, message: Any) -> None:
        _, seat, curtain = connection.view()
        if curtain and seat is not None:
            connection.shown = seat
        await self.show(connection)

    async def on_undo(self, connection: Connection, message: Any) -> None:
        connection.need_control()
        ply = self.table.undo_ply()
        if ply is None:
            raise Refusal("not-now", self.table.why_no_undo())
        self.stop_work()
        await asyncio.to_thread(self.table.undo, ply)
        self.recorded = False
        await self.publish()

    async def on_resign(self, connection: Connection, message: messages.Resign) -> None:
        if message.seat not in connection.seats:
            raise Refusal("forbidden", "that seat is not yours")
        self.table.resign(message.seat)
        self.stop_work()
        await self.publish()

    async def on_restart(self, connection: Connection, message: messages.Restart) -> None:
        connection.need_control()
        seats = self.table.seats if message.seats is None else chosen_seats(self.table.game, message.seats)
        self.stop_work()
        await self.begin_anew(seats, message.seed)

    async def begin_anew(self, seats: list[Seat], seed: int | None) -> None:
        old = self.table
        seed = random.randrange(SEEDS) if seed is None else seed
        self.table = Table(
            old.game, old.name, seats, seed, old.mode, old.limit, old.pace, old.repeat, position=old.position
        )
        self.forget()
        self.recorded = False
        self.table.start_clock()
        for connection in self.connections:
            connection.shown = None
            connection.send(self.welcome(connection))
        await self.publish()

    async def on_pace(self, connection: Connection, message: messages.PaceOf) -> None:
        connection.need_control()
        table = self.table
        table.pace = table.pace if message.pace is None else message.pace
        table.repeat = table.repeat if message.repeat is None else message.repeat
        if message.paused is not None:
            table.paused = message.paused
            table.faults = [] if not message.paused else table.faults
            if message.paused and self.agent_to_move():
                self.stop_work()
        await self.publish()

    async def on_leave(self, connection: Connection, message: Any) -> None:
        connection.need_control()
        await self.end("left")

    async def end(self, reason: str) -> None:
        """The session is over for all, and forgotten."""
        self.ended = True
        self.stop_work()
        if self.alarm is not None:
            self.alarm.cancel()
        for connection in self.connections:
            connection.send({"type": "ended", "reason": reason})
            connection.close()
        self.forget()
        self.hub.searches.release(id(self))
        self.hub.loaded.pop(self.identity, None)
        await asyncio.to_thread(self.hub.store.forget, self.identity)
        log.info("session ended", extra={"facts": {"session": self.identity, "why": reason}})

    async def on_stop(self, connection: Connection, message: Any) -> None:
        connection.need_control()
        if self.search is not None:
            self.search.enough = True

    # --- asking agents --------------------------------------------------------------------------

    async def on_hint(self, connection: Connection, message: messages.Hint) -> None:
        if self.table.turn is None or self.table.turn not in connection.seats:
            raise Refusal("not-your-turn", "a hint is for one's own decision")
        self.need_open_curtain(connection)
        if self.search is not None:
            raise Refusal("not-now", "a search is running already")

        def give(search: Search, action: int) -> None:
            connection.send({"type": "hint", "re": message.id, **search.place(action), "search": search.report})

        await self.start_search(message.spec or strongest(self.table.game), "hint", give)

    async def on_think(self, connection: Connection, message: messages.Think) -> None:
        if self.table.mode != "analysis":
            raise Refusal("not-now", "thinking about any position is for an analysis")
        connection.need_control()
        if self.table.over:
            raise Refusal("not-now", "the game is over here")
        self.stop_work()
        await self.start_search(message.spec, "think", lambda search, action: None)
        await self.publish()

    async def start_search(self, spec: str, why: str, deliver: Callable[[Search, int], None]) -> None:
        """Let an agent of its own search the position shown."""
        try:
            agent = await asyncio.to_thread(self.new_agent, self.table.state.player, spec)
        except SpielbaumError as error:
            raise Refusal("bad-setup", str(error)) from None
        self.work = self.hub.task(self.search_and_deliver(agent, why, deliver))

    async def search_and_deliver(self, agent: Thinker, why: str, deliver: Callable[[Search, int], None]) -> None:
        try:
            search, action = await self.searched(agent, why)
        except Exception as error:  # as above
            await self.fault(error)
            return
        async with self.lock:
            self.finish(search)
            self.work = None
            deliver(search, action)
            for connection in self.connections:
                await self.show(connection)

    def asked(self, connection: Connection) -> Search:
        """The search that questions are about: the running one, or the last."""
        search = self.search if self.search is not None and self.search.report is not None else self.last
        if search is None or (self.search not in (None, search) and self.search.thinker is search.thinker):
            raise Refusal("not-now", "nothing was searched yet, or it is forgotten")
        if not self.may_know(connection, search):
            raise Refusal("forbidden", "these thoughts are not for your eyes")
        return search

    async def on_line(self, connection: Connection, message: Any) -> None:
        search = self.asked(connection)
        self.hub.task(self.answer(connection, message, search, "line", lambda: {"line": search.line_shown()}))

    async def on_tree(self, connection: Connection, message: messages.Tree) -> None:
        search = self.asked(connection)

        def branch() -> Json:
            return search.branch(message.path, message.depth, message.top)

        self.hub.task(self.answer(connection, message, search, "tree", branch))

    async def answer(
        self, connection: Connection, message: Any, search: Search, kind: str, question: Callable[[], Json]
    ) -> None:
        try:
            found = await search.ask(question)
            connection.send({"type": kind, "re": message.id, "ply": search.ply, **found})
        except SpielbaumError as error:
            connection.send(refused(Refusal("not-now", str(error)), message.id))

    # --- analysis -------------------------------------------------------------------------------

    def need_analysis(self, connection: Connection) -> None:
        if self.table.mode != "analysis":
            raise Refusal("not-now", "that is for an analysis")
        connection.need_control()

    async def on_goto(self, connection: Connection, message: messages.Goto) -> None:
        self.need_analysis(connection)
        if message.ply > len(self.table.moves):
            self.table.show(message.ply)  # refuses
        self.stop_work()
        await asyncio.to_thread(self.table.show, message.ply)
        await self.publish()

    async def on_view(self, connection: Connection, message: messages.View) -> None:
        self.need_analysis(connection)
        if message.seat is not None and message.seat >= self.table.game.players:
            raise Refusal("malformed", f"there is no seat {message.seat}")
        self.table.view = message.seat
        await self.publish()

    async def on_continue(self, connection: Connection, message: messages.Continue) -> None:
        self.need_analysis(connection)
        table = self.table
        seats = chosen_seats(table.game, message.seats)
        begun = Table(table.game, table.name, seats, table.seed, position=table.position)
        await asyncio.to_thread(begun.play_all, [*table.actions[: table.ply]])
        created = await self.hub.add(begun)
        connection.send({"type": "session", "re": message.id, **created})


def chosen_seats(game: Game, choices: list[messages.SeatChoice] | None) -> list[Seat]:
    """Who sits where; seats that are left out have a person first and agents then."""
    choices = choices or []
    if len(choices) > game.players:
        names = ", ".join(game.seats)
        raise Refusal("bad-setup", f"{game.name} has {game.players} seats ({names}), not {len(choices)}")
    seats = [Seat(choice.kind, choice.name, choice.spec) for choice in choices]
    while len(seats) < game.players:
        seats.append(Seat("agent") if seats else Seat("human"))
    for seat in seats:
        if seat.kind == "agent":
            seat.spec, seat.person = seat.spec or opponent(game), None
            try:
                limited_agent(seat.spec, game, 0, megabytes=1)
            except SpielbaumError as error:
                raise Refusal("bad-setup", str(error)) from None
        elif seat.spec is not None:
            raise Refusal("bad-setup", "a human's seat has no spec")
    return seats
