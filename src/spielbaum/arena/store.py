"""Where games are kept: one SQLite file with a row per game, which survives kill -9 and power cuts.

Write-ahead logging lets others read while a run writes, and every commit reaches the disk before it
counts. A run's games have numbers, so that a game can be there once only, whoever played it.
"""

from __future__ import annotations

import contextlib
import datetime
import pathlib
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np

import spielbaum
from spielbaum.arena.block import Block, from_rows
from spielbaum.arena.plan import Plan
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

APPLICATION = 0x5350424D  # marks the file as ours
FORMAT = 2
PATIENCE = 30.0  # seconds to wait for another process that writes
ROWS_AT_ONCE = 5000
COLUMNS = "number, seed, seats, returns, length, outcome, decisions, seconds, actions, metrics, late"
SCHEMA = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    plan TEXT NOT NULL,
    rules TEXT NOT NULL,
    version TEXT NOT NULL,
    verdict TEXT NOT NULL DEFAULT ''
);
CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs,
    number INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    seats BLOB NOT NULL,
    returns BLOB NOT NULL,
    length INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    decisions BLOB NOT NULL,
    seconds BLOB NOT NULL,
    actions BLOB NOT NULL,
    metrics BLOB NOT NULL,
    late BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class StoredRun:
    """A run as the store knows it."""

    run: int
    created: str
    kind: str
    plan: Plan
    rules: str
    version: str
    verdict: str
    games: int
    """How many games are stored; the plan says how many there will be."""

    @property
    def state(self) -> str:
        """`done`, or how far it has come."""
        if self.verdict or self.games >= self.plan.total:
            return "done"
        return f"{self.games} of {self.plan.total}"


