"""A client for servers of the InformatiCup 2021: it waits in the lobby, plays a game by an agent, and keeps a record.

Each state is answered once, and before its deadline by the server's clock:

    answer at = deadline - min(margin, time left / 3) - round trip - most that one of the last answers was late

An agent that has not come back by then is not waited for: the best that it has found so far is answered if that is not
deadly, and otherwise a move that is not. When it is back it thinks about the state that there is then. A state that
comes before the last one was answered takes its place, so that no answer is ever meant for another round. What the
server does against the protocol ends the game, or is told. Nothing is waited for without a limit, and Ctrl-C is heard
in every wait.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.parse
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from spielbaum.agents import make
from spielbaum.errors import SpielbaumError
from spielbaum.online import records
from spielbaum.online.clock import ServerClock
from spielbaum.online.thinking import AgentThread
from spielbaum.online.validation import Fault, FollowedGame, Told, parsed, safe_answers, safest
from spielbaum.rules import seat_seed
from spielbaum.web.threads import in_thread

if TYPE_CHECKING:
    from spielbaum.online.event_stream import EventStream

LATE = 0.005  # seconds that an agent is waited for longer than it should take
SOONER, AT_MOST = 0.1, 0.01  # of its time, and seconds: an agent is told to stop so much earlier
REMEMBERED = 20  # answers whose lateness counts: a busy machine is late again and again
HURRY = 0.02  # seconds to think when there is no time
CAUTIOUS = 1.0  # seconds to think when a deadline can't be true
FARTHEST = 60.0  # seconds: no deadline is farther away
TRUNCATED = 1.5  # seconds by which a deadline in whole seconds, from a slow network, may seem to have passed
LOOKS = 5  # at the server's clock before a game
LOOK_AGAIN = 10.0  # seconds between two looks during a game
LARGEST_MESSAGE = 2**22
KEEP_ALIVE, GIVE_UP = 20.0, 60.0  # seconds: pings of the connection, and how long a server may leave one unanswered
OPENING = 30.0  # seconds to open a connection
LOBBY = 3600.0  # seconds until a game begins
SILENCE = 60.0  # seconds after its deadline that a round may last, and that a server may take to hear an answer
LONGEST = 3600.0  # seconds: no deadline is taken for farther away
IN_USE = 429
RELEASE = 10.0  # seconds that a server may take to see that a game of ours is over

REFUSALS = {
    400: "the server takes this for no WebSocket (400): check --url, it looks like ws://host/spe_ed",
    403: "the server does not know this key (403): check --key",
    404: "there is no game at this address (404): check --url",
    IN_USE: "this key is in a game already, or too many wrong ones came from here (429): wait, or use another key",
}


class Result(NamedTuple):
    """How a game went for us."""

    place: int
    players: int
    rounds: int
    complete: bool  # it was followed to its end


@dataclass
class Client:
    """One key on one server, and who plays for it."""

    url: str
    key: str
    clock: ServerClock
    agent: str
    seed: int = 0
    margin: float = 0.3
    log: records.Log | None = None
    stream: Callable[[], EventStream] | None = None
    """Makes what shows a game that begins, where games are to be looked at."""
    say: Callable[[str], None] = print
    warn: Callable[[str], None] = print
    games: int = field(default=0, init=False)
    """How many were begun."""
    lateness: deque[float] = field(default_factory=lambda: deque([0.0], REMEMBERED), init=False)
    """By how many seconds the last answers were given later than they should have been."""
    doubts: list[str] = field(default_factory=list, init=False)
    """What has gone wrong without ending a game: what the server tells can't be true, or the agent failed."""

    async def play(self) -> Result:
        """Wait for a game and play it to its end; a server that breaks off or tells nonsense is a Fault."""
        await self.clock.look(LOOKS)
        socket = await self.connected()
        async with socket:
            self.say("waiting in the lobby")
            try:
                async with asyncio.timeout(LOBBY):
                    first = parsed(await socket.recv())
            except TimeoutError:
                raise Fault(f"no game has begun: waited in the lobby for {LOBBY:g} s") from None
            except ConnectionClosed as closed:
                raise Fault(f"the server closed the connection before a game began{reason(closed)}") from None
            table = ClientGame(self, socket, FollowedGame(first, self.agent))
            self.games += 1
            try:
                return await table.play()
            finally:
                table.close()

    async def connected(self) -> ClientConnection:
        """A connection to the lobby; after an own game the server may need a moment to see that it is over."""
        end = time.monotonic() + RELEASE
        while True:
            try:
                return await self.connect()
            except InvalidStatus as error:
                status = error.response.status_code
                if status != IN_USE or not self.games or time.monotonic() > end:
                    unknown = f"the server refuses the connection ({status})"
                    raise SpielbaumError(REFUSALS.get(status, unknown)) from None
            await asyncio.sleep(RELEASE / 20)

    async def connect(self) -> ClientConnection:
        """A connection; a refusal is an InvalidStatus, all else is told in words."""
        try:
            return await connect(
                with_key(self.url, self.key),
                proxy=None,
                open_timeout=OPENING,
                close_timeout=1.0,
                ping_interval=KEEP_ALIVE,
                ping_timeout=GIVE_UP,
                max_size=LARGEST_MESSAGE,
            )
        except InvalidStatus:
            raise
        except InvalidURI:
            raise SpielbaumError(
                f"--url {self.url!r} is no address of a game; it looks like ws://host/spe_ed"
            ) from None
        except TimeoutError:
            raise SpielbaumError(f"the server at {self.url} does not answer within {OPENING:g} s") from None
        except (OSError, InvalidHandshake, ValueError) as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise SpielbaumError(f"the server at {self.url} can't be reached: {why}") from None

    def doubt(self, what: str) -> None:
        """Tell the first thing that goes wrong, and remember all."""
        if not self.doubts:
            self.warn(what)
        self.doubts.append(what)

    def time_to_answer(self, deadline: float) -> float:
        """When to answer, a time of `time.monotonic()`."""
        now = time.monotonic()
        left = self.clock.local(deadline) - now
        if left > FARTHEST:
            self.doubt(f"the server's deadline is {left:.0f} s away by its own clock; answering within {CAUTIOUS:g} s")
            return now + CAUTIOUS
        if left < -TRUNCATED:
            self.doubt(f"the server's deadline had passed {-left:.0f} s before its state came; answering at once")
        end = now + left - min(self.margin, left / 3) - self.clock.round_trip - max(self.lateness)
        return max(end, now + HURRY)


