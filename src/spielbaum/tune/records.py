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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from spielbaum.arena.store import OF_THE_TUNER, Store, checksum
from spielbaum.errors import SpielbaumError
from spielbaum.foreign import parse_json
from spielbaum.tune.history import RUNNING, Verdict

TUNING = ("tuning", "created", "settings", "state", "host", "process", "result")
SCHEMA = OF_THE_TUNER


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


def create_tuning(store: Store, settings: Mapping[str, Any]) -> Tuning:
    """A new tuning run."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with store.writing():
        if not store.tables() & set(SCHEMA):
            for statement in SCHEMA:
                store.base.execute(statement)
        number = int(store.base.execute("SELECT coalesce(max(tuning), 0) + 1 FROM tunings").fetchone()[0])
    tuning = Tuning(number, now, dict(settings), RUNNING, socket.gethostname(), os.getpid(), {})
    write(store, tuning)
    return tuning


def write(store: Store, tuning: Tuning) -> None:
    """Insert or replace the row of a tuning run."""
    values = tuning.row()
    marks = ", ".join("?" * (len(TUNING) + 1))
    names = ", ".join((*TUNING, "checksum"))
    with store.writing():
        store.base.execute(f"INSERT OR REPLACE INTO tunings ({names}) VALUES ({marks})", (*values, checksum(*values)))
    store.commit()


def mark(store: Store, number: int, state: str) -> None:
    """Store the state of a tuning run, and that this process works on it."""
    write(store, replace(read(store, number), state=state, host=socket.gethostname(), process=os.getpid()))


def plan_steps(store: Store, number: int, steps: int) -> None:
    """Store how many steps there will be; a run that is extended has more."""
    tuning = read(store, number)
    if tuning.settings["steps"] != steps:
        write(store, replace(tuning, settings={**tuning.settings, "steps": steps}))


def put_result(store: Store, number: int, result: Mapping[str, Any], state: str) -> None:
    """Store the result and the state of a tuning run."""
    write(store, replace(read(store, number), result=dict(result), state=state))


def write_step(store: Store, number: int, step: int, facts: Mapping[str, Any]) -> None:
    """Store what a step found; it counts after the next commit."""
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
        there = SCHEMA[0] in store.tables()
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
    *row, told = tuning_row(store, number)
    if checksum(*row) != told:
        raise damaged(store, f"what is known about tuning run {number}")
    _, created, settings, state, host, process, result = row
    facts = [parse_json(text, f"tuning run {number} of {store.path}") for text in (settings, result)]
    if not all(isinstance(each, dict) for each in facts):
        raise damaged(store, f"what is known about tuning run {number}")
    return Tuning(number, created, facts[0], state, host, process, facts[1])


def steps(store: Store, number: int) -> list[dict[str, Any]]:
    """What all steps found, in order; one that is damaged is refused."""
    rows = step_rows(store, number)
    for step, text, told in rows:
        if checksum(number, step, text) != told:
            raise damaged(store, f"step {step} of tuning run {number}")
    return [parse_json(text, f"step {step} of tuning run {number} of {store.path}") for step, text, _ in rows]


def damage(store: Store) -> Iterator[str]:
    """A line for each damaged row of tuning runs and steps."""
    for number in numbers(store):
        *row, told = tuning_row(store, number)
        if checksum(*row) != told:
            yield f"tuning run {number}: what is known about it is damaged"
        rows = step_rows(store, number)
        for step, text, told in rows:
            if checksum(number, step, text) != told:
                yield f"tuning run {number}: step {step} is damaged: its checksum is wrong"
        there = [step for step, _, _ in rows]
        if there != list(range(len(there))):
            missing = next(step for step in range(len(there)) if step not in there)
            yield f"tuning run {number}: step {missing} is not there, but later ones are"


def tuning_row(store: Store, number: int) -> tuple[Any, ...]:
    """The columns `TUNING`, and their checksum."""
    with store.errors():
        names = ", ".join((*TUNING, "checksum"))
        row: tuple[Any, ...] = store.base.execute(f"SELECT {names} FROM tunings WHERE tuning = ?", (number,)).fetchone()
    return row


def step_rows(store: Store, number: int) -> list[tuple[Any, ...]]:
    """The number of each step, what it found, and the checksum."""
    with store.errors():
        return store.base.execute(
            "SELECT step, facts, checksum FROM tuning_steps WHERE tuning = ? ORDER BY step", (number,)
        ).fetchall()


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
    stored = store.parse_run(rows[-1])
    return Verdict(stored.run, "", None, None, None, stored.games, stored.plan.total)
