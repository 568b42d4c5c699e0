"""What was played on a server: every game in the arena's store, and who stands where.

A run of the arena has one number of seats, so a server makes a run for each number of players that it meets. Every game
is a group of its own in the plan of its run, which grows by it: the plan gives the game its seed, and from the seed the
rules draw board and starts. So games are shown, replayed and verified as those of a match are. The store is written
by a thread of its own, as nobody is to wait for the disk.
"""

from __future__ import annotations

import asyncio
import datetime
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spielbaum.arena.game_batch import from_records
from spielbaum.arena.plan import Plan
from spielbaum.arena.results import labels
from spielbaum.arena.single import GameRecord
from spielbaum.arena.stats import plackett_luce
from spielbaum.arena.store import Store
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, changed_options, origin
from spielbaum.online.match import places

KIND = "host"
MOST_GAMES = 1000  # of a run: its plan names them all, and is written with each
RATED = 2000  # games, the latest
SHOWN = 30  # results
AFRESH = 5.0  # seconds between two reckonings of the ratings

Answer = TypeVar("Answer")


class Finished(NamedTuple):
    """What ratings are made of."""

    names: list[str]
    returns: list[float]


@dataclass
class Book:
    """The games of one number of players."""

    game: Game
    plan: Plan
    agents: list[tuple[str, int]] = field(default_factory=list)
    """The name of each agent, and which of those of this name in a game it is."""
    run: int | None = None

    def enter(self, names: Sequence[str]) -> Entry:
        """A game begins."""
        people = [(name, names[:seat].count(name)) for seat, name in enumerate(names)]
        self.agents += [who for who in people if who not in self.agents]
        groups = (*self.plan.groups, tuple(map(self.agents.index, people)))
        self.plan = replace(self.plan, agents=tuple(name for name, _ in self.agents), groups=groups)
        number = len(groups) - 1
        return Entry(self, number, int(self.plan.tasks([number]).seeds[0]))


class Entry(NamedTuple):
    """A game that has begun: its run, its number in it, and its seed."""

    book: Book
    number: int
    seed: int


class GameStore:
    """The games of a server."""

    def __init__(self, path: str, seed: int):
        self.seed = seed
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.books: dict[int, Book] = {}
        self.rated: deque[Finished] = deque(maxlen=RATED)
        self.results: deque[dict[str, Any]] = deque(maxlen=SHOWN)
        self.stored = 0
        self.games = 0  # that are rated, or were
        self.standing: list[dict[str, Any]] = []
        self.reckoned = -1, 0.0  # after how many games, and when
        self.reckoning = asyncio.Lock()
        self.store: Store = self.thread.submit(Store, path).result()
        for finished in self.thread.submit(lambda: list(earlier(self.store))).result():
            self.rate(finished)

    async def apart(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Do something in the store's thread."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, work, *arguments)

    def enter(self, game: Game, names: Sequence[str]) -> Entry:
        """A game begins."""
        full = self.books.get(game.players)
        if full is None or len(full.plan.groups) >= MOST_GAMES:
            seed = self.seed if full is None else full.plan.seed + 1
            plan = Plan(origin(game), changed_options(game), (), (), 1, seed, rotate=False)
            self.books[game.players] = Book(game, plan)
        return self.books[game.players].enter(names)

    async def store_game(self, entry: Entry, names: Sequence[str], record: GameRecord, facts: dict[str, Any]) -> None:
        """Store a game that is over, and count it then."""
        ended = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        came_in = sorted(zip(places(record.returns), names, strict=True))
        try:
            writing = self.apart(self.write, entry.book, entry.book.plan, entry.number, record)
            await asyncio.shield(writing)  # also of a server that ends just now
        finally:  # a game that can't be stored was played all the same
            self.results.appendleft(facts | {"ended": ended, "players": [{"place": p, "name": n} for p, n in came_in]})
            self.rate(Finished(list(names), record.returns))

    def write(self, book: Book, plan: Plan, number: int, record: GameRecord) -> None:
        """In the store's thread: add a game to its run."""
        if book.run is None:
            book.run = self.store.create_run(KIND, plan, rules_version(book.game.module))
        else:
            self.store.update(book.run, plan=plan)
        seats = np.array([plan.groups[number]])
        self.store.add(book.run, from_records(book.game, np.array([number]), seats, [record]))
        self.store.commit()
        self.stored += 1

    def rate(self, finished: Finished) -> None:
        self.rated.append(finished)
        self.games += 1

    async def ratings(self) -> list[dict[str, Any]]:
        """Who stands where, best first; reckoned anew when there are new games, and not too often."""
        async with self.reckoning:
            games, when = self.reckoned
            if games != self.games and (games < 0 or time.monotonic() > when + AFRESH):
                games = self.games
                self.standing = await self.apart(standing, list(self.rated))
                self.reckoned = games, time.monotonic()  # not before: who asked may have gone meanwhile
        return self.standing

    def close(self) -> None:
        """Write what is to be written, and close the store."""
        self.thread.submit(self.store.close)
        self.thread.shutdown()


def earlier(store: Store) -> Iterator[Finished]:
    """The games that servers have left in a store; a run that can't be read any more is passed over."""
    for stored in store.runs():
        if stored.kind != KIND:
            continue
        try:
            for batch in store.batches(stored.run, stored.plan.load(), actions=False):
                for seats, returns in zip(batch.seats.tolist(), batch.returns.tolist(), strict=True):
                    yield Finished([stored.plan.agents[agent] for agent in seats], returns)
        except SpielbaumError:
            continue


def standing(games: Sequence[Finished]) -> list[dict[str, Any]]:
    """The ratings of all who have played these games, with what they are made of."""
    named = [labels(game.names) for game in games]
    names = list(dict.fromkeys(name for each in named for name in each))
    rounds = [([[names.index(name)] for name in each], game.returns) for each, game in zip(named, games, strict=True)]
    came_in: dict[str, list[int]] = {name: [] for name in names}
    wins = dict.fromkeys(names, 0)
    for each, game in zip(named, games, strict=True):
        for name, place, own in zip(each, places(game.returns), game.returns, strict=True):
            came_in[name].append(place)
            wins[name] += place == 1 and game.returns.count(own) == 1
    return [
        {
            "name": rating.name,
            "rating": round(rating.value, 2),
            "error": round(rating.error, 2),
            "games": len(came_in[rating.name]),
            "wins": wins[rating.name],
            "place": round(float(np.mean(came_in[rating.name])), 2),
        }
        for rating in plackett_luce(names, rounds)
    ]
