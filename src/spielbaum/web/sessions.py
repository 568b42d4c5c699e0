"""All sessions of a server: begin them, find them again in memory or on disk, and end them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from spielbaum.agents import strongest
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.params import Value
from spielbaum.web import messages, runs
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.connection import OWNER
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import Searches
from spielbaum.web.seating import chosen_seats
from spielbaum.web.session import SEEDS, Session
from spielbaum.web.settings import Settings
from spielbaum.web.store import Store
from spielbaum.web.table import Seat, Table
from spielbaum.web.warming import BEGUN, LOOKED_AT, Job, Warming, usual_agents

log = logging.getLogger(__name__)


class Sessions:
    """All sessions of a server, those in memory and those on disk."""

    def __init__(self, settings: Settings, offered: Catalogue):
        self.settings, self.catalogue = settings, offered
        self.store = Store(settings.folder)
        self.searches = Searches(settings.searches)
        self.warming = Warming()
        self.loaded: dict[str, Session] = {}
        self.loading = asyncio.Lock()
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

    def keep(self, save: Callable[[], None]) -> None:
        """Store something in a thread; nobody waits for it."""
        if not self.closed:
            self.task(asyncio.to_thread(save))

    async def create(self, wanted: messages.NewSession) -> Json:
        """A new session for what a client asked for."""
        if len(self.loaded) >= self.settings.sessions:
            raise Refusal("too-many", f"this server has {len(self.loaded)} sessions already; try again later")
        copied, ending = await self.copied(wanted)
        table = await asyncio.to_thread(self.set_up, wanted, copied)
        if table.mode == "analysis" and not table.state.over:
            table.ending = ending
        created = await self.add(table)
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

    async def copied(self, wanted: messages.NewSession) -> tuple[messages.Record | None, Json | None]:
        """The game that a new session begins with, wherever it comes from, and how it ended if not by its rules."""
        if wanted.source is not None:
            source = await self.authorised(wanted.source.session, wanted.source.token)
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
            return await asyncio.to_thread(runs.record, self.settings.store, wanted.stored.run, wanted.stored.game)
        return wanted.record, None

    def set_up(self, wanted: messages.NewSession, copied: messages.Record | None) -> Table:
        """In a thread: the table, with the moves to begin with made."""
        if wanted.game is None and copied is None:
            raise Refusal("malformed", "a session needs a game")
        if copied is not None:
            name, options, seed, position = copied.game, copied.options, copied.seed, copied.position
            moves = listed(copied.actions if copied.actions is not None else copied.moves)
        else:
            name, options, moves = wanted.game or "", wanted.options, listed(wanted.moves)
            seed = random.randrange(SEEDS) if wanted.seed is None else wanted.seed
            position = wanted.position
        game = self.catalogue.game(name, options)
        watching = [Seat("agent", spec=None) for _ in game.seats]
        seats = watching if wanted.mode == "analysis" else chosen_seats(game, wanted.seats)
        repeat = wanted.repeat and wanted.mode == "play"
        pasted = wanted.moves if isinstance(wanted.moves, str) and game.has("parse_position") else ""
        objection = no_position(game, pasted)
        if pasted and objection is None:
            position, moves = pasted, []
        try:
            table = Table(game, name, seats, seed, wanted.mode, wanted.clock, wanted.pace, repeat, position=position)
            table.play_all(moves)
        except (Refusal, SpielbaumError) as error:
            raise Refusal("bad-setup", f"{error}; as a position: {objection}" if pasted else str(error)) from None
        return table

    async def add(self, table: Table) -> Json:
        """Open a session; what its owner gets to know."""
        identity, token = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        invites = {seat: secrets.token_urlsafe(18) for seat in table.humans}
        tokens: dict[str, str | int] = {token: OWNER, **{invite: seat for seat, invite in invites.items()}}
        session = self.loaded[identity] = Session(self, identity, table, tokens)
        await asyncio.to_thread(session.save)
        log.info("session begun", extra={"facts": {"session": identity, "game": table.name, "mode": table.mode}})
        return {
            "session": identity,
            "token": token,
            "invites": {str(seat): invite for seat, invite in invites.items()},
        }

    async def get(self, identity: str) -> Session:
        """A session by its name, from disk where it is not in memory."""
        if identity not in self.loaded:
            async with self.loading:
                if identity not in self.loaded:
                    self.loaded[identity] = await asyncio.to_thread(self.restore, identity)
        return self.loaded[identity]

    def restore(self, identity: str) -> Session:
        data = self.store.load(identity)
        if data is None:
            raise Refusal("unknown-session", "there is no such session; it may have ended")
        game = self.catalogue.game(data["table"]["name"], data["table"]["options"])
        return Session(self, identity, Table.restored(game, data["table"]), data["tokens"], data["claimed"])

    async def authorised(self, identity: str, token: str) -> Session:
        """A session for somebody who has a token of it."""
        session = await self.get(identity)
        session.granted(token)
        return session

    async def clean_up(self) -> None:
        """Now and then forget what nobody needs any more."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            now = time.monotonic()
            for session in [*self.loaded.values()]:
                if session.connections:
                    await asyncio.to_thread(session.save)
                elif now > session.touched + self.settings.unload and session.mind.search is None:
                    session.stop_work()
                    session.mind.forget()
                    self.searches.release(id(session))
                    del self.loaded[session.identity]
            swept = await asyncio.to_thread(self.store.sweep, self.settings.finished, self.settings.abandoned)
            for identity in swept:
                if identity in self.loaded:
                    await self.end_unless_used(self.loaded[identity])
            if swept:
                log.info("sessions forgotten", extra={"facts": {"number": len(swept)}})

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
            "searches": {
                "running": len(self.searches.running),
                "waiting": len(self.searches.waiting),
                "limit": self.searches.limit,
            },
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


def need_open(table: Table) -> None:
    """Refuse to hand out a game of which its players may not know everything yet: hidden things, or its dice."""
    uncertain = table.secret or (table.game.chance and table.mode == "play" and table.humans)
    if uncertain and not table.over:
        raise Refusal("forbidden", "this game hides something, its dice at least, until it is over")
