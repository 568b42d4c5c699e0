"""A client of a session: what it may do, as whom it looks on, and what is on its way to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.table import EVERYTHING

if TYPE_CHECKING:
    from spielbaum.web.session import Session

OWNER = "owner"  # what a token is good for: everything, or the number of a seat
OUTBOX = 200  # messages that may wait for a slow client
LONG_GAME, OUTBOX_OF_LONG_GAMES = 1000, 4  # moves, all of which are in every position that is sent; each is complete


class Connection:
    """A client: what its token is good for, and what is on its way to it."""

    def __init__(self, session: Session, grant: str | int):
        self.session, self.grant = session, grant
        self.shown: int | None = None  # the seat whose view this screen has, where seats hide from each other
        self.outbox: asyncio.Queue[Json | None] = asyncio.Queue(OUTBOX)

    @property
    def control(self) -> bool:
        """Whether it may restart, pause and leave."""
        return self.grant == OWNER

    @property
    def seats(self) -> list[int]:
        """The seats it may decide for."""
        humans, claimed = self.session.table.humans, self.session.claimed
        return [seat for seat in humans if self.grant == seat or (self.control and seat not in claimed)]

    def send(self, message: Json) -> None:
        """Put a message on its way; a client that takes none is let go."""
        if self.outbox.full() and message["type"] == "thinking":
            return
        most = OUTBOX if len(message.get("moves", ())) < LONG_GAME else OUTBOX_OF_LONG_GAMES
        while self.outbox.qsize() >= most:
            self.outbox.get_nowait()
        self.outbox.put_nowait(message)

    def close(self) -> None:
        """End the connection after what is on its way."""
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    @property
    def turn(self) -> int | None:
        """The one of its seats that is asked now."""
        turn = self.session.table.turn(self.seats)
        return turn if turn in self.seats else None

    def comes_between(self, seat: int) -> bool:
        """Whether a curtain does, when the screen goes to another seat.

        Where all is open but what others choose, it does within a round; the round itself is for all to see.
        """
        table = self.session.table
        if table.choosing and any(other in table.choices for other in self.seats):
            return True
        if not table.secret:
            return False
        return not self.sees_one_view() if self.shown is None else not table.same_view(self.shown, seat)

    def sees_one_view(self) -> bool:
        """Whether all its seats see the same, so that one person may play them without hiding from anybody."""
        first, *others = self.seats
        return all(self.session.table.same_view(first, other) for other in others)

    def need_control(self) -> None:
        if not self.control:
            raise Refusal("forbidden", "only who began the session may do that", "owner-only")

    def view(self) -> tuple[int | None, int | None, bool]:
        """As which seat the position is drawn, for whom a curtain is down, and whether it is."""
        table, seats = self.session.table, self.seats
        if table.mode == "analysis":
            return table.view, None, False
        if not table.secret and not (table.choosing and seats):
            return (min(seats) if seats else EVERYTHING), None, False
        if len(seats) == 1:
            return seats[0], None, False
        wanted = self.turn if self.turn is not None else self.shown
        if wanted is None and seats and (not table.secret or self.sees_one_view()):
            wanted = min(seats)
        if wanted is None:
            return None, seats[0] if seats else None, True
        if wanted != self.shown and self.comes_between(wanted):
            return None, wanted, True
        self.shown = wanted
        return wanted, None, False


def refused(refusal: Refusal, re: int | None = None) -> Json:
    """A refusal as a message."""
    return {"type": "error", "re": re, **refusal.as_dict()}
