"""The store of games: one SQLite file that survives kill -9 and power cuts, and shows damage.

A row holds the games of a run that were finished at the same time, in columns, with a checksum (CRC-32, which every
flipped bit changes). A run knows how many games it has and the sum of their checksums, so that no row can be lost
unnoticed. Write-ahead logging lets others read while a run writes, and every commit reaches the disk before it counts.
A run's games have numbers, so that a game can be there once only, whoever played it.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import pathlib
import sqlite3
import urllib.parse
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

import spielbaum
from spielbaum.arena.game_batch import GameBatch, from_rows, in_order
from spielbaum.arena.plan import Plan
from spielbaum.arena.stats import Sprt
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

APPLICATION = 0x5350424D  # marks the file as ours
FORMAT = 3
PATIENCE = 30.0  # seconds to wait for another process that writes
GAMES_AT_ONCE = 10_000
RUN = ("run", "created", "kind", "plan", "rules", "version", "test", "verdict", "games", "total")
COUNTED = (
    *("first", "last", "games", "numbers", "seeds", "seats", "returns", "lengths", "outcomes", "decisions", "seconds"),
    *("late", "noted", "metrics", "forfeits"),
)
SCHEMA = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    kind TEXT NOT NULL,
    plan TEXT NOT NULL,
    rules TEXT NOT NULL,
    version TEXT NOT NULL,
    test TEXT NOT NULL,
    verdict TEXT NOT NULL,
    games INTEGER NOT NULL,
    total INTEGER NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    games INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    checksum_with_actions INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    seeds BLOB NOT NULL,
    seats BLOB NOT NULL,
    returns BLOB NOT NULL,
    lengths BLOB NOT NULL,
    outcomes TEXT NOT NULL,
    decisions BLOB NOT NULL,
    seconds BLOB NOT NULL,
    late BLOB NOT NULL,
    noted BLOB NOT NULL,
    metrics BLOB NOT NULL,
    forfeits TEXT NOT NULL,
    actions BLOB NOT NULL
);
CREATE INDEX games_of_a_run ON games (run, first, last);
"""
OF_THE_TUNER = (
    """CREATE TABLE tunings (
    tuning INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    settings TEXT NOT NULL,
    state TEXT NOT NULL,
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    result TEXT NOT NULL,
    checksum INTEGER NOT NULL
)""",
    """CREATE TABLE tuning_steps (
    tuning INTEGER NOT NULL REFERENCES tunings,
    step INTEGER NOT NULL,
    facts TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (tuning, step)
)""",
)
"""The tables that tuning adds to a store, see `spielbaum.tune.records`."""
STATEMENTS = [statement.strip() for statement in SCHEMA.split(";") if statement.strip()]


@dataclass(frozen=True)
class StoredRun:
    """A run as the store knows it."""

    run: int
    created: str
    kind: str
    plan: Plan
    rules: str
    version: str
    test: Sprt | None
    verdict: str
    games: int
    """How many games are stored; the plan says how many there will be."""
    total: int
    """The sum of the checksums of their rows."""

    @property
    def state(self) -> str:
        """`done`, or how far it has come."""
        if self.verdict or self.games >= self.plan.total:
            return "done"
        return f"{self.games} of {self.plan.total}"

    def row(self) -> tuple[Any, ...]:
        """The columns `RUN`."""
        test = "" if self.test is None else json.dumps(asdict(self.test))
        facts = (self.run, self.created, self.kind, self.plan.to_json(), self.rules, self.version)
        return (*facts, test, self.verdict, self.games, self.total)

    @staticmethod
    def of(row: Sequence[Any]) -> StoredRun:
        """The run of the columns `RUN`; ValueError, TypeError or KeyError if they hold none."""
        run, created, kind, plan, rules, version, test, verdict, games, total = row
        told = Sprt(**json.loads(test)) if test else None
        return StoredRun(run, created, kind, Plan.from_json(plan), rules, version, told, verdict, games, total)


def checksum(*values: Any, begin: int = 0) -> int:
    """The CRC-32 of some values, whatever they are."""
    for value in values:
        begin = zlib.crc32(value if isinstance(value, bytes) else repr(value).encode("utf-8", "replace"), begin)
    return begin


