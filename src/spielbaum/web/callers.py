"""Who is at the door: connections counted by address, and let go when they do not come to the point.

A socket costs whoever opens it nothing, and the server a place that somebody else may need ("slow loris"). So a
request must arrive whole, and an answer be taken, within a time; and where a place is needed, a connection that asks
for nothing at the moment is closed for it before anybody is refused.
"""

from __future__ import annotations

import asyncio
import functools
import http
import ipaddress
import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from spielbaum.web.errors import HEADERS, Refusal
from spielbaum.web.settings import Settings

ARRIVING = (h11.IDLE, h11.SEND_BODY)


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
    """Whom a connection comes from."""
    return origin(client[0]) if client else ""


class Caller(H11Protocol):
    """A connection, until it is a WebSocket: uvicorn's, with a limit on how many there are and how long they take."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.limits: Settings = self.config.app.settings  # type: ignore[union-attr]
        self.refusal: Refusal | None = None
        self.since = time.monotonic()  # it has been open, or idle again
        self.untaken = 0  # bytes of an answer at the last look
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.look_later()
        others: list[Any] = [other for other in self.connections if other is not self]
        own = [other for other in others if origin_of(other.client) == origin_of(self.client)]
        is_proxy = self.client is not None and self.client[0] in self.limits.proxies
        if len(own) >= self.limits.clients_each and not is_proxy:
            self.need_place(own, Refusal("too-many", f"{len(own)} connections from your address are open already"))
        elif len(others) >= self.limits.clients:
            self.need_place(others, Refusal("busy", f"{len(others)} connections are open already; try again later"))

    def need_place(self, others: Iterable[Any], refusal: Refusal) -> None:
        """Let the one go who has asked for nothing for longest; where all are busy, refuse this one."""
        idle = [other for other in others if isinstance(other, Caller) and other.is_idle]
        if idle:
            min(idle, key=lambda other: other.since).transport.close()
        else:
            self.refusal = refusal

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
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.stop_looking()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.stop_looking()

    def look_later(self) -> None:
        self.timer = self.loop.call_later(self.limits.request, self.look)

    def stop_looking(self) -> None:
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
    """A whole answer, for those whom the app is not to hear of."""
    body = json.dumps({"error": refusal.as_dict()}).encode()
    status = f"HTTP/1.1 {refusal.status} {http.HTTPStatus(refusal.status).phrase}"
    lines = [status, "content-type: application/json", f"content-length: {len(body)}"]
    lines += [f"{name.decode()}: {value.decode()}" for name, value in HEADERS]
    return "\r\n".join([*lines, "connection: close", "retry-after: 5", "", ""]).encode() + body
