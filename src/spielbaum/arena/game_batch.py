"""Finished games in columns: what workers send, summaries count and the store keeps.

Everything but `seconds` is a function of the plan and the games' numbers, byte by byte, unless there are clocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from spielbaum.arena.single import Forfeit, GameRecord
from spielbaum.game import Game

NUMBERS, RETURNS, SECONDS, METRICS, COUNTS, SEATS = map(np.dtype, ("<i8", "<f8", "<f8", "<f4", "<u4", "<u2"))
PER_GAME = (
    "numbers",
    "seeds",
    "seats",
    "returns",
    "lengths",
    "outcomes",
    "decisions",
    "seconds",
    "metric_rows",
    "late",
)

COLUMNS = 16
NO_WORDS = np.zeros(0, "U1")
Row = Sequence[Any]
"""A batch of games as the store keeps it, see `GameBatch.row`."""


@dataclass(frozen=True)
class GameBatch:
    """Some finished games, a column per fact."""

    numbers: np.ndarray  # i8[n]: of the games in their run
    seeds: np.ndarray  # i8[n]
    seats: np.ndarray  # u2[n, seats]: the number of the agent in each seat
    returns: np.ndarray  # f8[n, seats]
    lengths: np.ndarray  # i8[n]: how many actions
    outcomes: np.ndarray  # n words, empty where the game has none
    decisions: np.ndarray  # u4[n, seats]
    seconds: np.ndarray  # f8[n, seats]
    actions: np.ndarray  # of all games, one after the other
    metrics: np.ndarray  # f4[rows, seats, metrics]: of all games, one after the other
    metric_rows: np.ndarray  # i8[n]: how many rows of metrics
    late: np.ndarray  # u4[n, seats]: how often each seat overstepped its time
    forfeits: Mapping[int, Forfeit]  # who has forfeited a game and why, by the games' numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"<GameBatch of {len(self)} games>"

    def without_actions(self) -> GameBatch:
        """The same games without their actions, and with the metrics of their ends only."""
        last = np.cumsum(self.metric_rows)[self.metric_rows > 0] - 1
        metric_rows = np.minimum(self.metric_rows, 1)
        return replace(self, actions=self.actions[:0], metrics=self.metrics[last], metric_rows=metric_rows)

    def pick(self, games: np.ndarray) -> GameBatch:
        """Some games, by a mask or by their places, in that order."""
        places = np.arange(len(self))[games]
        kept = set(self.numbers[places].tolist()) if self.forfeits else set()
        return replace(
            self,
            **{name: getattr(self, name)[places] for name in PER_GAME},
            actions=self.actions[slices(self.lengths, places)] if len(self.actions) else self.actions,
            metrics=self.metrics[slices(self.metric_rows, places)],
            forfeits={number: forfeit for number, forfeit in self.forfeits.items() if number in kept},
        )

    def row(self) -> Row:
        """The games as the store keeps them: their least and greatest number, how many, and arrays as bytes.

        The actions come last, so that a reader of results alone need not load them.
        """
        return (
            int(self.numbers.min()),
            int(self.numbers.max()),
            len(self),
            self.numbers.astype(NUMBERS).tobytes(),
            self.seeds.astype(NUMBERS).tobytes(),
            self.seats.tobytes(),
            self.returns.tobytes(),
            self.lengths.astype(NUMBERS).tobytes(),
            "\n".join(self.outcomes.tolist()),
            self.decisions.tobytes(),
            self.seconds.tobytes(),
            self.late.tobytes(),
            self.metric_rows.astype(NUMBERS).tobytes(),
            self.metrics.tobytes(),
            json.dumps([[number, *forfeit] for number, forfeit in sorted(self.forfeits.items())], ensure_ascii=False),
            self.actions.tobytes(),
        )


def slices(counts: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Where the entries of some games are in a column that holds so many of each game.

    >>> slices(np.array([2, 3, 1]), np.array([2, 0])).tolist()
    [5, 0, 1]
    """
    begins, chosen = np.cumsum(counts) - counts, counts[places]
    return np.repeat(begins[places] - np.cumsum(chosen) + chosen, chosen) + np.arange(chosen.sum())


def action_type(game: Game) -> np.dtype:
    """The shortest integers that hold the game's action codes."""
    return np.min_scalar_type(game.module.ACTION_CODES - 1).newbyteorder("<")


