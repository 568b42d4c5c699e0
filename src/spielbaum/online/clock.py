"""The server's clock, as well as it can be known from here: Cristian's algorithm.

A server tells its time, whole seconds and milliseconds. When a question leaves at a and the answer comes at b by the
own clock, the server read its clock in between, so that

    offset = time told - (a + b) / 2        is wrong by at most (b - a) / 2, half of the round trip

Of several samples the one with the shortest round trip counts (Cristian 1989). Clocks run apart, so that old samples
are forgotten and new ones are taken during a game. Offsets that differ by more than both round trips can't both be
right: somebody has set the server's clock, and what was known of it before is forgotten at once. Own times are those
of `time.monotonic()`, which nobody sets.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import http.client
import json
import socket
import threading
import time
import urllib.parse
from typing import Any, NamedTuple

from spielbaum.errors import SpielbaumError
from spielbaum.text import quoted
from spielbaum.web.threads import in_thread

PATIENCE = 5.0  # seconds in which a server says something
LONGEST = 15.0  # seconds for some answers in a row, however slowly they come
SAMPLES = 16  # that are remembered
OLD = 120.0  # seconds: clocks that differ by 50 parts in a million are 6 ms apart by then
MOST_BYTES = 10_000


class Sample(NamedTuple):
    """One look at the server's clock."""

    at: float
    offset: float
    round_trip: float


class ServerClock:
    """What time it is on a server; measured in one thread, read in any."""

    def __init__(self, url: str):
        self.url = url
        try:
            self.address = urllib.parse.urlsplit(url)
            right = self.address.scheme in ("http", "https") and self.address.hostname and self.address.port != 0
        except ValueError:  # of a port or an address of IPv6
            right = False
        if not right:
            raise SpielbaumError(f"--time-url {url!r} is no address of a web server; it looks like http://host/time")
        self.samples: tuple[Sample, ...] = ()
        self.connection: http.client.HTTPConnection | None = None
        self.socket: socket.socket | None = None
        self.asking = threading.Lock()

    async def look(self, times: int = 1) -> None:
        """The same as `measure` beside other things, and not for ever."""
        _, measured = in_thread(lambda: self.measure(times), polite=False)
        try:
            async with asyncio.timeout(LONGEST):
                await measured
        except TimeoutError:
            self.hang_up()
            waited = f"waited for the whole answer for {LONGEST:g} s"
            raise SpielbaumError(f"the server's time can't be read at {self.url}: {waited}") from None

    def hang_up(self) -> None:
        """Let the thread come back that waits for an answer."""
        if self.socket is not None:
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)

    def measure(self, times: int = 1) -> None:
        """Look at the server's clock; what goes wrong is a SpielbaumError."""
        with self.asking:
            for _ in range(times):
                try:
                    self.add(self.sample())
                except (OSError, http.client.HTTPException, ValueError, OverflowError, RecursionError) as error:
                    self.close()
                    why = f"{type(error).__name__}: {error}".removesuffix(": ")
                    raise SpielbaumError(f"the server's time can't be read at {self.url}: {why}") from None

    def add(self, new: Sample) -> None:
        """Remember a sample, and forget those that it contradicts."""
        agreeing = (old for old in self.samples if abs(old.offset - new.offset) <= old.round_trip + new.round_trip)
        self.samples = (*agreeing, new)[-SAMPLES:]

    def sample(self) -> Sample:
        """One question and its answer."""
        connection = self.connected()
        begin = time.monotonic()
        connection.request("GET", self.path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        text = answer.read(MOST_BYTES)
        end = time.monotonic()
        if answer.status != http.HTTPStatus.OK:
            raise ValueError(f"it answers {answer.status} {quoted(answer.reason)}")
        if answer.will_close:
            self.close()
        return Sample(end, time_told(text) - (begin + end) / 2, end - begin)

    @property
    def path(self) -> str:
        return urllib.parse.urlunsplit(("", "", self.address.path or "/", self.address.query, ""))

    def connected(self) -> http.client.HTTPConnection:
        """A connection that is open already, so that opening it is no part of the round trip."""
        if self.connection is None:
            secure = self.address.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            connection = kind(self.address.hostname or "", self.address.port, timeout=PATIENCE)
            connection.connect()
            self.connection, self.socket = connection, connection.sock
        return self.connection

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    @property
    def best(self) -> Sample:
        """The sample with the shortest round trip of those that are not old."""
        samples = self.samples  # another thread may put others there
        fresh = [sample for sample in samples if sample.at > samples[-1].at - OLD]
        return min(fresh, key=lambda sample: sample.round_trip)

    @property
    def age(self) -> float:
        """Seconds since the server's clock was looked at."""
        return time.monotonic() - self.samples[-1].at

    @property
    def round_trip(self) -> float:
        return self.best.round_trip

    def local(self, moment: float) -> float:
        """The time of `time.monotonic()` at which it is `moment`, a Unix time, on the server."""
        return moment - self.best.offset


def time_told(text: bytes) -> float:
    """The Unix time that a server tells.

    >>> time_told(b'{"time": "2026-01-01T12:00:00Z", "milliseconds": 803}')
    1767268800.803
    """
    told = json.loads(text)
    if not isinstance(told, dict) or not {"time", "milliseconds"} <= told.keys():
        raise ValueError('it answers no {"time": …, "milliseconds": …}')
    milliseconds = told["milliseconds"]
    if not isinstance(milliseconds, int | float) or not 0 <= milliseconds < 1000:
        raise ValueError(f"its milliseconds are {quoted(milliseconds)}, not 0 to 999")
    return moment(told["time"]) + milliseconds / 1000


def moment(text: Any) -> float:
    """The Unix time of a text in the form of RFC 3339; without a zone it is UTC. Nonsense is a ValueError.

    >>> moment("2026-01-01T12:00:00Z"), moment("2026-01-01T12:00:00.250+00:00")
    (1767268800.0, 1767268800.25)
    """
    if not isinstance(text, str):
        raise ValueError(f"{quoted(text)} is no time")
    found = datetime.datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=datetime.UTC)).timestamp()
