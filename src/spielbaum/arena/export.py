"""A run as a table for other programs: one row per game, to CSV or Parquet (extra `parquet`)."""

from __future__ import annotations

import csv
import importlib
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from spielbaum.arena.game_batch import GameBatch
from spielbaum.arena.results import has_places, labels, places_of, points_of
from spielbaum.arena.run import Run, start
from spielbaum.arena.single import Forfeit
from spielbaum.arena.store import Store
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

Columns = dict[str, list[Any]]
Progress = Callable[[int], None]


def columns(run: Run, batch: GameBatch) -> Columns:
    """The games of a batch; a column per seat for what each seat has."""
    game, names = run.game, labels(run.plan.agents)
    table: Columns = {"run": [run.number] * len(batch), "game": batch.numbers.tolist(), "seed": batch.seeds.tolist()}
    points = points_of(batch.returns, game.teams[: game.players])
    places = places_of(batch.returns) if has_places(game) else None
    finals = batch.without_actions().metrics
    for seat, name in enumerate(game.seats):
        table[f"agent {name}"] = [names[agent] for agent in batch.seats[:, seat]]
        table[f"score {name}"] = points[:, seat].tolist()
        if places is not None:
            table[f"place {name}"] = places[:, seat].astype(int).tolist()
        table[f"return {name}"] = batch.returns[:, seat].tolist()
        table[f"decisions {name}"] = batch.decisions[:, seat].tolist()
        table[f"seconds {name}"] = batch.seconds[:, seat].tolist()
        if run.plan.control is not None:
            table[f"late {name}"] = batch.late[:, seat].tolist()
        for number, metric in enumerate(game.metrics):
            table[f"{metric} {name}"] = finals[:, seat, number].tolist()
    table["length"] = batch.lengths.tolist()
    table["outcome"] = batch.outcomes.tolist()
    table["forfeit"] = [forfeit_text(game, batch.forfeits.get(number)) for number in batch.numbers.tolist()]
    ends = batch.lengths.cumsum()
    table["actions"] = [
        " ".join(map(str, batch.actions[end - length : end].tolist()))
        for end, length in zip(ends, batch.lengths, strict=True)
    ]
    return table


def forfeit_text(game: Game, forfeit: Forfeit | None) -> str:
    return "" if forfeit is None else f"{game.seats[forfeit.seat]} {forfeit.reason}"


def tables(store: Store, number: int, progress: Progress) -> Iterator[Columns]:
    """A run, some games at a time; `progress` is told how many."""
    run = start(store.run(number).plan)
    run.number = number
    for batch in store.batches(number, run.game):
        yield columns(run, batch)
        progress(len(batch))


def to_csv(store: Store, number: int, file: TextIO, progress: Progress = lambda games: None) -> None:
    """Write a run as CSV with a header."""
    writer = csv.writer(file, lineterminator="\n")
    for at, table in enumerate(tables(store, number, progress)):
        if at == 0:
            writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


def to_parquet(store: Store, number: int, path: pathlib.Path, progress: Progress = lambda games: None) -> None:
    """Write a run as a Parquet file."""
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SpielbaumError("Parquet needs pyarrow; pip install 'spielbaum[parquet]', or export --csv") from None
    writer = None
    try:
        for table in tables(store, number, progress):
            batch = arrow.table(table)
            writer = writer or parquet.ParquetWriter(path, batch.schema)
            writer.write_table(batch)
    finally:
        if writer is not None:
            writer.close()
