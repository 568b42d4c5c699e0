"""The server: the official protocol on a WebSocket, the time, and a page for people, all on one port.

    /spe_ed?key=KEY     the game; 403 without a key that is known, 429 where it plays already, 400 without an upgrade
    /spe_ed_time        what time it is here
    /                   the page; it asks /games for all that it shows, and /games/7 for the board of game 7

One event loop serves everybody, and nothing in it takes long: bots think in threads, the disk has its own, and who does
not read is dropped.
"""

from __future__ import annotations

import asyncio
import gc
import http
import logging
import pathlib
import random
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State as Connected

from spielbaum.agents import resolve
from spielbaum.agents.warm_up import warm
from spielbaum.arena.single import GameRecord
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, load
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.online.door import MOST_GUESTS, MOST_OPEN, Door, plain, response
from spielbaum.online.event_stream import EventStream, EventStreams
from spielbaum.online.game_store import Entry, Finished, GameStore, standing
from spielbaum.online.lobby import Keys, Lobby
from spielbaum.online.match import Match, Times, places
from spielbaum.online.protocol import compact, time_told
from spielbaum.online.seats import HURRY, Bot, Brains, Guest
from spielbaum.text import likeness
from spielbaum.web.app import AT_A_TIME, OTHER_FILES, WAITING, allow_files
from spielbaum.web.callers import origin_of

log = logging.getLogger(__name__)

SOCKET, TIME, GAMES = "/spe_ed", "/spe_ed_time", "/games"
PAGE = pathlib.Path(__file__).parent / "page.html"
LONGEST = 1 << 14  # bytes of a message; an answer has some thirty
OPENING = 10.0  # seconds for a handshake
LONGEST_WAIT = 86_400  # seconds in the lobby
PING = 20.0  # seconds between two pings; who thinks need not answer them before the cut-off
BROKEN_OFF = "the game was broken off: an error of the server"
QUIET = logging.getLogger("spielbaum.online.handshakes")  # who knocks in vain is no news
QUIET.setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Settings:
    """How games are played here."""

    bots: Sequence[str] = ("siegfried",)
    players: int | None = None
    """How many play; drawn for each game unless given."""
    width: int | None = None
    height: int | None = None
    wait: float = 300.0
    times: Times = field(default_factory=Times)
    keys: pathlib.Path | None = None
    seed: int = 0
    games: int | None = None
    """After how many games the server ends; never unless given."""
    abrupt: bool = False
    """Connections end without a close frame, as those of the official server."""
    store: str = "spielbaum.db"

    def __post_init__(self) -> None:
        if not 0 <= self.wait <= LONGEST_WAIT:
            raise SpielbaumError(f"--wait {self.wait:g} is not possible: 0 to {LONGEST_WAIT} seconds")

    def load(self, players: int, *, silence: bool = True) -> Game:
        """The game for so many players; with `silence` they may give no answer."""
        size = {name: side for name, side in (("width", self.width), ("height", self.height)) if side is not None}
        return load("spe-ed", players=players, silence=silence, **size)


class Staging(NamedTuple):
    """The Stage on which games can be looked at, beside this server."""

    streams: EventStreams
    port: int
    hands: bool
    """Whether who looks on may take over a bot."""

    def show(self, number: int, bots: Iterable[int]) -> EventStream:
        """A game on the Stage."""
        return self.streams.add(EventStream(f"spe_ed {number}", bots if self.hands else ()))

    def name(self, stream: EventStream | None) -> str | None:
        """What a game is called in the Stage's addresses."""
        return next((name for name, other in list(self.streams.items()) if other is stream), None)


