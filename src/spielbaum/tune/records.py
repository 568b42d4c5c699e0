"""Tuning runs in the store: what was asked for, and what each step found.

The games of a step are an ordinary run of the store, of the kind `tune NUMBER.STEP`. They decide everything: a run
that goes on asks its method anew, step by step, and finds their games. The rows here only tell of it, to readers who
do not want to do the same.
"""

from __future__ import annotations

import datetime
import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from spielbaum.arena.store import Store, checksum
from spielbaum.errors import SpielbaumError
from spielbaum.tune.history import RUNNING, Verdict

TUNING = ("tuning", "created", "settings", "state", "host", "process", "result")
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS tunings (
    tuning INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    settings TEXT NOT NULL,
    state TEXT NOT NULL,
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    result TEXT NOT NULL,
    checksum INTEGER NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS tuning_steps (
    tuning INTEGER NOT NULL REFERENCES tunings,
    step INTEGER NOT NULL,
    facts TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (tuning, step)
)""",
)


@dataclass(frozen=True)
class Tuning:
    """A tuning run as the store knows it."""

    number: int
    created: str
    settings: dict[str, Any]
    """What was asked for; see `run.Settings`."""
    state: str
    host: str
    process: int
    """Who works on it, and where."""
    result: dict[str, Any]
    """The best estimate, the effects and the test, as soon as they are known."""

    def row(self) -> tuple[Any, ...]:
        """The columns `TUNING`."""
        settings, result = (json.dumps(each, sort_keys=True) for each in (self.settings, self.result))
        return (self.number, self.created, settings, self.state, self.host, self.process, result)


def step_kind(number: int, step: int) -> str:
    """The kind of the run that holds the games of a step."""
    return f"tune {number}.{step}"


def tuning_of(kind: str) -> str | None:
    """The tuning run that a run of the store is a step of; None if it is none.

    >>> tuning_of("tune 3.17"), tuning_of("tune 3 test"), tuning_of("match")
    ('tune 3', None, None)
    """
    tuning, dot, step = kind.rpartition(".")
    return tuning if dot and step.isdecimal() and tuning.startswith("tune ") else None


def test_kind(number: int) -> str:
    """The kind of the run that holds the games of the test."""
    return f"tune {number} test"


# --- writing --------------------------------------------------------------------------------------


def begin(store: Store, settings: Mapping[str, Any]) -> Tuning:
    """A new tuning run."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with store.writing():
        for statement in SCHEMA:
            store.base.execute(statement)
        number = int(store.base.execute("SELECT coalesce(max(tuning), 0) + 1 FROM tunings").fetchone()[0])
    tuning = Tuning(number, now, dict(settings), RUNNING, socket.gethostname(), os.getpid(), {})
    write(store, tuning)
    return tuning


def write(store: Store, tuning: Tuning) -> None:
    """Put down what is known about a tuning run."""
    values = tuning.row()
    marks = ", ".join("?" * (len(TUNING) + 1))
    names = ", ".join((*TUNING, "checksum"))
    with store.writing():
        store.base.execute(f"INSERT OR REPLACE INTO tunings ({names}) VALUES ({marks})", (*values, checksum(*values)))
    store.commit()


def mark(store: Store, number: int, state: str) -> None:
    """Note whether somebody works on it, and who."""
    write(store, replace(read(store, number), state=state, host=socket.gethostname(), process=os.getpid()))


def put_result(store: Store, number: int, result: Mapping[str, Any], state: str) -> None:
    """Put down what was found."""
    write(store, replace(read(store, number), result=dict(result), state=state))


def write_step(store: Store, number: int, step: int, facts: Mapping[str, Any]) -> None:
    """Put down what a step found; it counts with the next commit."""
    text = json.dumps(facts, sort_keys=True)
    with store.writing():
        store.base.execute(
            "INSERT OR REPLACE INTO tuning_steps VALUES (?, ?, ?, ?)",
            (number, step, text, checksum(number, step, text)),
        )


# --- reading --------------------------------------------------------------------------------------


def numbers(store: Store) -> list[int]:
    """The numbers of all tuning runs, oldest first."""
    with store.errors():
        there = store.base.execute("SELECT count(*) FROM sqlite_master WHERE name = 'tunings'").fetchone()[0]
        rows = store.base.execute("SELECT tuning FROM tunings ORDER BY tuning").fetchall() if there else []
    return [int(number) for (number,) in rows]


def newest(store: Store) -> int | None:
    """The number of the newest tuning run."""
    return max(numbers(store), default=None)


def steps_done(store: Store, number: int) -> int:
    """How many steps are known."""
    with store.errors():
        found = store.base.execute("SELECT count(*) FROM tuning_steps WHERE tuning = ?", (number,)).fetchone()
    return int(found[0])


def read(store: Store, number: int) -> Tuning:
    """One tuning run; one that is damaged is refused."""
    known = numbers(store)
    if number not in known:
        listed = ", ".join(map(str, known)) or "none yet"
        raise SpielbaumError(f"store {store.path} has no tuning run {number}; tuning runs: {listed}")
    with store.errors():
        names = ", ".join((*TUNING, "checksum"))
        *row, told = store.base.execute(f"SELECT {names} FROM tunings WHERE tuning = ?", (number,)).fetchone()
    if checksum(*row) != told:
        raise damaged(store, f"what is known about tuning run {number}")
    _, created, settings, state, host, process, result = row
    return Tuning(number, created, json.loads(settings), state, host, process, json.loads(result))


def steps(store: Store, number: int) -> list[dict[str, Any]]:
    """What all steps found, in order."""
    with store.errors():
        rows = store.base.execute(
            "SELECT step, facts, checksum FROM tuning_steps WHERE tuning = ? ORDER BY step", (number,)
        ).fetchall()
    for step, text, told in rows:
        if checksum(number, step, text) != told:
            raise damaged(store, f"step {step} of tuning run {number}")
    return [json.loads(text) for _, text, _ in rows]


def damaged(store: Store, what: str) -> SpielbaumError:
    return SpielbaumError(f"store {store.path}: {what} is damaged; delete nothing, tune anew with another --store")


def games(store: Store, number: int) -> int:
    """How many games of its steps are stored."""
    with store.errors():
        found = store.base.execute("SELECT sum(games) FROM runs WHERE kind LIKE ?", (f"tune {number}.%",)).fetchone()
    return int(found[0] or 0)


def test_so_far(store: Store, number: int) -> Verdict | None:
    """The test while it goes on."""
    rows = store.run_rows("WHERE kind = ?", test_kind(number))
    if not rows:
        return None
    stored = store.told(rows[-1])
    return Verdict(stored.run, "", None, None, None, stored.games, stored.plan.total)
