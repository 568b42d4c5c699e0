"""Sessions and finished games on disk, in one SQLite file: what was played survives the server.

Where the folder can't be written (a read-only medium, a full disk) everything is kept in memory instead. Trouble with
the disk ends no game: `trouble` says what it is, with writing until the like could be written again, with reading for
good, and so does the log.

How old a session is does not depend on the clock on the wall, which may jump: stamps are seconds of this server's
life, and those of earlier lives are moved back so that the newest of them is its beginning.
"""

from __future__ import annotations

import contextlib
import json
import logging
import pathlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import platformdirs

from spielbaum.arena.verify import NONSENSE
from spielbaum.scenes.drawing import Json
from spielbaum.web.assets import sound
from spielbaum.web.errors import Refusal, without_folders
from spielbaum.web.messages import Record

log = logging.getLogger(__name__)

T = TypeVar("T")

TABLES = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, touched REAL, over INTEGER, data TEXT);
CREATE TABLE IF NOT EXISTS records (id TEXT PRIMARY KEY, ended REAL, game TEXT, data TEXT);
"""
MOVE_BACK = "UPDATE sessions SET touched = touched - (SELECT max(touched) FROM sessions)"
MOST_RECORDS = 1000
RENAMED = 1  # version of a file whose records no longer have the names of their sessions


def default_folder() -> pathlib.Path:
    """Where data lives unless told otherwise."""
    return pathlib.Path(platformdirs.user_data_dir("spielbaum"))


def open_database(file: pathlib.Path) -> sqlite3.Connection:
    """The database in a file, which is made where there is none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(0o600)  # it holds the tokens
    database = sqlite3.connect(file, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.executescript(TABLES)
        with database:
            database.execute(MOVE_BACK)
            if database.execute("PRAGMA user_version").fetchone()[0] < RENAMED:
                database.execute("UPDATE records SET id = hex(randomblob(9))")
                database.execute(f"PRAGMA user_version = {RENAMED}")
    except sqlite3.Error:
        database.close()
        raise
    return database


class Store:
    """Reads and writes sessions; any thread may."""

    def __init__(self, folder: pathlib.Path | None):
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.unread: str | None = None
        self.unwritten: dict[str, str] = {}
        self.in_memory = folder is None
        if folder is not None:
            try:
                self.database = open_database(folder / "sessions.sqlite")
            except (OSError, sqlite3.Error) as error:
                self.in_memory = True
                self.unwritten["all"] = self.log_trouble("sessions are kept in memory only", error)
        if self.in_memory:
            self.database = sqlite3.connect(":memory:", check_same_thread=False)
            self.database.executescript(TABLES)

    @property
    def trouble(self) -> dict[str, str | None]:
        """What is wrong with reading and with writing."""
        return {"reading": self.unread, "writing": next(iter([*self.unwritten.values()]), None)}

    def log_trouble(self, what: str, error: Exception, **facts: Any) -> str:
        """Log an error; return it for clients, without the paths of this machine."""
        log.error(what, extra={"facts": {"why": str(error), **facts}})
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return without_folders(f"{what}: {why}")

    def cannot_read(self, what: str, error: Exception, **facts: Any) -> Refusal:
        """Note that something can't be read; return the refusal for whoever asked for it."""
        self.unread = self.log_trouble(what, error, **facts)
        return Refusal("unreadable", f"{what}; the server's log says more")

    def execute(self, command: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.lock, self.database:
            return self.database.execute(command, values).fetchall()

    def write(self, what: str, command: str, *values: Any, **facts: Any) -> bool:
        """Store something, or note that it could not be."""
        try:
            self.execute(command, *values)
        except sqlite3.Error as error:
            self.unwritten[what] = self.log_trouble(f"{what} could not be stored", error, **facts)
            return False
        self.unwritten.pop(what, None)
        return True

    def read(self, command: str, *values: Any) -> list[tuple[Any, ...]]:
        """Some rows, or a refusal."""
        try:
            return self.execute(command, *values)
        except sqlite3.Error as error:
            raise self.cannot_read("what is stored can't be read", error) from None

    def parsed(self, name: str, text: str, understand: Callable[[Json], T]) -> T:
        """What a row holds; a damaged one is refused."""
        try:
            return understand(json.loads(text))
        except NONSENSE as error:
            raise self.cannot_read("what is stored of this game is damaged", error, name=name) from None

    @property
    def age(self) -> float:
        """Seconds since this server has started."""
        return time.monotonic() - self.begun

    def save(self, session: str, data: Json, *, over: bool) -> bool:
        """Store a session; return whether that was possible."""
        text = json.dumps(data, separators=(",", ":"))
        command = "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)"
        return self.write("a session", command, session, self.age, int(over), text, session=session)

    def load(self, session: str) -> Json | None:
        """A stored session, or None."""
        rows = self.read("SELECT data FROM sessions WHERE id = ?", session)
        return self.parsed(session, rows[0][0], dict) if rows else None

    def forget(self, session: str) -> None:
        """Drop a session."""
        self.write("the end of a session", "DELETE FROM sessions WHERE id = ?", session, session=session)

    def sweep(self, finished: float, abandoned: float, most: int) -> list[str]:
        """Drop the sessions that nobody touched for that many seconds, and return their names.

        Where there are more than `most`, the oldest go as if they were finished.
        """
        now = self.age
        old = """SELECT id FROM sessions WHERE touched < ? OR (touched < ? AND (over OR id IN
            (SELECT id FROM sessions ORDER BY touched DESC LIMIT -1 OFFSET ?)))"""
        swept = [session for (session,) in self.read(old, now - abandoned, now - finished, most)]
        for session in swept:
            self.forget(session)
        return swept

    def add_record(self, record: Json) -> bool:
        """Store a finished game, and drop the oldest beyond a number; return whether that was possible.

        Its name says nothing about the session that it comes from.
        """
        text, name = json.dumps(record, separators=(",", ":")), secrets.token_urlsafe(9)
        values = name, time.time(), record["game"], text
        older = "DELETE FROM records WHERE rowid <= (SELECT rowid FROM records ORDER BY rowid DESC LIMIT 1 OFFSET ?)"
        stored = self.write("a game", "INSERT INTO records VALUES (?, ?, ?, ?)", *values)
        return stored and self.write("the list of games", older, MOST_RECORDS)

    def record(self, identity: str) -> Record | None:
        """A finished game, or None."""
        rows = self.read("SELECT data FROM records WHERE id = ?", identity)
        return self.parsed(identity, rows[0][0], Record.model_validate) if rows else None

    def records(self, most: int = 100) -> list[Json]:
        """The newest finished games in outline, those that can be read."""
        found = []
        for identity, ended, text in self.read("SELECT id, ended, data FROM records ORDER BY rowid DESC LIMIT ?", most):
            with contextlib.suppress(Refusal):
                found.append({"id": identity, "ended": ended, **self.parsed(identity, text, outline)})
        return found

    def close(self) -> None:
        """Write what is left and close the file."""
        with self.lock:
            self.database.close()


def outline(data: Json) -> Json:
    """A finished game in a list of games."""
    facts = {"game": data.get("game"), "ply": len(data.get("actions", [])), "returns": data.get("returns")}
    return sound({**facts, **data.get("summary", {})})
