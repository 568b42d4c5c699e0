"""Sessions and finished games on disk, in one SQLite file: what was played survives the server.

Where the folder can't be written (a read-only medium, a full disk) everything is kept in memory instead, and
the log says so.
"""

from __future__ import annotations

import json
import logging
import pathlib
import sqlite3
import threading
import time
from typing import Any

import platformdirs

from spielbaum.web.drawing import Json

log = logging.getLogger(__name__)

TABLES = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, touched REAL, over INTEGER, data TEXT);
CREATE TABLE IF NOT EXISTS records (id TEXT PRIMARY KEY, ended REAL, game TEXT, data TEXT);
CREATE INDEX IF NOT EXISTS records_by_time ON records (ended);
"""
MOST_RECORDS = 1000


def default_folder() -> pathlib.Path:
    """Where data lives unless told otherwise."""
    return pathlib.Path(platformdirs.user_data_dir("spielbaum"))


def open_database(folder: pathlib.Path | None) -> sqlite3.Connection:
    """The database of a folder, in memory where there is none or it can't be written."""
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / "sessions.sqlite"
            file.touch(0o600)  # it holds the tokens
            database = sqlite3.connect(file, check_same_thread=False)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            database.executescript(TABLES)
            return database
    except (OSError, sqlite3.Error) as error:
        log.warning("sessions are kept in memory only", extra={"facts": {"folder": str(folder), "why": str(error)}})
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(TABLES)
    return database


class Store:
    """Reads and writes sessions; any thread may."""

    def __init__(self, folder: pathlib.Path | None):
        self.database = open_database(folder)
        self.lock = threading.Lock()

    def execute(self, command: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.lock, self.database:
            return self.database.execute(command, values).fetchall()

    def save(self, session: str, data: Json, *, over: bool) -> None:
        """Keep a session as it is now."""
        text = json.dumps(data, separators=(",", ":"))
        try:
            self.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", session, time.time(), int(over), text)
        except sqlite3.Error as error:
            log.error("a session could not be stored", extra={"facts": {"session": session, "why": str(error)}})

    def load(self, session: str) -> Json | None:
        """A session that was kept, or None."""
        rows = self.execute("SELECT data FROM sessions WHERE id = ?", session)
        return json.loads(rows[0][0]) if rows else None

    def forget(self, session: str) -> None:
        """Drop a session."""
        self.execute("DELETE FROM sessions WHERE id = ?", session)

    def sweep(self, finished: float, abandoned: float) -> list[str]:
        """Drop the sessions that nobody touched for that many seconds; which they were."""
        now = time.time()
        limits = (now - finished, now - abandoned)
        rows = self.execute("SELECT id FROM sessions WHERE (over AND touched < ?) OR touched < ?", *limits)
        for (session,) in rows:
            self.forget(session)
        return [session for (session,) in rows]

    def add_record(self, identity: str, record: Json) -> None:
        """Keep a finished game; of many only the newest stay."""
        text = json.dumps(record, separators=(",", ":"))
        self.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", identity, time.time(), record["game"], text)
        self.execute(
            "DELETE FROM records WHERE id NOT IN (SELECT id FROM records ORDER BY ended DESC LIMIT ?)", MOST_RECORDS
        )

    def record(self, identity: str) -> Json | None:
        """A finished game, or None."""
        rows = self.execute("SELECT data FROM records WHERE id = ?", identity)
        return json.loads(rows[0][0]) if rows else None

    def records(self, most: int = 100) -> list[tuple[str, float, Json]]:
        """The newest finished games."""
        rows = self.execute("SELECT id, ended, data FROM records ORDER BY ended DESC LIMIT ?", most)
        return [(identity, ended, json.loads(data)) for identity, ended, data in rows]

    def close(self) -> None:
        """Write what is left and close the file."""
        with self.lock:
            self.database.close()