def with_key(url: str, key: str) -> str:
    """The address of the game with the key in it."""
    parts = urllib.parse.urlsplit(url)
    query = "&".join(filter(None, [parts.query, urllib.parse.urlencode({"key": key})]))
    return urllib.parse.urlunsplit(parts._replace(query=query))


def reason(closed: ConnectionClosed) -> str:
    """What a server says when it closes a connection, if anything."""
    frame = closed.rcvd or closed.sent
    return f": {frame.code} {frame.reason}".rstrip() if frame is not None and frame.code != 1000 else ""


class ClientGame:
    """One game."""

    def __init__(self, client: Client, socket: ClientConnection, followed: FollowedGame):
        self.client, self.socket, self.followed = client, socket, followed
        seed = seat_seed(client.seed + client.games, followed.you)
        self.stream = client.stream() if client.stream is not None else None
        self.agent_thread = AgentThread(lambda: make(client.agent, followed.game, seed), followed.you, self.stream)
        self.as_thought = True  # whether the last answer was the agent's
        self.looking: asyncio.Task[None] | None = None
        self.log = client.log

    def close(self) -> None:
        """End what goes on beside the game, and its record."""
        self.agent_thread.close()
        if self.stream is not None:
            self.stream.end()
        if self.looking is not None:
            self.looking.cancel()
        self.write_down(over=True)

    def write_down(self, *, over: bool = False) -> None:
        """Put what is known of the game on the disk; one that is full ends the record and not the game."""
        if self.log is None:
            return
        try:
            self.log.write(self.followed.record, over=over)
        except OSError as error:
            self.client.doubt(f"{self.log.path} can't be written: {error.strerror}; going on without a record")
            self.log = None

    async def play(self) -> Result:
        """Answer every state until the last one."""
        followed, height, width = self.followed, *self.followed.told.cells.shape
        players = len(followed.told.places)
        self.client.say(f"a game of {players} on {width} x {height}; we are player {followed.you + 1}")
        coming: asyncio.Task[Told] | None = None
        try:
            while True:
                self.show()
                if not followed.told.running:
                    break
                coming = asyncio.ensure_future(self.next_state())
                if followed.alive:
                    await self.answer(coming)
                self.write_down()  # now that nobody waits for us
                followed.follow(await coming)
        except ConnectionClosed as closed:
            if followed.alive:
                when = f"in round {followed.rounds + 1}, before the game was over"
                raise Fault(f"the server closed the connection {when}{reason(closed)}") from None
        finally:
            if coming is not None and not coming.cancel() and not coming.cancelled():
                coming.exception()  # has been told, or nobody needs to know
        return Result(followed.place, players, followed.rounds, not followed.told.running)

    def show(self) -> None:
        if self.stream is not None:
            self.stream.show({**self.followed.told.message, "round": self.followed.rounds})

    async def next_state(self) -> Told:
        """The next state that is not the present one once more."""
        limit = self.patience()
        try:
            async with asyncio.timeout(limit):
                while True:
                    told = parsed(await self.socket.recv())
                    if not self.followed.repeats(told):
                        return told
        except TimeoutError:
            when = f"in round {self.followed.rounds + 1}"
            raise Fault(f"the server fell silent {when}: waited for the next state for {limit:.0f} s") from None

    def patience(self) -> float:
        """How long a round may last from now on, in seconds."""
        assert self.followed.told.deadline is not None
        left = self.client.clock.local(self.followed.told.deadline) - time.monotonic()
        return min(max(left, 0.0), LONGEST) + SILENCE

    async def answer(self, coming: asyncio.Task[Told]) -> None:
        """Answer the present state, once, unless the next one comes before."""
        assert self.followed.told.deadline is not None
        end = self.client.time_to_answer(self.followed.told.deadline)
        action = await self.wanted(end) or await self.found(end, coming)
        if coming.done():
            self.agent_thread.stop()
            self.as_thought = False
            return
        try:
            async with asyncio.timeout(SILENCE):
                await self.socket.send(json.dumps({"action": action}))
        except TimeoutError:
            raise Fault(f"the server takes no answers: waited for it to read one for {SILENCE:g} s") from None
        self.client.lateness.append(max(0.0, time.monotonic() - end))
        self.look_at_clock()

    async def wanted(self, end: float) -> str | None:
        """What a person wants who has taken over; None where nobody has."""
        if self.stream is None or self.stream.taken(self.followed.you) is None:
            return None
        self.as_thought = False
        stream, you = self.stream, self.followed.you
        _, chosen = in_thread(lambda: stream.wait(you, end - time.monotonic()), polite=False)
        action: str | None = await chosen
        return action

    async def found(self, end: float, coming: asyncio.Task[Told]) -> str:
        """What the agent finds in time, or something instead."""
        view = self.followed.view(known=self.as_thought)
        sooner = min(AT_MOST, SOONER * (end - time.monotonic()))
        self.as_thought = False
        if view is None:
            return safest(safe_answers(self.followed))
        thought = self.agent_thread.start(view, end - sooner)
        left = end + LATE - time.monotonic()
        waiting: set[asyncio.Future[Any]] = {coming, thought}
        await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        thought.done() or thought.cancel()  # nobody waits any longer
        by_hand = None if self.stream is None else self.stream.taken(self.followed.you)  # since it began to think
        if by_hand is not None or coming.done() or thought.cancelled():
            return by_hand or self.instead()
        if error := thought.exception():
            self.client.doubt(f"the agent failed in round {self.followed.rounds + 1}: {type(error).__name__}: {error}")
            return safest(safe_answers(self.followed))
        self.as_thought = True
        return records.ANSWERS[thought.result()]

    def instead(self) -> str:
        """The best that a late agent has found so far, unless it is deadly and something else is not."""
        self.agent_thread.stop()
        best, safe = self.agent_thread.best, safe_answers(self.followed)
        if best is not None and (records.ANSWERS[best] in safe or not safe):
            return records.ANSWERS[best]
        return safest(safe)

    def look_at_clock(self) -> None:
        """Now and then, when nobody waits for us."""
        if (self.looking is None or self.looking.done()) and self.client.clock.age > LOOK_AGAIN:
            self.looking = asyncio.ensure_future(self.look())

    async def look(self) -> None:
        try:
            await self.client.clock.look()
        except SpielbaumError as error:
            self.client.warn(f"{error}; going on by what is known of it")
