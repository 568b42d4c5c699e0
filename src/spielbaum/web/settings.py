"""What can be set about a server, in one place."""

from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass

from spielbaum.scenes.drawing import Json


@dataclass(frozen=True)
class Settings:
    """All times are in seconds."""

    games: tuple[str | pathlib.Path, ...] = ()  # names and paths; all built-in games if none
    folder: pathlib.Path | None = None  # where sessions are stored; in memory if none
    store: pathlib.Path | None = None  # of the arena's runs
    hosts: tuple[str, ...] = ()  # names under which it may be asked; any if none
    kiosk: str | None = None  # the one game of a kiosk
    idle: int = 90  # after which a kiosk returns to its start
    searches: int = max(2, (os.cpu_count() or 2) // 2)  # at once
    seconds: float = 30.0  # of thinking per decision, at most
    patient: float = 10.0  # beyond that, after which a search is given up
    lost_each: int = 2  # searches by one kind of agent in a game that were given up and still run; then it is refused
    megabytes: int = 128  # of memory per search, at most
    message: int = 16_384  # bytes of a message from a client, at most
    body: int = 1_000_000  # bytes of a request, at most
    sessions: int = 3000  # in memory at once, at most
    sessions_each: int = 1000  # of them begun from one address, which may be a whole school's
    stored: int = 50_000  # on disk; beyond them the oldest are forgotten as soon as finished ones would be
    clients: int = 2500  # connections of all kinds at once, at most
    clients_each: int = 1000  # of them from one address
    proxies: tuple[str, ...] = ()  # addresses of reverse proxies, whose word is taken for who asks
    request: float = 15.0  # within which a request arrives whole
    requests: float = 100.0  # to the API per second and address that are answered in the long run
    requests_burst: int = 3000  # and in a short one
    sent_each: int = 10_000_000  # bytes on WebSockets per second and address in the long run
    chores: int = 2  # records that are played again at once, beside everything else
    chores_each: int = 32  # of one address, those included that wait
    replay: float = 5.0  # of computing for a record that is played again, at most
    connections: int = 50  # to one session, at most
    hello: float = 10.0  # within which a client says who it is
    rate: float = 20.0  # messages per second and connection that are answered in the long run
    burst: int = 60  # and in a short one
    patience: int = 200  # messages beyond that before a flood is cut off
    finished: float = 3600.0  # after which a finished session is forgotten
    abandoned: float = 86_400.0  # after which one that nobody touches is
    unload: float = 300.0  # after which one without a client is only kept on disk
    sweep: float = 20.0  # between two rounds of cleaning up
    pause: float = 5.0  # for which agents show a result before they begin again

    def limits(self) -> Json:
        """What clients are told."""
        return {"seconds": self.seconds, "megabytes": self.megabytes, "message": self.message}
