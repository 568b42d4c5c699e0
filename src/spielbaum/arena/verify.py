"""Whether a store is as it was written, and its games are games: checksums of all rows, and every move played again.

A CRC-32 changes with every flipped bit of its row; SQLite's own check sees to what holds the rows together, and the
number of games and the sum of checksums that a run remembers to rows that are gone. What is left are bits that mean
nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from spielbaum.arena.clocks import ON_TIME
from spielbaum.arena.game_batch import COUNTS, METRICS, RETURNS, GameBatch, from_rows
from spielbaum.arena.kernel_runner import NO_DICE, work_type
from spielbaum.arena.kernels import batch as template
from spielbaum.arena.run import require_rules
from spielbaum.arena.single import FORFEIT
from spielbaum.arena.store import OF_THE_TUNER, STATEMENTS, Store, StoredRun, bunches, checksum, damaged
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State

NONSENSE = (
    sqlite3.Error,
    SpielbaumError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)  # what reading something damaged may raise
MOST_TOLD = 10  # games of a row of which each is told by its number

Progress = Callable[[int], None]


def verify(store: Store, number: int | None = None, progress: Progress = lambda games: None) -> Iterator[str]:
    """What is wrong with a run, or with all of a store, in lines; `progress` is told how many games were looked at."""
    yield from file_damage(store)
    try:
        rows = store.run_rows("" if number is None else f"WHERE run = {number:d}")
    except NONSENSE as error:
        yield f"the list of runs can't be read: {error}"
        return
    for row in rows:
        try:
            yield from run_damage(store, row, progress)
        except NONSENSE as error:
            yield f"run {row[0]} can't be read to its end: {error}"


def file_damage(store: Store) -> Iterator[str]:
    """What SQLite finds, and whether the tables are those that were made."""
    try:
        found = [row[0] for row in store.base.execute(f"PRAGMA integrity_check({MOST_TOLD})")]
        tables = store.tables()
    except NONSENSE as error:
        yield f"the file is damaged: {error}"
        return
    if found != ["ok"]:
        yield from (f"the file is damaged: {' '.join(str(line).split())}" for line in found)
    if tables not in (set(STATEMENTS), {*STATEMENTS, *OF_THE_TUNER}):
        yield "the file is damaged: its tables are not those of a store"


def run_damage(store: Store, row: Sequence[Any], progress: Progress) -> Iterator[str]:
    """What is wrong with a run and its games."""
    number = row[0]
    if checksum(*row[:-1]) != row[-1]:
        yield f"run {number}: what is known about it is damaged"
        return
    stored = StoredRun.of(row[:-1])
    game, why = playable(stored)
    if game is None:
        yield f"run {number}: its games are not played again, only their checksums are compared: {why}"
    games, total = 0, 0
    for some in bunches(store.rows(number)):
        for each in some:
            games, total = games + each[4], total + each[1]
            if damaged(number, each):
                yield f"run {number}: games {each[2]} to {each[3]} are damaged: their checksum is wrong"
            elif game is not None:
                yield from (f"run {number}: {line}" for line in wrong_games(stored, game, from_rows(game, [each[2:]])))
            progress(each[4])
    if (games, total) != (stored.games, stored.total):
        yield f"run {number}: {games} of {stored.games} games are there" + (
            ", and not those that were stored" if games == stored.games else ""
        )


def playable(stored: StoredRun) -> tuple[Game | None, str]:
    """The game of a run as it was when it was played, or why there is none."""
    try:
        game = stored.plan.load()
        require_rules(stored, rules_version(game.module))
    except SpielbaumError as error:
        return None, str(error)
    return game, ""


def wrong_games(stored: StoredRun, game: Game, batch: GameBatch) -> Iterator[str]:
    """A line for each game of a batch whose replay differs from its record."""
    again, losers = replay(game, batch), losers_of(batch)
    cut, tasks = np.asarray(losers.any(axis=1)), stored.plan.tasks(batch.numbers)
    returns: np.ndarray = np.where(cut[:, None], losses(game, losers), again.returns)
    again.outcomes[cut] = ON_TIME
    again.outcomes[np.isin(batch.numbers, list(batch.forfeits))] = FORFEIT
    faults: dict[str, np.ndarray] = {
        "has an illegal move": again.wrong >= 0,
        "does not end where it should": (again.wrong < 0) & (again.over == cut),
        "has another result": differ(returns, batch.returns),
        "has other metrics": differ(again.metrics, last_metrics(batch)),
        "has another outcome": again.outcomes != batch.outcomes,
        "has another seed than its run gives it": tasks.seeds != batch.seeds,
        "has other agents than its run seats": (tasks.seats != batch.seats).any(axis=1),
    }
    known = np.zeros(len(batch), bool)
    for what, those in faults.items():
        for number in batch.numbers[those & ~known][:MOST_TOLD]:
            yield f"game {number} {what}"
        known |= those
    if (more := int(known.sum())) > MOST_TOLD:
        yield f"{more} games of {batch.numbers[0]} to {batch.numbers[-1]} in all"


def differ(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """b[n]: the rows in which two arrays differ; NaN equals NaN."""
    apart = (one != other) & ~(np.isnan(one) & np.isnan(other))
    return np.asarray(apart.reshape(len(one), -1).any(axis=1))


def last_metrics(batch: GameBatch) -> np.ndarray:
    """f4[n, seats, metrics]: those of the ends of the games, which are recorded for all of them or for none."""
    last = batch.without_actions().metrics
    return last if len(last) == len(batch) else np.full((len(batch), *last.shape[1:]), np.nan, METRICS)


class Replay:
    """What the kernel finds when it replays games; arrays with one entry per game."""

    def __init__(self, game: Game, games: int):
        self.wrong, self.over = np.zeros(games, np.int64), np.zeros(games, bool)
        self.decisions, self.returns = np.zeros((games, game.players), COUNTS), np.zeros((games, game.players), RETURNS)
        self.metrics = np.zeros((games, game.players, len(game.metrics)), METRICS)
        self.finals = np.zeros(games if game.has("outcome") else 0, game.rules.STATE)
        self.outcomes = np.full(games, "", object)


def replay(game: Game, batch: GameBatch) -> Replay:
    """Replay the games of a batch from their actions alone."""
    states, work = np.zeros(4, game.rules.STATE), np.zeros(1, work_type(game))
    work["players"] = game.players
    again = Replay(game, len(batch))
    out = again.wrong, again.over, again.decisions, again.returns, again.metrics, again.finals
    game.kernels.link(template).replay(game.context, states, work, (batch.seeds, batch.lengths), batch.actions, out)
    for place, final in enumerate(again.finals[:, None]):
        again.outcomes[place] = State(game, final, NO_DICE, None).outcome if again.over[place] else ""
    return again


def losers_of(batch: GameBatch) -> np.ndarray:
    """b[n, seats]: the seats that lost a game before its end, on time or by forfeit."""
    losers: np.ndarray = (batch.late > 0) & (batch.outcomes == ON_TIME)[:, None]
    for place in np.flatnonzero(np.isin(batch.numbers, list(batch.forfeits))):
        losers[place, batch.forfeits[int(batch.numbers[place])].seat] = True
    return losers


def losses(game: Game, losers: np.ndarray) -> np.ndarray:
    """f8[n, seats]: the results of games that a seat lost before their end."""
    teams = game.teams[: game.players]
    return np.asarray(np.where(teams == teams[losers.argmax(axis=1)][:, None], -1.0, 1.0))
