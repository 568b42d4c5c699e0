"""Finished games in columns: what workers send, summaries count and the store keeps.

Everything but `seconds` is a function of the plan and the games' numbers, byte by byte, unless there are clocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from spielbaum.arena.single import GameRecord
from spielbaum.game import Game

RETURNS, SECONDS, METRICS, COUNTS, SEATS = map(np.dtype, ("<f8", "<f8", "<f4", "<u4", "<u2"))

Row = tuple[int, int, bytes, bytes, int, str, bytes, bytes, bytes, bytes, bytes]
"""One game as the store keeps it: the columns of a block in their order, arrays as bytes."""


@dataclass(frozen=True)
class Block:
    """Some finished games."""

    numbers: np.ndarray  # i8[n]: of the games in their run
    seeds: np.ndarray  # i8[n]
    seats: np.ndarray  # u2[n, seats]: the number of the agent in each seat
    returns: np.ndarray  # f8[n, seats]
    lengths: np.ndarray  # i8[n]: how many actions
    outcomes: Sequence[str]  # n words, empty where the game has none
    decisions: np.ndarray  # u4[n, seats]
    seconds: np.ndarray  # f8[n, seats]
    actions: np.ndarray  # of all games, one after the other
    metrics: np.ndarray  # f4[rows, seats, metrics]: of all games, one after the other
    noted: np.ndarray  # i8[n]: how many rows of metrics
    late: np.ndarray  # u4[n, seats]: how often each seat overstepped its time

    def __len__(self) -> int:
        return len(self.numbers)

    def light(self) -> Block:
        """The same games without their actions, and with the metrics of their ends only."""
        last = np.cumsum(self.noted)[self.noted > 0] - 1
        noted = np.minimum(self.noted, 1)
        return replace(self, actions=self.actions[:0], metrics=self.metrics[last], noted=noted)

    def pick(self, games: np.ndarray) -> Block:
        """Some games of a light block, by a mask or by their places."""
        assert not len(self.actions)
        per_game = ("numbers", "seeds", "seats", "returns", "lengths", "decisions", "seconds", "noted", "late")
        return replace(
            self,
            **{name: getattr(self, name)[games] for name in per_game},
            outcomes=np.array(self.outcomes)[games].tolist(),
            metrics=self.metrics[games] if len(self.metrics) else self.metrics,
        )

    def rows(self) -> Iterable[Row]:
        """The games one by one, for the store."""
        return zip(
            self.numbers.tolist(),
            self.seeds.tolist(),
            cut(self.seats),
            cut(self.returns),
            self.lengths.tolist(),
            self.outcomes,
            cut(self.decisions),
            cut(self.seconds),
            cut(self.actions, self.lengths),
            cut(self.metrics, self.noted),
            cut(self.late),
            strict=True,
        )


def cut(table: np.ndarray, counts: np.ndarray | None = None) -> list[bytes]:
    """The rows of a table as bytes, so many at a time; one at a time without counts."""
    ends = np.arange(len(table) + 1) if counts is None else np.concatenate(([0], np.cumsum(counts)))
    width = table.itemsize * int(np.prod(table.shape[1:]))
    data = table.tobytes()
    return [data[begin:end] for begin, end in pairwise((ends * width).tolist())]


def action_type(game: Game) -> np.dtype:
    """The shortest integers that hold the game's action codes."""
    return np.min_scalar_type(game.module.ACTION_CODES - 1).newbyteorder("<")


def from_records(game: Game, numbers: np.ndarray, seats: np.ndarray, records: Sequence[GameRecord]) -> Block:
    """Records as a block."""
    metrics = [record.metrics for record in records if record.metrics is not None]
    return Block(
        numbers=numbers,
        seeds=np.array([record.seed for record in records], np.int64),
        seats=seats.astype(SEATS),
        returns=np.array([record.returns for record in records], RETURNS),
        lengths=np.array([len(record.actions) for record in records], np.int64),
        outcomes=[record.outcome for record in records],
        decisions=np.array([record.decisions for record in records], COUNTS),
        seconds=np.array([record.seconds for record in records], SECONDS),
        actions=np.concatenate([np.array(record.actions, action_type(game)) for record in records]),
        metrics=np.concatenate([no_metrics(game), *metrics]).astype(METRICS),
        noted=np.array([0 if record.metrics is None else len(record.metrics) for record in records], np.int64),
        late=np.array([record.late for record in records], COUNTS),
    )


def no_metrics(game: Game) -> np.ndarray:
    return np.zeros((0, game.players, len(game.metrics)), METRICS)


def from_rows(game: Game, rows: Sequence[Row]) -> Block:
    """What the store kept, as a block."""
    columns: Sequence[Any] = list(zip(*rows, strict=True)) or [()] * 11
    width = METRICS.itemsize * game.players * max(1, len(game.metrics))
    never = bytes(COUNTS.itemsize * game.players)  # in stores that have been written before there were clocks
    return Block(
        numbers=np.array(columns[0], np.int64),
        seeds=np.array(columns[1], np.int64),
        seats=joined(columns[2], SEATS, game.players),
        returns=joined(columns[3], RETURNS, game.players),
        lengths=np.array(columns[4], np.int64),
        outcomes=list(columns[5]),
        decisions=joined(columns[6], COUNTS, game.players),
        seconds=joined(columns[7], SECONDS, game.players),
        actions=np.frombuffer(b"".join(columns[8]), action_type(game)),
        metrics=np.frombuffer(b"".join(columns[9]), METRICS).reshape(-1, game.players, len(game.metrics))
        if game.metrics
        else no_metrics(game),
        noted=np.array([len(data) // width for data in columns[9]], np.int64),
        late=joined([data or never for data in columns[10]], COUNTS, game.players),
    )


def join(game: Game, blocks: Iterable[Block]) -> Block:
    """All games of some blocks, in the order of their numbers if these are light."""
    parts = [from_rows(game, []), *blocks]
    columns: dict[str, Any] = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Block)
    }
    whole = Block(**columns)
    in_order = bool((np.diff(whole.numbers) > 0).all())
    return whole if in_order else whole.pick(np.argsort(whole.numbers))


def joined(parts: Sequence[bytes], kind: np.dtype, width: int) -> np.ndarray:
    return np.frombuffer(b"".join(parts), kind).reshape(-1, width)


def record_of(block: Block) -> GameRecord:
    """The record of a block's only game."""
    return GameRecord(
        seed=int(block.seeds[0]),
        actions=block.actions.tolist(),
        returns=block.returns[0].tolist(),
        decisions=block.decisions[0].tolist(),
        seconds=block.seconds[0].tolist(),
        metrics=block.metrics.astype(float) if len(block.metrics) else None,
        outcome=block.outcomes[0],
        late=block.late[0].tolist(),
    )