class Host:
    """A server with its lobby and its games."""

    def __init__(
        self, settings: Settings, say: Callable[[str], None] = lambda line: None, stage: Staging | None = None
    ):
        self.settings, self.say, self.stage = settings, say, stage
        self.anchor = time.time() - time.monotonic()  # whoever sets the clock later moves no deadline
        sizes = range(2, PLAYERS + 1) if settings.players is None else [settings.players]
        self.games = {players: settings.load(players) for players in sizes}
        self.voiced = {players: settings.load(players, silence=False) for players in sizes}
        self.keys = Keys(settings.keys)
        self.check_bots()
        self.dice = random.Random(settings.seed)
        self.lobby = Lobby(settings.wait, settings.players, settings.seed, self.start_match)
        self.brains = Brains()
        self.door = Door()
        self.house = {likeness(spec) for spec in settings.bots}
        self.taken: dict[str, ServerConnection] = {}  # names as `likeness` has them, as two may not look alike
        self.matches: dict[int, Match] = {}
        self.begun = self.ended = 0
        self.tasks: set[asyncio.Task[None]] = set()
        self.finished = asyncio.Event()
        self.store = GameStore(settings.store, settings.seed)

    def check_bots(self) -> None:
        """Refuse bots that can't play."""
        if not self.settings.bots:
            raise SpielbaumError("there must be a bot for empty seats; give one with --bot")
        for game in self.voiced.values():
            for spec in self.settings.bots:
                if resolve(spec, game)[0].name == "human":
                    raise SpielbaumError("a person can't be a bot; let the person join with a client")

    def warm_up(self) -> None:
        """Compile and load what will be needed, before anybody waits for it."""
        for spec in dict.fromkeys(self.settings.bots):
            warm(next(iter(self.voiced.values())), spec)
        game = next(iter(self.games.values()))
        state = game.new()
        while not state.over:
            state.play(state.actions[0])
        rules_version(game.module)
        standing([Finished(["", " "], [1.0, -1.0])])
        gc.freeze()  # what is loaded stays: nobody waits for the collector to look through all of Numba

    async def serve(self, door: socket.socket) -> None:
        """Serve at a socket until enough games are over, or somebody cancels."""
        allow_files(MOST_OPEN + OTHER_FILES)
        self.door.stand(door)
        thinking = self.settings.times.longest + self.settings.times.grace
        async with serve(
            self.visit,
            sock=door,
            process_request=self.answer,
            process_response=self.let_in,
            create_connection=self.door.connection,  # type: ignore[arg-type]  # it need not be a class
            server_header=None,
            compression=None,  # costs more time than it saves where games are many
            max_size=LONGEST,
            open_timeout=OPENING,
            close_timeout=HURRY,
            ping_interval=PING,
            ping_timeout=PING + thinking,
            logger=QUIET,
            backlog=AT_A_TIME,
        ):
            door.listen(WAITING)  # asyncio takes as many in a row as may wait, so this is set apart again
            try:
                await self.finished.wait()
            finally:  # before the guests are sent away: games that are not over are not to end by that
                self.lobby.close()
                for task in self.tasks:
                    task.cancel()
                await asyncio.gather(*self.tasks, return_exceptions=True)
                self.store.close()

    # --- at the door ------------------------------------------------------------------------------

    async def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """What is answered before there is a WebSocket; None lets a guest in."""
        if objection := self.door.objection(request):
            return objection
        path = request.path.partition("?")[0]
        if path == SOCKET:
            return self.refusal(request, origin_of(connection.remote_address))
        if path == TIME:
            return response(200, time_told(self.anchor + time.monotonic()))
        if path == GAMES:
            return response(200, compact(await self.summary()))
        if path.startswith(f"{GAMES}/"):
            return self.board(path.rpartition("/")[2])
        if path == "/":
            return response(200, PAGE.read_text("utf-8"), "text/html")
        return plain(404, f"there is nothing here; the game is at {SOCKET}, the time at {TIME}, a page for people at /")

    def refusal(self, request: Request, origin: str) -> Response | None:
        """Why somebody does not get in, if so."""
        key = key_of(request)
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return plain(400, f"this is for WebSockets: connect to ws://…{SOCKET}?key=KEY")
        if not key:
            return plain(403, f"the key is missing: connect to {SOCKET}?key=KEY")
        if patience := self.door.patience(origin):
            return patience
        name = self.keys.name(key)
        if name is None:
            self.door.wrong_key(origin)
            return plain(403, "this key is not known here")
        if likeness(name) in self.house:
            return plain(403, "this is the name of a bot here; choose another")
        if self.is_taken(likeness(name)):
            return plain(429, "this key, or a name like it, is in a game or in the lobby; one game at a time")
        if self.is_full():
            return plain(503, "too many players; come back later")
        return None

    def let_in(self, connection: ServerConnection, request: Request, answer: Response) -> None:
        """A handshake has succeeded: from now on the name is taken."""
        if answer.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.taken[likeness(self.keys.name(key_of(request)) or "")] = connection

    def is_taken(self, name: str) -> bool:
        return name in self.taken and self.taken[name].state is not Connected.CLOSED

    def is_full(self) -> bool:
        """Whether there are too many guests; of those who left in the middle of a handshake nobody has heard."""
        if len(self.taken) >= MOST_GUESTS:
            self.taken = {name: connection for name, connection in self.taken.items() if self.is_taken(name)}
        return len(self.taken) >= MOST_GUESTS

    def board(self, number: str) -> Response:
        """The state of a running game, as everybody in it knows it."""
        match = self.matches.get(int(number)) if number.isdecimal() and len(number) < 10 else None
        if match is None or match.last is None:
            return plain(404, "this game is not running")
        return response(200, match.last.to(0))

    async def visit(self, connection: ServerConnection) -> None:
        """A guest, from the lobby to the end of the game, or until the socket is closed."""
        assert connection.request is not None
        name = self.keys.name(key_of(connection.request)) or ""
        guest = Guest(connection, name, abrupt=self.settings.abrupt)
        self.lobby.enter(guest)
        try:
            async for text in connection:
                if not guest.heard(text):
                    await connection.close(CloseCode.POLICY_VIOLATION, "too many messages that nobody has asked for")
        except ConnectionClosed:
            pass
        finally:
            guest.left()
            self.lobby.leave(guest)
            self.free([guest])

    def free(self, guests: Iterable[Guest]) -> None:
        """Who has left, or whose game is over, may come again."""
        for guest in guests:
            name = likeness(guest.name)
            if self.taken.get(name) is guest.connection:
                del self.taken[name]

    # --- games ------------------------------------------------------------------------------------

    def start_match(self, guests: list[Guest], players: int) -> None:
        """A table is complete, with bots for those who are missing."""
        bots = self.dice.choices(self.settings.bots, k=players - len(guests))
        seats: list[Guest | Bot] = [*guests, *(Bot(spec, self.voiced[players], self.brains) for spec in bots)]
        self.dice.shuffle(seats)
        game = self.games[players]
        entry = self.store.enter(game, [seat.name for seat in seats])
        self.begun += 1
        house = [player for player, seat in enumerate(seats) if isinstance(seat, Bot)]
        stream = None if self.stage is None else self.stage.show(self.begun, house)
        match = Match(self.begun, game, entry.seed, seats, self.settings.times, self.anchor, stream)
        self.matches[match.number] = match
        if self.begun == self.settings.games:
            self.lobby.open = False
        task = asyncio.get_running_loop().create_task(self.play(match, entry, guests))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def play(self, match: Match, entry: Entry, guests: list[Guest]) -> None:
        """Play a game, store it, and let the guests go; what they have heard of is on the disk."""
        end: tuple[Any, ...] = ()
        try:
            await self.store_match(match, entry, await match.play())
            self.free(guests)  # who hears the end may come again at once
            match.end()
        except Exception:  # whatever it is, the other games go on
            log.exception("game %d can't go on", match.number)
            end = CloseCode.INTERNAL_ERROR, BROKEN_OFF
        finally:
            self.free(guests)
            del self.matches[match.number]
            if match.stream is not None:
                match.stream.end()
        await asyncio.gather(*(guest.part(*end) for guest in guests), return_exceptions=True)
        self.ended += 1
        if self.ended == self.settings.games:
            self.finished.set()

    async def store_match(self, match: Match, entry: Entry, record: GameRecord) -> None:
        """Store a game and tell of it."""
        facts = {key: value for key, value in match.summary().items() if key != "active"}
        try:
            await self.store.store_game(entry, match.names, record, facts)
        except SpielbaumError as error:
            self.say(f"game {match.number} is not stored: {error}")
        came_in = sorted(zip(places(record.returns), match.names, strict=True))
        told = ", ".join(f"{place}. {name}" for place, name in came_in)
        self.say(f"game {match.number}: {told} ({match.rounds} rounds)")

    async def summary(self) -> dict[str, Any]:
        """All that the page shows."""
        return {
            "lobby": self.lobby.summary(),
            "stage": self.stage.port if self.stage else None,
            "running": [
                match.summary() | {"stage": self.stage.name(match.stream) if self.stage else None}
                for match in self.matches.values()
            ],
            "results": list(self.store.results),
            "ratings": await self.store.ratings(),
        }


def key_of(request: Request) -> str:
    """The key that a guest brings."""
    return parse_qs(request.path.partition("?")[2]).get("key", [""])[0]