class Store:
    """An open store. Added games count after `commit`. With `create=False` the file must exist and is only read."""

    def __init__(self, path: str | pathlib.Path, *, create: bool = True):
        self.path = pathlib.Path(path)
        if not create and not self.path.exists():
            raise SpielbaumError(f"there is no store {self.path}; 'spielbaum match' makes one, --store names another")
        if self.path.exists() and not self.path.is_file():
            raise SpielbaumError(f"{self.path} can't be a store: it is no regular file; choose another with --store")
        self.present: tuple[int, int, np.ndarray] = -1, -1, np.zeros(0, bool)
        with self.errors():
            self.base = connect(self.path) if create else connect_to_read(self.path)
            try:
                self.check(create)
            except BaseException:
                self.base.close()
                raise
        self.file = identity(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was not committed is lost."""
        self.base.close()

    def check(self, create: bool) -> None:
        """Make an empty file a store; SpielbaumError for other files, and for stores of another format."""
        if create and self.empty:
            self.base.execute("BEGIN IMMEDIATE")
            if self.empty:  # nobody else was faster
                for statement in STATEMENTS:
                    self.base.execute(statement)
                self.base.execute(f"PRAGMA application_id = {APPLICATION}")
                self.base.execute(f"PRAGMA user_version = {FORMAT}")
            self.base.execute("COMMIT")
        application, version = self.pragma("application_id"), self.pragma("user_version")
        if application != APPLICATION:
            raise SpielbaumError(
                f"{self.path} is a database, but not a store of games; choose another file with --store"
            )
        if version != FORMAT:
            age = "a newer" if version > FORMAT else "an older"
            what = "upgrade, or choose" if version > FORMAT else "choose"
            raise SpielbaumError(
                f"store {self.path} was written by {age} Spielbaum (format {version}, this one knows {FORMAT});"
                f" {what} another file with --store"
            )
        if not self.tables() >= set(STATEMENTS) or self.made_up():
            raise SpielbaumError(
                f"store {self.path}: the file is damaged: its tables are not those of a store; choose another --store"
            )
        if create:
            self.base.execute("PRAGMA journal_mode = WAL")
            self.base.execute("PRAGMA synchronous = FULL")

    @property
    def empty(self) -> bool:
        """Whether the file holds nothing at all."""
        return not self.base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    def tables(self) -> set[str]:
        """How the tables and their indices were made."""
        return {sql for (sql,) in self.base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}

    def made_up(self) -> bool:
        """Whether the file has views or triggers, which no store has: they could run when it is read."""
        return bool(
            self.base.execute("SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()[0]
        )

    def pragma(self, name: str) -> int:
        return int(self.base.execute(f"PRAGMA {name}").fetchone()[0])

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """SQLite's errors in words that say what to do."""
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            raise SpielbaumError(f"store {self.path}: {advice(error)}") from error

    # --- writing ---------------------------------------------------------------------------------

    def create_run(self, kind: str, plan: Plan, rules: str, test: Sprt | None = None) -> int:
        """Create a run without games, and give its number."""
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with self.writing():
            run = self.base.execute("SELECT coalesce(max(run), 0) + 1 FROM runs").fetchone()[0]
            self.write(StoredRun(run, now, kind, plan, rules, spielbaum.__version__, test, "", 0, 0))
        self.commit()
        return int(run)

    def write(self, stored: StoredRun) -> None:
        """Insert or replace the row of a run."""
        values = stored.row()
        names = ", ".join((*RUN, "checksum"))
        marks = ", ".join("?" * (len(RUN) + 1))
        self.base.execute(f"INSERT OR REPLACE INTO runs ({names}) VALUES ({marks})", (*values, checksum(*values)))

    def add(self, run: int, batch: GameBatch) -> None:
        """Add games; one that is there already stays as it is."""
        with self.writing():
            known = self.known(run, int(batch.numbers.max(initial=0)) + 1)
            new = ~known[batch.numbers]
            if not new.all():
                batch = batch.pick(new)
            if len(batch):
                known[batch.numbers] = True
                self.insert(run, batch)

    def insert(self, run: int, batch: GameBatch) -> None:
        """Add a row of games, and count them."""
        *counted, actions = batch.row()
        sum_, whole = sums(run, counted, actions)
        names = ", ".join(("run", "checksum", "checksum_with_actions", *COUNTED, "actions"))
        marks = ", ".join("?" * (len(COUNTED) + 4))
        self.base.execute(f"INSERT INTO games ({names}) VALUES ({marks})", (run, sum_, whole, *counted, actions))
        stored = self.run(run)
        self.write(replace(stored, games=stored.games + len(batch), total=stored.total + whole))

    def known(self, run: int, size: int) -> np.ndarray:
        """b[size or more]: which games of a run are stored; read again after other processes have written."""
        version = self.pragma("data_version")
        if self.present[:2] != (run, version):
            numbers = self.numbers(run)
            there = np.zeros(max(size, int(numbers.max(initial=0)) + 1), bool)
            there[numbers] = True
            self.present = run, version, there
        there = self.present[2]
        if len(there) < size:
            there = np.concatenate([there, np.zeros(max(size, 2 * len(there)) - len(there), bool)])
            self.present = run, version, there
        return there

    def commit(self) -> None:
        """Write everything that was added to the disk."""
        with self.errors():
            if self.base.in_transaction:
                self.base.execute("COMMIT")
        if identity(self.path) != self.file:
            raise SpielbaumError(
                f"store {self.path} was moved, replaced or deleted while games were written to it: what was played"
                " since then is lost; play again with another --store, or put the file back and use --resume"
            )

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that the next `commit` ends."""
        with self.errors():
            if not self.base.in_transaction:
                self.base.execute("BEGIN IMMEDIATE")
            yield

    def update(self, run: int, *, plan: Plan | None = None, verdict: str | None = None) -> None:
        """Store a longer plan of a run, or the verdict that ended it."""
        with self.writing():
            stored = self.run(run)
            self.write(replace(stored, plan=plan or stored.plan, verdict=verdict or stored.verdict))
        self.commit()

    def drop(self, run: int, first: int, game: Game) -> None:
        """Delete the games of a run from a number on."""
        with self.writing():
            sql = f"SELECT rowid, checksum_with_actions, {columns(actions=True)} FROM games WHERE run = ? AND last >= ?"
            for row, whole, *values in self.base.execute(sql, (run, first)).fetchall():
                self.base.execute("DELETE FROM games WHERE rowid = ?", (row,))
                stored, batch = self.run(run), from_rows(game, [values])
                self.write(replace(stored, games=stored.games - len(batch), total=stored.total - whole))
                if (batch.numbers < first).any():
                    self.insert(run, batch.pick(batch.numbers < first))
        self.present = -1, -1, np.zeros(0, bool)
        self.commit()

    # --- reading ---------------------------------------------------------------------------------

    def runs(self) -> list[StoredRun]:
        """All runs, oldest first; one that is damaged is refused."""
        return [self.parse_run(row) for row in self.run_rows()]

    def run_rows(self, where: str = "", *values: Any) -> list[tuple[Any, ...]]:
        """What is known about runs, and its checksum."""
        sql = f"SELECT {', '.join(RUN)}, checksum FROM runs {where} ORDER BY run"
        with self.errors():
            return self.base.execute(sql, values).fetchall()

    def parse_run(self, row: Sequence[Any]) -> StoredRun:
        """The run of a row (see `run_rows`); SpielbaumError if the row is damaged."""
        if checksum(*row[:-1]) != row[-1]:
            raise SpielbaumError(f"store {self.path}: what is known about run {row[0]} is damaged; {LOOK}")
        try:
            return StoredRun.of(row[:-1])
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise SpielbaumError(f"store {self.path}: what is known about run {row[0]} is no run; {LOOK}") from None

    def run(self, number: int) -> StoredRun:
        """One run."""
        return self.parse_run(self.run_row(number))

    def run_row(self, number: int) -> tuple[Any, ...]:
        """What is known about one run."""
        found = self.run_rows(f"WHERE run = {number:d}")
        if not found:
            known = ", ".join(str(row[0]) for row in self.run_rows()) or "none yet"
            raise SpielbaumError(f"store {self.path} has no run {number}; runs: {known}")
        return found[0]

    def find(self, kind: str, plan: Plan) -> StoredRun | None:
        """The newest run that this plan continues."""
        stored = [self.parse_run(row) for row in self.run_rows("WHERE kind = ?", kind)]
        return next((each for each in reversed(stored) if continues(each.plan, plan)), None)

    def numbers(self, run: int) -> np.ndarray:
        """The numbers of the games that are stored, in order."""
        with self.errors():
            rows = self.base.execute("SELECT numbers FROM games WHERE run = ?", (run,)).fetchall()
        return np.sort(np.frombuffer(b"".join(numbers for (numbers,) in rows), "<i8"))

    def rows(self, run: int, where: str = "", *, actions: bool = True) -> Iterator[tuple[Any, ...]]:
        """The rows of a run's games: both checksums, then the columns; the actions only where asked for."""
        sql = f"SELECT checksum, checksum_with_actions, {columns(actions)} FROM games WHERE run = ? {where}"
        with self.errors():
            yield from self.base.execute(f"{sql} ORDER BY first", (run,))

    def batches(self, run: int, game: Game, where: str = "", *, actions: bool = True) -> Iterator[GameBatch]:
        """All games of a run in their order, some at a time; without actions much faster. Damage is refused."""
        for some in bunches(self.rows(run, where, actions=actions)):
            yield in_order(self.batch(run, game, some))

    def batch(self, run: int, game: Game, some: Sequence[tuple[Any, ...]]) -> GameBatch:
        """The games of some rows. Damage is refused."""
        for row in some:
            if damaged(run, row):
                where = f"games {row[2]} to {row[3]} of run {run}"
                raise SpielbaumError(f"store {self.path}: {where} are damaged; {LOOK}")
        try:
            return from_rows(game, [row[2:] for row in some])
        except (TypeError, ValueError, RecursionError):
            what = f"run {run} does not fit {game.name} as it is now"
            raise SpielbaumError(f"store {self.path}: {what}; {LOOK}") from None

    def page(self, run: int, first: int, most: int, game: Game) -> GameBatch:
        """The games of a run from a number on, without their actions, from no more rows than hold them.

        A game that took long lies in a row with those that ended when it did, so a row may reach over many others:
        what counts is where the next one begins.
        """
        rows: list[tuple[Any, ...]] = []
        found = np.zeros(0, np.int64)
        for row in self.rows(run, f"AND last >= {first:d}", actions=False):
            if np.count_nonzero(found < row[2]) >= most:
                break
            rows.append(row)
            numbers = np.frombuffer(row[5], "<i8")
            found = np.concatenate([found, numbers[numbers >= first]])
        batch = in_order(self.batch(run, game, rows))
        return batch.pick((batch.numbers >= first) & (np.cumsum(batch.numbers >= first) <= most))

    def game(self, run: int, number: int, game: Game) -> GameBatch:
        """One game of a run."""
        for batch in self.batches(run, game, f"AND first <= {number:d} AND last >= {number:d}"):
            if (batch.numbers == number).any():
                return batch.pick(batch.numbers == number)
        stored = self.run(run)
        which = f"it has {stored.games} of the numbers 0 to {stored.plan.total - 1}"
        raise SpielbaumError(f"run {run} has no game {number}; {which}")


LOOK = "'spielbaum verify' says how much"


def bunches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    """Rows of games in their order, enough at a time; those whose numbers lie among one another stay together."""
    some: list[tuple[Any, ...]] = []
    games, end = 0, -1
    for row in rows:
        _, _, first, last, count, *_ = row
        if games >= GAMES_AT_ONCE and first > end:
            yield some
            some, games = [], 0
        some.append(row)
        games, end = games + count, max(end, last)
    if some:
        yield some


def columns(actions: bool) -> str:
    return ", ".join((*COUNTED, "actions") if actions else COUNTED)


def sums(run: int, counted: Sequence[Any], actions: bytes) -> tuple[int, int]:
    """The checksums of a row of games, without its actions and with them."""
    without = checksum(run, *counted)
    return without, checksum(actions, begin=without)


def damaged(run: int, row: Sequence[Any]) -> bool:
    """Whether a row (see `Store.rows`) is not as it was written."""
    without, whole, *values = row
    counted, actions = values[: len(COUNTED)], values[len(COUNTED) :]
    found = checksum(run, *counted)
    return found != without or (bool(actions) and checksum(*actions, begin=found) != whole)


def connect(path: pathlib.Path | str, **settings: Any) -> sqlite3.Connection:
    base: sqlite3.Connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, **settings)
    return base


