"""Connections: they are counted by address, and closed when their request does not arrive in time.

A socket costs whoever opens it nothing, and the server a place that somebody else may need ("slow loris"). So a
request must arrive whole, and an answer be taken, within a time; and where a place is needed, a connection that asks
for nothing at the moment is closed for it before anybody is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http
import ipaddress
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from spielbaum.web.errors import HEADERS, Refusal
from spielbaum.web.settings import Settings

ARRIVING = (h11.IDLE, h11.SEND_BODY)
MOST_KNOWN = 10_000  # addresses of which is known what they have left


@functools.lru_cache(maxsize=4096)
def origin(host: str) -> str:
    """Whom an address belongs to: itself, or its network of 64 bits, as one customer has all of IPv6's addresses there.

    >>> origin("192.0.2.7"), origin("::ffff:192.0.2.7"), origin("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def origin_of(client: Sequence[Any] | None) -> str:
    """The address that a connection is counted for."""
    return origin(client[0]) if client else ""


class Allowance:
    """A bucket that fills up at a steady rate: of messages, of requests, of what is sent."""

    def __init__(self, rate: float, burst: int):
        self.rate, self.burst = rate, burst
        self.left = float(burst)
        self.at = time.monotonic()
        self.beyond = 0

    def fill(self) -> None:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now

    def take(self) -> bool:
        """Whether one more message is allowed now."""
        self.fill()
        if self.left < 1:
            self.beyond += 1
            return False
        self.left -= 1
        self.beyond = 0
        return True

    def spend(self, amount: float) -> float:
        """Take an amount, even more than there is; return the seconds until the bucket has made up for it."""
        self.fill()
        self.left -= amount
        return max(0.0, -self.left / self.rate)


class Allowances:
    """Such a bucket for each address."""

    def __init__(self, rate: float, burst: int):
        self.rate, self.burst = rate, burst
        self.known: dict[str, Allowance] = {}

    def of(self, origin: str) -> Allowance:
        """What an address has left."""
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        return self.known.setdefault(origin, Allowance(self.rate, self.burst))


class Crowd:
    """All connections by address; HTTP connections in the order in which they were last served."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.callers: dict[Caller, None] = {}
        self.own: dict[str, dict[Caller, None]] = {}
        self.sockets: Counter[str] = Counter()

    def come(self, caller: Caller) -> None:
        """Add a connection, or move one to the end that was served."""
        self.go(caller)
        self.callers[caller] = self.own.setdefault(caller.origin, {})[caller] = None

    def go(self, caller: Caller) -> None:
        """Remove a connection."""
        self.callers.pop(caller, None)
        own = self.own.get(caller.origin, {})
        own.pop(caller, None)
        if not own:
            self.own.pop(caller.origin, None)

    @contextlib.contextmanager
    def socket(self, origin: str) -> Iterator[None]:
        """A WebSocket of an address, while it is open; one too many is refused."""
        if self.sockets[origin] >= self.settings.clients_each:
            raise self.too_many(self.sockets[origin])
        self.sockets[origin] += 1
        try:
            yield
        finally:
            self.sockets[origin] -= 1
            if not self.sockets[origin]:
                del self.sockets[origin]

    def too_many(self, number: int) -> Refusal:
        return Refusal("too-many", f"{number} connections from your address are open already")

    def find_place(self, caller: Caller) -> Refusal | None:
        """Make room by closing the connection that is idle for longest; return a refusal if none is idle."""
        own = self.own.get(caller.origin, {})
        mine, all_ = len(own) + self.sockets[caller.origin], len(self.callers) + self.sockets.total()
        if mine >= self.settings.clients_each and not caller.is_proxy:
            return self.end_idle(own, self.too_many(mine))
        if all_ >= self.settings.clients:
            return self.end_idle(self.callers, Refusal("busy", f"{all_} connections are open already; try again later"))
        return None

    def end_idle(self, callers: Iterable[Caller], refusal: Refusal) -> Refusal | None:
        idle = next((caller for caller in callers if caller.is_idle), None)
        if idle is None:
            return refusal
        self.go(idle)
        idle.transport.close()
        return None


class Caller(H11Protocol):
    """A connection, until it is a WebSocket: uvicorn's, with a limit on how many there are and how long they take."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.crowd: Crowd = self.config.app.crowd  # type: ignore[union-attr]
        self.limits = self.crowd.settings
        self.origin, self.is_proxy = "", False
        self.refusal: Refusal | None = None
        self.since = time.monotonic()  # it has been open, or idle again
        self.untaken = 0  # bytes of an answer at the last look
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.origin = origin_of(self.client)
        self.is_proxy = self.client is not None and self.client[0] in self.limits.proxies
        self.refusal = self.crowd.find_place(self)
        self.crowd.come(self)
        self.look_later()

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        if self.refusal is None:
            super().data_received(data)
        elif not self.transport.is_closing():
            self.transport.write(plain_refusal(self.refusal))
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self.transport.write(plain_refusal(Refusal("malformed", "this is no request of HTTP 1.1")))
        self.transport.close()

    def on_response_complete(self) -> None:
        self.since = time.monotonic()
        self.crowd.come(self)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.leave()

    def look_later(self) -> None:
        self.timer = self.loop.call_later(self.limits.request, self.look)

    def leave(self) -> None:
        """Count it no longer: it is closed, or becomes a WebSocket."""
        self.crowd.go(self)
        if self.timer is not None:
            self.timer.cancel()

    def look(self) -> None:
        """End a connection whose request has not arrived, or not all of it, or whose answer nobody takes."""
        untaken = self.transport.get_write_buffer_size()
        is_stuck = untaken and untaken == self.untaken
        is_late = not untaken and time.monotonic() > self.since + self.limits.request
        self.untaken = untaken
        if is_stuck or (is_late and self.conn.their_state in ARRIVING):
            self.transport.abort()
        else:
            self.look_later()


def plain_refusal(refusal: Refusal) -> bytes:
    """A refusal as a whole HTTP response, for connections that do not reach the app."""
    body = json.dumps({"error": refusal.as_dict()}).encode()
    status = f"HTTP/1.1 {refusal.status} {http.HTTPStatus(refusal.status).phrase}"
    lines = [status, "content-type: application/json", f"content-length: {len(body)}"]
    lines += [f"{name.decode()}: {value.decode()}" for name, value in HEADERS]
    return "\r\n".join([*lines, "connection: close", "retry-after: 5", "", ""]).encode() + body
