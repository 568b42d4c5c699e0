"""What sessions need of the server that they run on: its settings, its store, its searches, and its threads.

The modules of a session depend in one direction: `session_server` ← `connection` ← `session_agents` ← `session` ←
`handlers` and `session_manager` ← `app`. A session knows this base class, and `SessionManager` is what it talks to.
"""

from __future__ import annotations

import asyncio
import collections
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from spielbaum.agents import resolve
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.game import Game
from spielbaum.scenes.drawing import Json
from spielbaum.web.callers import Allowances
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.chores import Chores
from spielbaum.web.errors import Refusal
from spielbaum.web.live_game import LiveGame, Seat
from spielbaum.web.searches import Searches
from spielbaum.web.settings import Settings
from spielbaum.web.store import Store
from spielbaum.web.threads import Lost, within
from spielbaum.web.warming import Job, Warming

log = logging.getLogger(__name__)

T = TypeVar("T")
FEW_MOVES = 200
SHORT_RUN = 10  # seconds in which an address may be sent more than in the long run


class SessionServer(ABC):
    """What all sessions of a server share."""

    def __init__(self, settings: Settings, offered: Catalogue):
        self.settings, self.catalogue = settings, offered
        self.store = Store(settings.folder)
        self.searches = Searches(settings.searches, settings.patient, settings.lost_each)
        self.warming = Warming()
        self.sent = Allowances(settings.sent_each, SHORT_RUN * settings.sent_each)
        self.chores = Chores(settings.chores, settings.chores_each, settings.patient + settings.replay)
        self.tasks: set[asyncio.Task[None]] = set()
        self.stuck: collections.Counter[tuple[str, str]] = collections.Counter()  # work that did not end, by game
        self.closed = False

    @abstractmethod
    async def add(self, live: LiveGame, origin: str) -> Json:
        """Open a session of a game for an address; return what its owner needs to join it."""

    @abstractmethod
    def remove(self, identity: str) -> None:
        """Forget a session that has ended."""

    def task(self, coroutine: Any) -> asyncio.Task[None]:
        """Start a task that nobody waits for; an exception in it is logged."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.task_done)
        return task

    def task_done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed", exc_info=task.exception())

    def save_later(self, save: Callable[[], object]) -> None:
        """Store something in a thread that nobody waits for."""
        if not self.closed:
            self.task(asyncio.to_thread(save))

    async def warm(self, name: str, game: Game, specs: Iterable[str], wanted: int) -> list[Job]:
        """Have the kernels of some agents of a game compiled."""
        return await self.warming.want(self.catalogue.sources[name], game, specs, wanted)

    async def replay(self, origin: str, name: str, moves: int, work: Callable[[], T]) -> T:
        """Run work on so many moves of a game for an address: few moves at once, many when it is the address's turn.

        Raises `GameError` if a rule of the game does not end.
        """
        self.need_end(name, "records")
        try:
            if moves > FEW_MOVES:
                return await self.chores.run(origin, work)
            played: T = await within(self.chores.seconds, work, polite=False)
        except Lost as error:
            self.stuck[name, "records"] += 1
            raise GameError(f"{name}: {error}") from error
        return played

    def need_end(self, name: str, what: str) -> None:
        """Raise `GameError` for a kind of work that did not end too often in a game."""
        if self.stuck[name, what] >= self.settings.lost_each:
            raise GameError(f"{name} is played no further: {self.stuck[name, what]} of its {what} did not end")

    def admit(self, game: Game, seats: list[Seat]) -> None:
        """Refuse agents whose searches did not end too often."""
        for spec in [seat.spec for seat in seats if seat.spec is not None]:
            try:
                self.searches.admit(game.name, resolve(spec, game)[0].name)
            except SpielbaumError as error:
                raise Refusal("bad-setup", str(error)) from None