def connect_to_read(path: pathlib.Path) -> sqlite3.Connection:
    """A connection that writes nothing; on media that can't be written, to a file that nobody else writes to."""
    address = f"file:{urllib.parse.quote(str(path))}?mode=ro"
    base = connect(address, uri=True)
    try:
        base.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        base.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        base = connect(f"{address}&immutable=1", uri=True)
    return base


def identity(path: pathlib.Path) -> tuple[int, int] | None:
    """Which file is there; None if none is, as for a store in memory."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def opened(store: Store | str | pathlib.Path | None) -> AbstractContextManager[Store | None]:
    """A store for a while: the one given, which stays open, or the one at a path."""
    return nullcontext(store) if store is None or isinstance(store, Store) else Store(store)


def continues(stored: Plan, plan: Plan) -> bool:
    """Whether a plan is a stored one, or goes on where that ends."""
    grown = len(plan.groups) == 1 or stored.games == plan.games
    same = stored == replace(plan, games=stored.games, groups=stored.groups)
    shorter, longer = sorted((stored.groups, plan.groups), key=len)
    return grown and same and longer[: len(shorter)] == shorter


def advice(error: Exception) -> str:
    """What went wrong, and what to do about it."""
    text = str(error)
    if "full" in text:
        return "the disk is full; what was stored is safe: make room, then continue with --resume"
    if "not a database" in text:
        return "the file is not a database; choose another one with --store"
    if "malformed" in text or "corrupt" in text or isinstance(error, UnicodeError):
        return "the file is damaged; keep it, 'sqlite3 FILE .recover' saves what is readable, and use another --store"
    if "readonly" in text or "unable to open" in text:
        return "the file can't be written; choose another place with --store"
    if "locked" in text:
        return f"another process has been writing for {PATIENCE:.0f} s; try again when it has finished"
    return text
