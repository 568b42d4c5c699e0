"""All sessions of a server: create them, find them in memory or on disk, and end them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Mapping

from spielbaum.agents import strongest
from spielbaum.arena.verify import NONSENSE
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.params import Value
from spielbaum.scenes.drawing import Json
from spielbaum.web import messages, runs
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.chores import patience
from spielbaum.web.connection import OWNER
from spielbaum.web.errors import Refusal
from spielbaum.web.live_game import LiveGame, Seat
from spielbaum.web.seating import chosen_seats, seeds
from spielbaum.web.session import Session
from spielbaum.web.session_server import SessionServer
from spielbaum.web.settings import Settings
from spielbaum.web.stored_session import require_sound
from spielbaum.web.warming import BEGUN, LOOKED_AT, Job, usual_agents

log = logging.getLogger(__name__)


class SessionManager(SessionServer):
    """All sessions of a server, those in memory and those on disk."""

    def __init__(self, settings: Settings, offered: Catalogue):
        super().__init__(settings, offered)
        self.loaded: dict[str, Session] = {}
        self.loading: dict[str, asyncio.Task[Session]] = {}
        self.started = time.monotonic()

    async def create(self, wanted: messages.NewSession, origin: str) -> Json:
        """Create the session that a client asked for; return what its owner needs to join it."""
        self.need_room(origin)
        copied, ending = await self.copied(wanted, origin)
        moves = (copied.actions or copied.moves or []) if copied is not None else wanted.moves
        name = (copied.game if copied is not None else wanted.game) or ""
        live = await self.replay(origin, name, len(moves), lambda: self.set_up(wanted, copied))
        if live.mode == "analysis" and not live.state.over:
            live.ending = ending
        created = await self.add(live, origin)
        self.task(self.prepare(live))
        return created

    async def prepare(self, live: LiveGame) -> None:
        """Have the kernels of a new session compiled, before those of games that are only looked at."""
        specs = [seat.spec for seat in live.seats if seat.spec is not None]
        advisers = [strongest(live.game)] if live.humans or live.mode == "analysis" else []
        await self.warm(live.name, live.game, [*specs, *advisers], BEGUN)

    async def look_at(self, name: str, options: Mapping[str, Value]) -> list[Job]:
        """Have the kernels of a game's usual agents compiled, for somebody who sets it up."""
        game = await asyncio.to_thread(self.catalogue.game, name, options)
        return await self.warm(name, game, usual_agents(game), LOOKED_AT)

    def need_room(self, origin: str) -> None:
        """Refuse a session too many of one address. When the server is full, unload one without clients, or refuse."""
        own = sum(session.origin == origin for session in self.loaded.values())
        if own >= self.settings.sessions_each:
            reason = f"{own} sessions were begun from your address; end some, or try again later"
            raise Refusal("too-many", reason, "too-many-own", number=own)
        if len(self.loaded) >= self.settings.sessions:
            unused = [session for session in self.loaded.values() if session.is_unused]
            if not unused:
                reason = f"this server has {len(self.loaded)} sessions already; try again later"
                raise Refusal("too-many", reason, "too-many-sessions")
            self.unload(min(unused, key=lambda session: session.touched))

    async def copied(self, wanted: messages.NewSession, origin: str) -> tuple[messages.Record | None, Json | None]:
        """The game that a new session copies, if any, and how it ended if not by its rules."""
        if wanted.source is not None:
            source = await self.authorised(wanted.source.session, wanted.source.token, origin)
            need_open(source.live)
            live = source.live
            copied = messages.Record(
                game=live.name,
                options=live.game.options,
                seed=live.seed,
                position=live.position,
                actions=list(live.actions),
            )
            return copied, live.ending
        if wanted.record_id is not None:
            found = await asyncio.to_thread(self.store.record, wanted.record_id)
            if found is None:
                raise Refusal("unknown-record", "there is no such record")
            return found, None
        if wanted.stored is not None:
            run, number = wanted.stored.run, wanted.stored.game
            return await self.chores.run(origin, lambda: runs.record(self.settings.store, run, number, self.catalogue))
        return wanted.record, None

    def set_up(self, wanted: messages.NewSession, copied: messages.Record | None) -> LiveGame:
        """The game of a new session, with its first moves played; runs in a thread."""
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
            live = LiveGame(game, name, seats, seed, *setting, position=position, agent_seed=agent_seed)
            live.play_all(moves, patience(self.settings.replay))
        except (Refusal, SpielbaumError) as error:
            if isinstance(error, Refusal) and error.code == "too-large":
                raise
            reason = f"{error}; as a position: {objection}" if pasted else str(error)
            raise Refusal("bad-setup", reason, "bad-moves", **wrong_move(error)) from None
        return live

    async def add(self, live: LiveGame, origin: str) -> Json:
        """Open a session of a game for an address; return what its owner needs to join it."""
        self.need_room(origin)
        self.admit(live.game, live.seats)
        identity, token = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        invites = {seat: secrets.token_urlsafe(18) for seat in live.humans}
        tokens: dict[str, str | int] = {token: OWNER, **{invite: seat for seat, invite in invites.items()}}
        session = self.loaded[identity] = Session(self, identity, live, tokens)
        session.origin = origin
        await asyncio.to_thread(session.save)
        log.info("session begun", extra={"facts": {"session": identity, "game": live.name, "mode": live.mode}})
        return {
            "session": identity,
            "token": token,
            "invites": {str(seat): invite for seat, invite in invites.items()},
        }

    def remove(self, identity: str) -> None:
        """Forget a session that has ended."""
        self.loaded.pop(identity, None)

    async def get(self, identity: str, origin: str) -> Session:
        """The session of a name, loaded from disk if it is not in memory; an unknown one is refused."""
        while identity not in self.loaded:  # it may have been unloaded again before this task goes on
            if identity not in self.loading:
                self.loading[identity] = asyncio.create_task(self.restore(identity, origin))
            await asyncio.shield(self.loading[identity])
        if self.loaded[identity].ended:  # and is being removed from disk
            raise unknown_session()
        return self.loaded[identity]

    async def restore(self, identity: str, origin: str) -> Session:
        """Load a session from disk."""
        try:
            data = await asyncio.to_thread(self.store.load, identity)
            if data is None:
                raise unknown_session()
            live = data.get("live")
            actions = live.get("actions") if isinstance(live, dict) else None
            moves = len(actions) if isinstance(actions, list) else 0
            name = str(live.get("name")) if isinstance(live, dict) else ""
            session = await self.replay(origin, name, moves, lambda: self.restored(identity, data))
            session.origin = origin
            self.loaded[identity] = session
            return session
        finally:
            del self.loading[identity]

    def restored(self, identity: str, data: Json) -> Session:
        """The session that was stored; damaged data is refused. Runs in a thread."""
        try:
            require_sound(data)
            game = self.catalogue.game(data["live"]["name"], data["live"]["options"])
            session = Session(self, identity, LiveGame.restored(game, data["live"]), data["tokens"], data["taken"])
            session.recorded, session.stored = data.get("recorded", False), True
            session.agents.recent = data.get("reports", [])
        except (Refusal, SpielbaumError) as error:
            raise Refusal("unreadable", f"this session can't be set up again: {error}") from None
        except NONSENSE as error:
            what = "what is stored of this session is damaged"
            raise self.store.cannot_read(what, error, session=identity) from None
        return session

    async def authorised(self, identity: str, token: str, origin: str) -> Session:
        """The session of a name, for a client with one of its tokens; refused without."""
        session = await self.get(identity, origin)
        session.permission_of(token)
        return session

    async def clean_up(self) -> None:
        """Sweep at regular intervals; an exception does not end it."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            try:
                await self.sweep()
            except Exception as error:  # one round less is no reason to stop
                log.error("cleaning up failed", exc_info=error)

    async def sweep(self) -> None:
        """Store sessions in use, unload unused ones, and forget old ones."""
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
        session.agents.forget()
        self.searches.release(id(session))
        self.loaded.pop(session.identity, None)

    async def end_unless_used(self, session: Session) -> None:
        async with session.lock:
            if session.connections:
                await asyncio.to_thread(session.save)
            else:
                await session.end("idle")

    def health(self) -> Json:
        """Figures about the server's load and trouble."""
        return {
            "uptime": round(time.monotonic() - self.started, 1),
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
    """The number of the illegal move of a list, if the error names it."""
    found = re.match(r"move (\d+):", str(error))
    return {"number": int(found[1])} if found else {}


def need_open(live: LiveGame) -> None:
    """Refuse to copy a game that goes on and hides something from its players, future dice included."""
    uncertain = live.secret or (live.game.chance and live.mode == "play" and live.humans)
    if uncertain and not live.over:
        raise Refusal(
            "forbidden",
            "this game hides something from its players, such as future dice, until it is over",
            "hidden-record",
        )


def unknown_session() -> Refusal:
    return Refusal("unknown-session", "there is no such session; it may have ended")