class Store:
    """An open store. Games that were added count after `commit`."""

    def __init__(self, path: str | pathlib.Path, *, create: bool = True):
        self.path = pathlib.Path(path)
        if not create and not self.path.exists():
            raise SpielbaumError(f"there is no store {self.path}; 'spielbaum match' makes one, --store names another")
        with self.errors():
            self.base = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                self.check()
            except BaseException:
                self.base.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """What was not committed is gone."""
        self.base.close()

    def check(self) -> None:
        """Make a new file a store; refuse what is not ours, or newer than this program."""
        if self.empty:
            self.base.execute("BEGIN IMMEDIATE")
            if self.empty:  # nobody else was faster
                for statement in filter(str.strip, SCHEMA.split(";")):
                    self.base.execute(statement)
                self.base.execute(f"PRAGMA application_id = {APPLICATION}")
                self.base.execute(f"PRAGMA user_version = {FORMAT}")
            self.base.execute("COMMIT")
        application, version = self.pragma("application_id"), self.pragma("user_version")
        if application != APPLICATION:
            raise SpielbaumError(
                f"{self.path} is a database, but not a store of games; choose another file with --store"
            )
        if version > FORMAT:
            raise SpielbaumError(
                f"store {self.path} was written by a newer Spielbaum (format {version}, this one knows {FORMAT});"
                " upgrade, or choose another file with --store"
            )
        if version < FORMAT:
            self.upgrade()
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("PRAGMA synchronous = FULL")

    def upgrade(self) -> None:
        """Add the column that stores of format 1 do not have."""
        self.base.execute("BEGIN IMMEDIATE")
        if self.pragma("user_version") < FORMAT:  # nobody else was faster
            self.base.execute("ALTER TABLE games ADD COLUMN late BLOB NOT NULL DEFAULT x''")
            self.base.execute(f"PRAGMA user_version = {FORMAT}")
        self.base.execute("COMMIT")

    @property
    def empty(self) -> bool:
        """Whether the file holds nothing at all."""
        return not self.base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    def pragma(self, name: str) -> int:
        return int(self.base.execute(f"PRAGMA {name}").fetchone()[0])

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """SQLite's errors in words that say what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise SpielbaumError(f"store {self.path}: {advice(error)}") from error

    # --- writing ---------------------------------------------------------------------------------

    def begin(self, kind: str, plan: Plan, rules: str) -> int:
        """A new run; its number."""
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        values = (now, kind, plan.game, plan.to_json(), rules, spielbaum.__version__)
        with self.errors():
            sql = "INSERT INTO runs (created, kind, game, plan, rules, version) VALUES (?, ?, ?, ?, ?, ?)"
            run = self.base.execute(sql, values).lastrowid
        assert run is not None
        return run

    def add(self, run: int, block: Block) -> None:
        """Add games; one that is there already stays as it is."""
        with self.errors():
            if not self.base.in_transaction:
                self.base.execute("BEGIN IMMEDIATE")
            sql = f"INSERT OR IGNORE INTO games (run, {COLUMNS}) VALUES ({run:d}, {', '.join('?' * 11)})"
            self.base.executemany(sql, block.rows())

    def commit(self) -> None:
        """Make everything that was added count, on the disk."""
        with self.errors():
            if self.base.in_transaction:
                self.base.execute("COMMIT")

    def update(self, run: int, *, plan: Plan | None = None, verdict: str | None = None) -> None:
        """Note that a run goes on further than it was planned, or how it ended."""
        with self.errors():
            if plan is not None:
                self.base.execute("UPDATE runs SET plan = ? WHERE run = ?", (plan.to_json(), run))
            if verdict is not None:
                self.base.execute("UPDATE runs SET verdict = ? WHERE run = ?", (verdict, run))

    def drop(self, run: int, first: int) -> None:
        """Forget the games of a run from a number on."""
        with self.errors():
            self.base.execute("DELETE FROM games WHERE run = ? AND number >= ?", (run, first))

    # --- reading ---------------------------------------------------------------------------------

    def runs(self) -> list[StoredRun]:
        """All runs, oldest first."""
        counts = "SELECT run, count(*) AS games FROM games GROUP BY run"
        sql = (
            "SELECT runs.run, created, kind, plan, rules, version, verdict, coalesce(games, 0)"
            f" FROM runs LEFT JOIN ({counts}) AS counts ON counts.run = runs.run ORDER BY runs.run"
        )
        with self.errors():
            rows = self.base.execute(sql).fetchall()
        return [
            StoredRun(run, created, kind, Plan.from_json(plan), rules, version, verdict, games)
            for run, created, kind, plan, rules, version, verdict, games in rows
        ]

    def run(self, number: int) -> StoredRun:
        """One run."""
        found = [stored for stored in self.runs() if stored.run == number]
        if not found:
            known = ", ".join(str(stored.run) for stored in self.runs()) or "none yet"
            raise SpielbaumError(f"store {self.path} has no run {number}; runs: {known}")
        return found[0]

    def find(self, kind: str, plan: Plan) -> StoredRun | None:
        """The newest run that this plan continues."""
        fitting = [stored for stored in self.runs() if stored.kind == kind and continues(stored.plan, plan)]
        return fitting[-1] if fitting else None

    def numbers(self, run: int) -> np.ndarray:
        """The numbers of the games that are stored, in order."""
        with self.errors():
            rows = self.base.execute("SELECT number FROM games WHERE run = ? ORDER BY number", (run,))
            return np.fromiter((row[0] for row in rows), np.int64)

    def blocks(self, run: int, game: Game) -> Iterator[Block]:
        """All games of a run in their order, some at a time."""
        with self.errors():
            cursor = self.base.execute(f"SELECT {COLUMNS} FROM games WHERE run = ? ORDER BY number", (run,))
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield from_rows(game, rows)

    def game(self, run: int, number: int, game: Game) -> Block:
        """One game of a run."""
        with self.errors():
            sql = f"SELECT {COLUMNS} FROM games WHERE run = ? AND number = ?"
            rows = self.base.execute(sql, (run, number)).fetchall()
        if not rows:
            stored = self.numbers(run)
            which = f"it has {len(stored)} of the numbers 0 to {self.run(run).plan.total - 1}"
            raise SpielbaumError(f"run {run} has no game {number}; {which}")
        return from_rows(game, rows)


def opened(store: Store | str | pathlib.Path | None) -> AbstractContextManager[Store | None]:
    """A store for a while: the one given, which stays open, or the one at a path."""
    return nullcontext(store) if store is None or isinstance(store, Store) else Store(store)


def continues(stored: Plan, plan: Plan) -> bool:
    """Whether a plan is a stored one, or goes on where that ends."""
    grown = len(plan.groups) == 1 or stored.games == plan.games
    same = stored == replace(plan, games=stored.games, groups=stored.groups)
    shorter, longer = sorted((stored.groups, plan.groups), key=len)
    return grown and same and longer[: len(shorter)] == shorter


def advice(error: sqlite3.Error) -> str:
    """What went wrong, and what to do about it."""
    text = str(error)
    if "full" in text:
        return "the disk is full; what was stored is safe: make room, then continue with --resume"
    if "not a database" in text:
        return "the file is not a database; choose another one with --store"
    if "malformed" in text or "corrupt" in text:
        return "the file is damaged; keep it, 'sqlite3 FILE .recover' saves what is readable, and use another --store"
    if "readonly" in text or "unable to open" in text:
        return "the file can't be written; choose another place with --store"
    if "locked" in text:
        return f"another process has been writing for {PATIENCE:.0f} s; try again when it has finished"
    return text
