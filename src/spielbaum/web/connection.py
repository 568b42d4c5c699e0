"""The clients of a session: what each may do, whose view it sees, and the messages that wait to be sent to it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from spielbaum.scenes.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.history import History
from spielbaum.web.live_game import EVERYTHING, LiveGame
from spielbaum.web.session_server import SessionServer

OWNER = "owner"  # the permission of a token: everything, or the number of a seat
FRESH_START = ("welcome", "pass-screen")  # messages after which the whole history is sent again
OUTBOX = 200  # messages that may wait for a slow client
LONG_GAME, OUTBOX_OF_LONG_GAMES = 1000, 4  # steps; each position that waits holds a list of all of them


class View(NamedTuple):
    """The seat as which a position is drawn, or the pass-and-play screen and the seat that it waits for."""

    viewer: int | None
    passed_to: int | None = None
    is_hidden: bool = False


class SessionState(ABC):
    """What the clients and the agents of a session need of it; `Session` is the whole.

    `taken` are the seats whose invites were used: they no longer belong to the owner.
    """

    def __init__(self, server: SessionServer, identity: str, live: LiveGame, taken: Iterable[int]):
        self.server, self.identity, self.live, self.taken = server, identity, live, set(taken)
        self.connections: set[Connection] = set()
        self.rev = 0  # of the position that clients have been sent
        self.ended = False

    @abstractmethod
    async def hold_clocks(self) -> None:
        """Stop everybody's clock while kernels are compiled or loaded."""

    @abstractmethod
    async def show_all(self) -> None:
        """Send the same position again: what is searched, or whose clock runs, has changed."""


class Connection:
    """A client: what its token permits, and the messages that wait to be sent to it."""

    def __init__(self, session: SessionState, permission: str | int):
        self.session, self.permission = session, permission
        self.shown: int | None = None  # the seat whose view this screen has, where seats hide from each other
        self.outbox: asyncio.Queue[Json | None] = asyncio.Queue(OUTBOX)
        self.sent: History | None = None  # what the client has of the game's history

    @property
    def control(self) -> bool:
        """Whether it may restart, pause and leave."""
        return self.permission == OWNER

    @property
    def seats(self) -> list[int]:
        """The seats it may decide for."""
        humans, taken = self.session.live.humans, self.session.taken
        return [seat for seat in humans if self.permission == seat or (self.control and seat not in taken)]

    def send(self, message: Json) -> None:
        """Queue a message. Where too many wait, the oldest are dropped, and thoughts are not queued at all."""
        if self.outbox.full() and message["type"] == "thinking":
            return
        is_long = "history" in message and len(message["history"].steps) >= LONG_GAME
        most = OUTBOX_OF_LONG_GAMES if is_long else OUTBOX
        while self.outbox.qsize() >= most:
            self.outbox.get_nowait()
        self.outbox.put_nowait(message)

    async def next_message(self) -> Json | None:
        """Take the next message from the queue, without the history that the client has already; None at the end.

        What a client has is noted here and not when a message is queued: one that is dropped from the queue never
        arrives.
        """
        message = await self.outbox.get()
        if message is None:
            return None
        if message["type"] in FRESH_START:
            self.sent = None
        if message["type"] != "state":
            return message
        history: History = message["history"]
        lists, self.sent = history.since(self.sent), history
        return {**{name: value for name, value in message.items() if name != "history"}, **lists}

    def close(self) -> None:
        """Close the connection when all queued messages are sent."""
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    @property
    def turn(self) -> int | None:
        """The one of its seats that is to decide now; None if another seat is."""
        turn = self.session.live.turn(self.seats)
        return turn if turn in self.seats else None

    def is_passed_to(self, seat: int) -> bool:
        """Whether the pass-and-play screen comes before the view of another seat.

        In a game that hides nothing but the choices of a round, it comes within a round only: everybody may see how the
        round ended.
        """
        live = self.session.live
        if live.choosing and any(other in live.choices for other in self.seats):
            return True
        if not live.secret:
            return False
        return not self.sees_one_view() if self.shown is None else not live.same_view(self.shown, seat)

    def sees_one_view(self) -> bool:
        """Whether all its seats see the same: then one person may play them all."""
        first, *others = self.seats
        return all(self.session.live.same_view(first, other) for other in others)

    def need_control(self) -> None:
        if not self.control:
            raise Refusal("forbidden", "only the owner of the session may do that", "owner-only")

    def view(self) -> View:
        """What this screen may show now. This changes nothing; `remember_view` notes what was shown."""
        live, seats = self.session.live, self.seats
        if live.mode == "analysis":
            return View(live.view)
        if not live.secret and not (live.choosing and seats):
            return View(min(seats) if seats else EVERYTHING)
        if len(seats) == 1:
            return View(seats[0])
        wanted = self.turn if self.turn is not None else self.shown
        if wanted is None and seats and (not live.secret or self.sees_one_view()):
            wanted = min(seats)
        if wanted is None:
            return View(None, passed_to=seats[0] if seats else None, is_hidden=True)
        if wanted != self.shown and self.is_passed_to(wanted):
            return View(None, passed_to=wanted, is_hidden=True)
        return View(wanted)

    def remember_view(self) -> None:
        """Note whose view this screen is about to show, so that the next change of seats is noticed."""
        view = self.view()
        if not view.is_hidden:
            self.shown = view.viewer


def refused(refusal: Refusal, re: int | None = None) -> Json:
    """A refusal as a message; `re` is the id of the request."""
    return {"type": "error", "re": re, **refusal.as_dict()}
