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

from spielbaum.arena.batch import NO_DICE, work_type
from spielbaum.arena.block import COUNTS, METRICS, RETURNS, Block, from_rows
from spielbaum.arena.clocks import ON_TIME
from spielbaum.arena.run import require_rules
from spielbaum.arena.single import FORFEIT
from spielbaum.arena.store import STATEMENTS, Store, StoredRun, bunches, checksum, damaged
from spielbaum.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State

NONSENSE = (sqlite3.Error, SpielbaumError, ValueError, TypeError, KeyError, AttributeError, OverflowError)
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
        tables = [row[0] for row in store.base.execute("SELECT sql FROM sqlite_master ORDER BY rowid")]
    except NONSENSE as error:
        yield f"the file is damaged: {error}"
        return
    if found != ["ok"]:
        yield from (f"the file is damaged: {' '.join(str(line).split())}" for line in found)
    if tables != STATEMENTS:
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


def wrong_games(stored: StoredRun, game: Game, block: Block) -> Iterator[str]:
    """The games of a block that do not go as they are told, and how."""
    again, losers = replay(game, block), losers_of(block)
    cut, tasks = np.asarray(losers.any(axis=1)), stored.plan.tasks(block.numbers)
    returns: np.ndarray = np.where(cut[:, None], losses(game, losers), again.returns)
    again.outcomes[cut] = ON_TIME
    again.outcomes[np.isin(block.numbers, list(block.forfeits))] = FORFEIT
    faults: dict[str, np.ndarray] = {
        "has an illegal move": again.wrong >= 0,
        "does not end where it should": (again.wrong < 0) & (again.over == cut),
        "has another result": differ(returns, block.returns),
        "has other metrics": differ(again.metrics, last_metrics(block)),
        "has another outcome": again.outcomes != block.outcomes,
        "has another seed than its run gives it": tasks.seeds != block.seeds,
        "has other agents than its run seats": (tasks.seats != block.seats).any(axis=1),
    }
    known = np.zeros(len(block), bool)
    for what, those in faults.items():
        for number in block.numbers[those & ~known][:MOST_TOLD]:
            yield f"game {number} {what}"
        known |= those
    if (more := int(known.sum())) > MOST_TOLD:
        yield f"{more} games of {block.numbers[0]} to {block.numbers[-1]} in all"


def differ(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """b[n]: in which rows two arrays differ; nobody knows what is no number."""
    apart = (one != other) & ~(np.isnan(one) & np.isnan(other))
    return np.asarray(apart.reshape(len(one), -1).any(axis=1))


def last_metrics(block: Block) -> np.ndarray:
    """f4[n, seats, metrics]: those of the ends of the games, which are noted for all of them or for none."""
    last = block.light().metrics
    return last if len(last) == len(block) else np.full((len(block), *last.shape[1:]), np.nan, METRICS)


class Replay:
    """What the kernel tells of games that were played again; arrays with one entry per game."""

    def __init__(self, game: Game, games: int):
        self.wrong, self.over = np.zeros(games, np.int64), np.zeros(games, bool)
        self.decisions, self.returns = np.zeros((games, game.players), COUNTS), np.zeros((games, game.players), RETURNS)
        self.metrics = np.zeros((games, game.players, len(game.metrics)), METRICS)
        self.finals = np.zeros(games if game.has("outcome") else 0, game.rules.STATE)
        self.outcomes = np.full(games, "", object)


def replay(game: Game, block: Block) -> Replay:
    """Play the games of a block again, without looking at how they ended."""
    states, work = np.zeros(4, game.rules.STATE), np.zeros(1, work_type(game))
    work["players"] = game.players
    again = Replay(game, len(block))
    out = again.wrong, again.over, again.decisions, again.returns, again.metrics, again.finals
    game.kernels.batch.replay(game.context, states, work, (block.seeds, block.lengths), block.actions, out)
    for place, final in enumerate(again.finals[:, None]):
        again.outcomes[place] = State(game, final, NO_DICE, None).outcome if again.over[place] else ""
    return again


def losers_of(block: Block) -> np.ndarray:
    """b[n, seats]: who has lost a game before its end, by the clock or by an answer that is none."""
    losers: np.ndarray = (block.late > 0) & (block.outcomes == ON_TIME)[:, None]
    for place in np.flatnonzero(np.isin(block.numbers, list(block.forfeits))):
        losers[place, block.forfeits[int(block.numbers[place])].seat] = True
    return losers


def losses(game: Game, losers: np.ndarray) -> np.ndarray:
    """f8[n, seats]: the results of games that somebody has lost before their end."""
    teams = game.teams[: game.players]
    return np.asarray(np.where(teams == teams[losers.argmax(axis=1)][:, None], -1.0, 1.0))
