"""Before a game: who may come in, who waits, and when there are enough for a table.

How many play is drawn for each game. It begins when so many are there, or when the first of them has waited long
enough; then bots take the empty seats.
"""

from __future__ import annotations

import asyncio
import pathlib
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spielbaum.errors import SpielbaumError
from spielbaum.foreign import read_text
from spielbaum.games.spe_ed.tables import PLAYERS
from spielbaum.text import likeness, name_of

if TYPE_CHECKING:
    from spielbaum.online.seats import Guest

FEWEST = 2


class Keys:
    """Who may play, and under which name; without a file everybody, and the key is the name."""

    def __init__(self, path: pathlib.Path | None = None):
        self.names = None if path is None else read_keys(path)

    def name(self, key: str) -> str | None:
        """The name of who has a key; None where it opens nothing."""
        if self.names is not None:
            return self.names.get(key)
        return name_of(key) or None


def read_keys(path: pathlib.Path) -> dict[str, str]:
    """Keys and names from a file: a key and a name a line; what follows a # and empty lines do not count."""
    names: dict[str, str] = {}
    alike: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        key, *words = line.partition("#")[0].split()[:] or [""]
        name = name_of(" ".join(words))
        if key and not name:
            raise SpielbaumError(f"{path}, line {number}: a key without a name; write a key, a space and a name")
        if key in names:
            raise SpielbaumError(f"{path}, line {number}: the key of {names[key]!r} once more; give everybody another")
        if (other := alike.get(likeness(name))) is not None and key:
            raise SpielbaumError(f"{path}, line {number}: {name!r} looks like {other!r}; give everybody another name")
        if key:
            names[key] = alike[likeness(name)] = name
    if not names:
        raise SpielbaumError(f"{path} has no keys; write a key, a space and a name on a line")
    return names


class Lobby:
    """Those who wait for a game. `begin` is called with the guests of a table and how many seats it has."""

    def __init__(self, wait: float, players: int | None, seed: int, begin: Callable[[list[Guest], int], None]):
        self.wait, self.players, self.begin = wait, players, begin
        self.dice = random.Random(seed)
        self.waiting: list[tuple[Guest, float]] = []  # with the time since when
        self.timer: asyncio.TimerHandle | None = None
        self.open = True
        self.seats = self.draw()

    def draw(self) -> int:
        """How many play in the next game."""
        drawn = self.dice.randint(FEWEST, PLAYERS)
        return self.players or drawn

    def enter(self, guest: Guest) -> None:
        self.waiting.append((guest, time.monotonic()))
        self.look()

    def leave(self, guest: Guest) -> None:
        self.waiting = [(other, since) for other, since in self.waiting if other is not guest]
        self.look()

    def look(self) -> None:
        """Begin a game if it can begin, and come back when the first has waited long enough."""
        if self.timer is not None:
            self.timer.cancel()
        while self.open and self.waiting and (len(self.waiting) >= self.seats or self.left <= 0):
            table = [guest for guest, _ in self.waiting[: self.seats]]
            self.waiting, seats = self.waiting[len(table) :], self.seats
            self.seats = self.draw()
            self.begin(table, seats)
        if self.open and self.waiting:
            self.timer = asyncio.get_running_loop().call_later(self.left, self.look)

    @property
    def left(self) -> float:
        """How long the first will still wait at most."""
        return max(0.0, self.waiting[0][1] + self.wait - time.monotonic())

    def close(self) -> None:
        """Begin no more games."""
        self.open = False
        self.look()

    def summary(self) -> dict[str, Any]:
        """What is told of it."""
        return {
            "waiting": len(self.waiting),
            "seats": self.seats,
            "seconds": round(self.left, 1) if self.waiting else None,
        }
