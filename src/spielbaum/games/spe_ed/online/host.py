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
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State as Connected

from spielbaum.agents import resolve
from spielbaum.arena.single import GameRecord
from spielbaum.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, load
from spielbaum.games.spe_ed.online.feed import Feed, Feeds
from spielbaum.games.spe_ed.online.ledger import Entry, Finished, Ledger, standing
from spielbaum.games.spe_ed.online.lobby import Keys, Lobby
from spielbaum.games.spe_ed.online.match import Match, Times, places
from spielbaum.games.spe_ed.online.seats import HURRY, Bot, Brains, Guest
from spielbaum.games.spe_ed.online.wire import compact, time_told
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.warmth import warm
from spielbaum.web.app import AT_A_TIME, OTHER_FILES, WAITING, allow_files

log = logging.getLogger(__name__)

SOCKET, TIME, GAMES = "/spe_ed", "/spe_ed_time", "/games"
PAGE = pathlib.Path(__file__).parent / "page.html"
LONGEST = 1 << 14  # bytes of a message; an answer has some thirty
OPENING = 10.0  # seconds for a handshake
PING = 20.0  # seconds between two pings; who thinks need not answer them before the cut-off
MOST_GUESTS = 3000
BROKEN_OFF = "the game was broken off: an error of the server"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Connection": "close",
}
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

    def load(self, players: int, *, silence: bool = True) -> Game:
        """The game for so many players; with `silence` they may give no answer."""
        size = {name: side for name, side in (("width", self.width), ("height", self.height)) if side is not None}
        return load("spe-ed", players=players, silence=silence, **size)


class Staging(NamedTuple):
    """The Stage on which games can be looked at, beside this server."""

    feeds: Feeds
    port: int
    hands: bool
    """Whether who looks on may take over a bot."""

    def show(self, number: int, bots: Iterable[int]) -> Feed:
        """A game on the Stage."""
        return self.feeds.add(Feed(f"spe_ed {number}", bots if self.hands else ()))

    def name(self, feed: Feed | None) -> str | None:
        """What a game is called in the Stage's addresses."""
        return next((name for name, other in list(self.feeds.items()) if other is feed), None)