def from_records(game: Game, numbers: np.ndarray, seats: np.ndarray, records: Sequence[GameRecord]) -> GameBatch:
    """Records as a batch."""
    metrics = [record.metrics for record in records if record.metrics is not None]
    return GameBatch(
        numbers=numbers,
        seeds=np.array([record.seed for record in records], np.int64),
        seats=seats.astype(SEATS),
        returns=np.array([record.returns for record in records], RETURNS),
        lengths=np.array([len(record.actions) for record in records], np.int64),
        outcomes=np.array([" ".join(record.outcome.splitlines()) for record in records], str),
        decisions=np.array([record.decisions for record in records], COUNTS),
        seconds=np.array([record.seconds for record in records], SECONDS),
        actions=np.concatenate([np.array(record.actions, action_type(game)) for record in records]),
        metrics=np.concatenate([no_metrics(game), *metrics]).astype(METRICS),
        metric_rows=np.array([0 if record.metrics is None else len(record.metrics) for record in records], np.int64),
        late=np.array([record.late for record in records], COUNTS),
        forfeits={
            int(number): record.forfeit
            for number, record in zip(numbers, records, strict=True)
            if record.forfeit is not None
        },
    )


def no_metrics(game: Game) -> np.ndarray:
    return np.zeros((0, game.players, len(game.metrics)), METRICS)


def from_rows(game: Game, rows: Sequence[Row]) -> GameBatch:
    """A batch from rows of the store, with actions where the rows have them; ValueError if columns do not fit."""
    columns: Sequence[Any] = list(zip(*rows, strict=True)) or [()] * COLUMNS
    actions = b"".join(columns[15]) if len(columns) == COLUMNS else b""
    batch = GameBatch(
        numbers=np.frombuffer(b"".join(columns[3]), NUMBERS),
        seeds=np.frombuffer(b"".join(columns[4]), NUMBERS),
        seats=table(columns[5], SEATS, game.players),
        returns=table(columns[6], RETURNS, game.players),
        lengths=np.frombuffer(b"".join(columns[7]), NUMBERS),
        outcomes=np.concatenate([NO_WORDS, *map(words, columns[8])]),
        decisions=table(columns[9], COUNTS, game.players),
        seconds=table(columns[10], SECONDS, game.players),
        late=table(columns[11], COUNTS, game.players),
        metric_rows=np.frombuffer(b"".join(columns[12]), NUMBERS),
        metrics=np.frombuffer(b"".join(columns[13]), METRICS).reshape(-1, game.players, len(game.metrics))
        if game.metrics
        else no_metrics(game),
        forfeits={number: Forfeit(seat, reason) for text in columns[14] for number, seat, reason in json.loads(text)},
        actions=np.frombuffer(actions, action_type(game)),
    )
    entries = len(batch.actions) if len(columns) == COLUMNS else batch.lengths.sum()
    fitting = {len(getattr(batch, name)) for name in PER_GAME} == {sum(columns[2])}
    if not fitting or batch.metric_rows.sum() != len(batch.metrics) or batch.lengths.sum() != entries:
        raise ValueError("columns of different lengths")
    return batch


def words(text: str) -> np.ndarray:
    """The words of a text, one from each line; most games have none."""
    return np.array(text.split("\n")) if text.strip("\n") else np.zeros(text.count("\n") + 1, NO_WORDS.dtype)


def table(parts: Sequence[bytes], kind: np.dtype, width: int) -> np.ndarray:
    return np.frombuffer(b"".join(parts), kind).reshape(-1, width)


def join(game: Game, batches: Iterable[GameBatch]) -> GameBatch:
    """All games of some batches, in the order of their numbers."""
    parts = [from_rows(game, []), *batches]
    columns: dict[str, Any] = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(GameBatch)
        if each.name != "forfeits"
    }
    forfeits = {number: forfeit for part in parts for number, forfeit in part.forfeits.items()}
    return in_order(GameBatch(**columns, forfeits=forfeits))


def in_order(batch: GameBatch) -> GameBatch:
    """The games in the order of their numbers."""
    sorted_ = bool((np.diff(batch.numbers) > 0).all())
    return batch if sorted_ else batch.pick(np.argsort(batch.numbers))


def record_of(batch: GameBatch) -> GameRecord:
    """The record of a batch's only game."""
    return GameRecord(
        seed=int(batch.seeds[0]),
        actions=batch.actions.tolist(),
        returns=batch.returns[0].tolist(),
        decisions=batch.decisions[0].tolist(),
        seconds=batch.seconds[0].tolist(),
        metrics=batch.metrics.astype(float) if len(batch.metrics) else None,
        outcome=str(batch.outcomes[0]),
        late=batch.late[0].tolist(),
        forfeit=batch.forfeits.get(int(batch.numbers[0])),
    )
