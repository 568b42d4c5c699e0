"""At the door of a server: how many may come from an address, how often a key may be guessed, and what a page may ask.

Connections cost those who open them nothing, and neither do pings and messages in a thousand parts: all of them are
limited. A browser says which page it is that connects and which name it takes us for; a page of another site does not
get in, nor one that has made the browser believe that its name is ours (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import http
import ipaddress
import math
import socket
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from spielbaum.web.callers import Allowance, Allowances, origin_of

MOST_GUESTS = 3000
MOST_OPEN = MOST_GUESTS + 500  # connections, those included that only ask for the time or a page
MOST_EACH = 1000  # of them from one address, which may be a whole school's
OTHER_FRAMES = 5.0, 100  # pings, pongs and parts of messages: per second in the long run, and in a short one
WRONG_KEYS = 0.2, 20  # of one address, likewise
SENT_AWAY = 1.0  # seconds until a connection is cut that is one too many
NAMES_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Connection": "close",
}


class Door:
    """Who is there, by address, and what each may still do."""

    def __init__(self) -> None:
        self.open: Counter[str] = Counter()
        self.guesses = Allowances(*WRONG_KEYS)
        self.names: frozenset[str] = frozenset()  # under which the server may be asked; any if none

    def stand(self, door: socket.socket) -> None:
        """At a socket: one that only this computer reaches is asked under this computer's names."""
        host = door.getsockname()[0]
        self.names = NAMES_HERE | {host} if ipaddress.ip_address(host).is_loopback else frozenset()

    def connection(self, *arguments: Any, **named: Any) -> Visitor:
        """A new connection, for `websockets`."""
        return Visitor(self, *arguments, **named)

    def come(self, origin: str) -> Response | None:
        """One more connection; the answer if it is one too many."""
        self.open[origin] += 1
        if self.open[origin] > MOST_EACH:
            return plain(429, f"{MOST_EACH} connections from your address are open already")
        return plain(503, "too many connections; come back later") if self.open.total() > MOST_OPEN else None

    def go(self, origin: str) -> None:
        """One less."""
        self.open[origin] -= 1
        if not self.open[origin]:
            del self.open[origin]

    def objection(self, request: Request) -> Response | None:
        """Why nothing is answered to a request, if so."""
        hosts, pages = ([text.lower() for text in request.headers.get_all(name)] for name in ("Host", "Origin"))
        if self.names and (len(hosts) != 1 or hostname(hosts[0]) not in self.names):
            return plain(403, f"this server is asked as {' or '.join(sorted(self.names))}")
        if pages and (len(pages) != 1 or pages[0].partition("://")[2] not in hosts):
            return plain(403, "pages of other sites may not connect")
        return None

    def patience(self, origin: str) -> Response | None:
        """Who has brought too many wrong keys waits, also with a right one: it may have been guessed."""
        seconds = math.ceil(self.guesses.of(origin).spend(0))
        if not seconds:
            return None
        refusal = plain(429, f"too many wrong keys from your address; wait for {seconds} s")
        refusal.headers["Retry-After"] = str(seconds)
        return refusal

    def wrong_key(self, origin: str) -> None:
        """Remember it."""
        self.guesses.of(origin).spend(1)


class Visitor(ServerConnection):
    """A connection that is counted."""

    def __init__(self, door: Door, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.door, self.origin = door, ""
        self.refusal: Response | None = None
        self.other_frames = Allowance(*OTHER_FRAMES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.origin = origin_of(transport.get_extra_info("peername"))
        self.refusal = self.door.come(self.origin)
        if self.refusal is not None:
            self.loop.call_later(SENT_AWAY, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.door.go(self.origin)

    def data_received(self, data: bytes) -> None:
        if self.refusal is None:
            super().data_received(data)
        elif not self.transport.is_closing():
            self.transport.write(self.refusal.serialize())
            self.transport.close()

    def process_event(self, event: Any) -> None:
        """Take a request or a frame; who sends too many that are no messages is sent away."""
        super().process_event(event)
        if isinstance(event, Frame) and is_other(event) and not self.other_frames.take():
            self.send_away()

    def send_away(self) -> None:
        """Say why, read no more, and cut the connection soon."""
        if self.protocol.state is State.OPEN:
            self.protocol.fail(CloseCode.POLICY_VIOLATION, "too many pings or parts of messages")
            self.send_data()
            self.transport.pause_reading()
            self.loop.call_later(SENT_AWAY, self.transport.abort)


def is_other(frame: Frame) -> bool:
    """Whether a frame is neither a whole message nor the end of the connection."""
    return frame.opcode in (Opcode.PING, Opcode.PONG, Opcode.CONT) or not frame.fin


def hostname(host: str) -> str:
    """The name in a header `Host`, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def plain(status: int, text: str) -> Response:
    """An answer for people."""
    return response(status, f"{text}\n", "text/plain")


def response(status: int, body: str, kind: str = "application/json") -> Response:
    """An answer after which the connection is closed."""
    data = body.encode()
    headers = Headers({"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(data)), **HEADERS})
    return Response(status, http.HTTPStatus(status).phrase, headers, data)
