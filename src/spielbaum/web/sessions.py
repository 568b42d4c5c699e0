"""All sessions of a server: begin them, find them again in memory or on disk, and end them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from spielbaum.agents import resolve, strongest
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.params import Value
from spielbaum.web import messages, runs
from spielbaum.web.callers import Allowances
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.chores import Chores, patience
from spielbaum.web.connection import OWNER
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import Searches
from spielbaum.web.seating import chosen_seats, seeds
from spielbaum.web.session import Session
from spielbaum.web.settings import Settings
from spielbaum.web.store import Store
from spielbaum.web.table import Seat, Table
from spielbaum.web.warming import BEGUN, LOOKED_AT, Job, Warming, usual_agents

log = logging.getLogger(__name__)

T = TypeVar("T")
FEW_MOVES = 200
SHORT_RUN = 10  # seconds in which an address may be sent more than in the long run


class Sessions:
    """All sessions of a server, those in memory and those on disk."""

    def __init__(self, settings: Settings, offered: Catalogue):
        self.settings, self.catalogue = settings, offered
        self.store = Store(settings.folder)
        self.searches = Searches(settings.searches, settings.patient, settings.lost_each)
        self.warming = Warming()
        self.loaded: dict[str, Session] = {}
        self.sent = Allowances(settings.sent_each, SHORT_RUN * settings.sent_each)
        self.chores = Chores(settings.chores, settings.chores_each)
        self.loading: dict[str, asyncio.Task[Session]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.closed = False
        self.begun = time.monotonic()

    def task(self, coroutine: Any) -> asyncio.Task[None]:
        """Work beside the others; what goes wrong in it is logged."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.task_done)
        return task

    def task_done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed", exc_info=task.exception())

    def keep(self, save: Callable[[], object]) -> None:
        """Store something in a thread; nobody waits for it."""
        if not self.closed:
            self.task(asyncio.to_thread(save))

    async def create(self, wanted: messages.NewSession, origin: str) -> Json:
        """A new session for what a client asked for from an address."""
        self.need_room(origin)
        copied, ending = await self.copied(wanted, origin)
        moves = (copied.actions or copied.moves or []) if copied is not None else wanted.moves
        table = await self.replay(origin, len(moves), lambda: self.set_up(wanted, copied))
        if table.mode == "analysis" and not table.state.over:
            table.ending = ending
        created = await self.add(table, origin)
        self.task(self.prepare(table))
        return created

    async def prepare(self, table: Table) -> None:
        """Have compiled what a new session needs, before what others only look at."""
        specs = [seat.spec for seat in table.seats if seat.spec is not None]
        advisers = [strongest(table.game)] if table.humans or table.mode == "analysis" else []
        await self.warm(table.name, table.game, [*specs, *advisers], BEGUN)

    async def warm(self, name: str, game: Game, specs: Iterable[str], wanted: int) -> list[Job]:
        """Have compiled what agents of a game need."""
        return await self.warming.want(self.catalogue.sources[name], game, specs, wanted)

    async def look_at(self, name: str, options: Mapping[str, Value]) -> list[Job]:
        """Somebody is about to begin a game: have compiled what people usually choose."""
        game = await asyncio.to_thread(self.catalogue.game, name, options)
        return await self.warm(name, game, usual_agents(game), LOOKED_AT)

    async def replay(self, origin: str, moves: int, work: Callable[[], T]) -> T:
        """Work on so many moves for an address: a few are dealt with at once, many when it is their turn."""
        return await (asyncio.to_thread(work) if moves <= FEW_MOVES else self.chores.run(origin, work))

    def need_room(self, origin: str) -> None:
        """Refuse a session too many; where all have too many, those make room that nobody is connected to."""
        own = sum(session.origin == origin for session in self.loaded.values())
        if own >= self.settings.sessions_each:
            told = f"{own} sessions were begun from your address; end some, or try again later"
            raise Refusal("too-many", told, "too-many-own", number=own)
        if len(self.loaded) >= self.settings.sessions:
            unused = [session for session in self.loaded.values() if session.is_unused]
            if not unused:
                told = f"this server has {len(self.loaded)} sessions already; try again later"
                raise Refusal("too-many", told, "too-many-sessions")
            self.unload(min(unused, key=lambda session: session.touched))

    async def copied(self, wanted: messages.NewSession, origin: str) -> tuple[messages.Record | None, Json | None]:
        """The game that a new session begins with, wherever it comes from, and how it ended if not by its rules."""
        if wanted.source is not None:
            source = await self.authorised(wanted.source.session, wanted.source.token, origin)
            need_open(source.table)
            table = source.table
            copied = messages.Record(
                game=table.name,
                options=table.game.options,
                seed=table.seed,
                position=table.position,
                actions=list(table.actions),
            )
            return copied, table.ending
        if wanted.record_id is not None:
            data = await asyncio.to_thread(self.store.record, wanted.record_id)
            if data is None:
                raise Refusal("unknown-record", "there is no such record")
            return messages.Record(**data), None
        if wanted.stored is not None:
            run, number = wanted.stored.run, wanted.stored.game
            return await self.chores.run(origin, lambda: runs.record(self.settings.store, run, number, self.catalogue))
        return wanted.record, None

    def set_up(self, wanted: messages.NewSession, copied: messages.Record | None) -> Table:
        """In a thread: the table, with the moves to begin with made."""
        if wanted.game is None and copied is None:
            raise Refusal("malformed", "a session needs a game")
        name, options, moves = wanted.game or "", wanted.options, listed(wanted.moves)
        chosen, position = wanted.seed, wanted.position
        if copied is not None:
            name, options, chosen, position = copied.game, copied.options, copied.seed, copied.position
            moves = listed(copied.actions if copied.actions is not None else copied.moves)
        game = self.catalogue.game(name, options)
        watching = [Seat("agent", spec=None) for _ in game.seats]
        seats = watching if wanted.mode == "analysis" else chosen_seats(game, wanted.seats)
        seed, agent_seed = seeds(game, seats, chosen)
        pasted = wanted.moves if isinstance(wanted.moves, str) and game.has("parse_position") else ""
        objection = no_position(game, pasted)
        if pasted and objection is None:
            position, moves = pasted, []
        setting = wanted.mode, wanted.clock, wanted.pace, wanted.repeat and wanted.mode == "play"
        try:
            table = Table(game, name, seats, seed, *setting, position=position, agent_seed=agent_seed)
            table.play_all(moves, patience(self.settings.replay))
        except (Refusal, SpielbaumError) as error:
            if isinstance(error, Refusal) and error.code == "too-large":
                raise
            told = f"{error}; as a position: {objection}" if pasted else str(error)
            raise Refusal("bad-setup", told, "bad-moves", **wrong_move(error)) from None
        return table

    def admit(self, game: Game, seats: list[Seat]) -> None:
        """Refuse agents that have cost too many threads already."""
        for spec in [seat.spec for seat in seats if seat.spec is not None]:
            try:
                self.searches.admit(game.name, resolve(spec, game)[0].name)
            except SpielbaumError as error:
                raise Refusal("bad-setup", str(error)) from None

    async def add(self, table: Table, origin: str) -> Json:
        """Open a session for an address; what its owner gets to know."""
        self.need_room(origin)
        self.admit(table.game, table.seats)
        identity, token = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        invites = {seat: secrets.token_urlsafe(18) for seat in table.humans}
        tokens: dict[str, str | int] = {token: OWNER, **{invite: seat for seat, invite in invites.items()}}
        session = self.loaded[identity] = Session(self, identity, table, tokens)
        session.origin = origin
        await asyncio.to_thread(session.save)
        log.info("session begun", extra={"facts": {"session": identity, "game": table.name, "mode": table.mode}})
        return {
            "session": identity,
            "token": token,
            "invites": {str(seat): invite for seat, invite in invites.items()},
        }

    async def get(self, identity: str, origin: str) -> Session:
        """A session by its name, from disk where it is not in memory; an address asks for it."""
        if identity not in self.loaded:
            if identity not in self.loading:
                self.loading[identity] = asyncio.create_task(self.restore(identity, origin))
            await asyncio.shield(self.loading[identity])
        return self.loaded[identity]

    async def restore(self, identity: str, origin: str) -> Session:
        """Set up a session again as it was stored."""
        try:
            data = await asyncio.to_thread(self.store.load, identity)
            if data is None:
                raise Refusal("unknown-session", "there is no such session; it may have ended")
            table = data.get("table")
            moves = len(table.get("actions", [])) if isinstance(table, dict) else 0
            session = await self.replay(origin, moves, lambda: self.restored(identity, data))
            session.origin = origin
            self.loaded[identity] = session
            return session
        finally:
            del self.loading[identity]

    def restored(self, identity: str, data: Json) -> Session:
        """In a thread: the session that was stored, or why it can't be."""
        try:
            game = self.catalogue.game(data["table"]["name"], data["table"]["options"])
            session = Session(self, identity, Table.restored(game, data["table"]), data["tokens"], data["claimed"])
            session.recorded, session.stored = data.get("recorded", False), True
            session.mind.told = data.get("told", [])
        except (Refusal, SpielbaumError) as error:
            raise Refusal("unreadable", f"this session can't be set up again: {error}") from None
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            what = "what is stored of this session is damaged"
            raise self.store.cannot_read(what, error, session=identity) from None
        return session

    async def authorised(self, identity: str, token: str, origin: str) -> Session:
        """A session for somebody who has a token of it."""
        session = await self.get(identity, origin)
        session.granted(token)
        return session

    async def clean_up(self) -> None:
        """Now and then forget what nobody needs any more, whatever went wrong the last time."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            try:
                await self.sweep()
            except Exception as error:  # one round less is no reason to stop
                log.error("cleaning up failed", exc_info=error)

    async def sweep(self) -> None:
        """Store what is used, unload what is not, and forget what is old."""
        now = time.monotonic()
        for session in [*self.loaded.values()]:
            if session.connections or not session.stored:
                await asyncio.to_thread(session.save)
            if session.is_unused and now > session.touched + self.settings.unload:
                self.unload(session)
        limits = self.settings.finished, self.settings.abandoned, self.settings.stored
        swept = await asyncio.to_thread(self.store.sweep, *limits)
        for identity in swept:
            if identity in self.loaded:
                await self.end_unless_used(self.loaded[identity])
        if swept:
            log.info("sessions forgotten", extra={"facts": {"number": len(swept)}})

    def unload(self, session: Session) -> None:
        """Keep a session on disk only."""
        session.stop_work()
        session.mind.forget()
        self.searches.release(id(session))
        self.loaded.pop(session.identity, None)

    async def end_unless_used(self, session: Session) -> None:
        async with session.lock:
            if session.connections:
                await asyncio.to_thread(session.save)
            else:
                await session.end("idle")

    def health(self) -> Json:
        """How the server is."""
        return {
            "uptime": round(time.monotonic() - self.begun, 1),
            "sessions": len(self.loaded),
            "connections": sum(len(session.connections) for session in self.loaded.values()),
            "searches": self.searches.health(),
            "chores": self.chores.health(),
            "store": {"memory": self.store.in_memory, **self.store.trouble},
        }

    async def close(self) -> None:
        """Store everything and stop everything."""
        self.closed = True
        sessions = [*self.loaded.values()]
        for session in sessions:
            session.stop_work()
            for connection in session.connections:
                connection.send({"type": "ended", "reason": "shutdown"})
                connection.close()
        self.searches.close()
        self.chores.close()
        await self.warming.close()
        for task in [*self.tasks]:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*self.tasks, return_exceptions=True)
        for session in sessions:
            await asyncio.to_thread(session.save)
        self.store.close()


def listed(moves: list[int | str] | str | None) -> list[int | str]:
    """Moves as a list, also where one string holds them all."""
    return [moves] if isinstance(moves, str) else list(moves or [])


def no_position(game: Game, text: str) -> str | None:
    """Why a pasted text is not a position of the game; None where it is one."""
    try:
        game.set_up(text)
    except SpielbaumError as error:
        return str(error)
    return None


def wrong_move(error: Exception) -> Json:
    """Which of a list of moves is not possible, where the complaint says so."""
    found = re.match(r"move (\d+):", str(error))
    return {"number": int(found[1])} if found else {}


def need_open(table: Table) -> None:
    """Refuse to hand out a game of which its players may not know everything yet: hidden things, or its dice."""
    uncertain = table.secret or (table.game.chance and table.mode == "play" and table.humans)
    if uncertain and not table.over:
        raise Refusal("forbidden", "this game hides something, its dice at least, until it is over", "hidden-record")