class Host:
    """A server with its lobby and its games."""

    def __init__(
        self, settings: Settings, say: Callable[[str], None] = lambda line: None, stage: Staging | None = None
    ):
        self.settings, self.say, self.stage = settings, say, stage
        sizes = range(2, PLAYERS + 1) if settings.players is None else [settings.players]
        self.games = {players: settings.load(players) for players in sizes}
        self.voiced = {players: settings.load(players, silence=False) for players in sizes}
        self.keys = Keys(settings.keys)
        self.check_bots()
        self.dice = random.Random(settings.seed)
        self.lobby = Lobby(settings.wait, settings.players, settings.seed, self.begin)
        self.brains = Brains()
        self.taken: dict[str, ServerConnection] = {}
        self.matches: dict[int, Match] = {}
        self.begun = self.ended = 0
        self.tasks: set[asyncio.Task[None]] = set()
        self.finished = asyncio.Event()
        self.ledger = Ledger(settings.store, settings.seed)

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
        allow_files(MOST_GUESTS + OTHER_FILES)
        thinking = self.settings.times.longest + self.settings.times.grace
        async with serve(
            self.visit,
            sock=door,
            process_request=self.answer,
            process_response=self.let_in,
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
                self.ledger.close()

    # --- at the door ------------------------------------------------------------------------------

    async def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """What is answered before there is a WebSocket; None lets a guest in."""
        address = urlsplit(request.path)
        if address.path == SOCKET:
            return self.refusal(request, key_of(request))
        if address.path == TIME:
            return response(200, time_told(time.time()))
        if address.path == GAMES:
            return response(200, compact(await self.summary()))
        if address.path.startswith(f"{GAMES}/"):
            return self.board(address.path.rpartition("/")[2])
        if address.path == "/":
            return response(200, PAGE.read_text("utf-8"), "text/html")
        return plain(404, f"there is nothing here; the game is at {SOCKET}, the time at {TIME}, a page for people at /")

    def refusal(self, request: Request, key: str) -> Response | None:
        """Why somebody does not get in, if so."""
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return plain(400, f"this is for WebSockets: connect to ws://…{SOCKET}?key=KEY")
        if not key:
            return plain(403, f"the key is missing: connect to {SOCKET}?key=KEY")
        if self.keys.name(key) is None:
            return plain(403, "this key is not known here")
        if self.is_taken(key):
            return plain(429, "this key is in a game or in the lobby; one game at a time")
        if len(self.taken) >= MOST_GUESTS:
            return plain(503, "too many players; come back later")
        return None

    def let_in(self, connection: ServerConnection, request: Request, answer: Response) -> None:
        """A handshake has succeeded: from now on the key is taken."""
        if answer.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.taken[key_of(request)] = connection

    def is_taken(self, key: str) -> bool:
        return key in self.taken and self.taken[key].state is not Connected.CLOSED

    def board(self, number: str) -> Response:
        """The state of a running game, as everybody in it knows it."""
        match = self.matches.get(int(number)) if number.isdecimal() and len(number) < 10 else None
        if match is None or match.last is None:
            return plain(404, "this game is not running")
        return response(200, match.last.to(0))

    async def visit(self, connection: ServerConnection) -> None:
        """A guest, from the lobby to the end of the game, or until the socket is closed."""
        assert connection.request is not None
        key = key_of(connection.request)
        guest = Guest(connection, key, self.keys.name(key) or key, abrupt=self.settings.abrupt)
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
            self.free(guest)

    def free(self, guest: Guest) -> None:
        """Who has left, or whose game is over, may come again."""
        if self.taken.get(guest.key) is guest.connection:
            del self.taken[guest.key]

    # --- games ------------------------------------------------------------------------------------

    def begin(self, guests: list[Guest], players: int) -> None:
        """A table is complete, with bots for those who are missing."""
        bots = self.dice.choices(self.settings.bots, k=players - len(guests))
        seats: list[Guest | Bot] = [*guests, *(Bot(spec, self.voiced[players], self.brains) for spec in bots)]
        self.dice.shuffle(seats)
        game = self.games[players]
        entry = self.ledger.enter(game, [seat.name for seat in seats])
        self.begun += 1
        house = [player for player, seat in enumerate(seats) if isinstance(seat, Bot)]
        feed = None if self.stage is None else self.stage.show(self.begun, house)
        match = Match(self.begun, game, entry.seed, seats, self.settings.times, feed)
        self.matches[match.number] = match
        if self.begun == self.settings.games:
            self.lobby.open = False
        task = asyncio.get_running_loop().create_task(self.play(match, entry, guests))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def play(self, match: Match, entry: Entry, guests: list[Guest]) -> None:
        """Play a game, store it, and let the guests go."""
        try:
            record = await match.play()
        except Exception:  # whatever it is, the other games go on
            log.exception("game %d can't go on", match.number)
            record = None
        finally:
            del self.matches[match.number]
            if match.feed is not None:
                match.feed.end()
            for guest in guests:
                self.free(guest)
        end = (
            () if record is not None else (CloseCode.INTERNAL_ERROR, "the game was broken off: an error of the server")
        )
        partings = asyncio.gather(*(guest.part(*end) for guest in guests), return_exceptions=True)
        if record is not None:
            await self.keep(match, entry, record)
        await partings
        self.ended += 1
        if self.ended == self.settings.games:
            self.finished.set()

    async def keep(self, match: Match, entry: Entry, record: GameRecord) -> None:
        """Store a game and tell of it."""
        facts = {key: value for key, value in match.summary().items() if key != "active"}
        try:
            await self.ledger.keep(entry, match.names, record, facts)
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
                match.summary() | {"stage": self.stage.name(match.feed) if self.stage else None}
                for match in self.matches.values()
            ],
            "results": list(self.ledger.results),
            "ratings": await self.ledger.ratings(),
        }


def key_of(request: Request) -> str:
    """The key that a guest brings."""
    return parse_qs(urlsplit(request.path).query).get("key", [""])[0]


def plain(status: int, text: str) -> Response:
    return response(status, f"{text}\n", "text/plain")


def response(status: int, body: str, kind: str = "application/json") -> Response:
    data = body.encode()
    headers = Headers({"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(data)), **HEADERS})
    return Response(status, http.HTTPStatus(status).phrase, headers, data)
