"""A run as a table for other programs: one row per game, to CSV or Parquet (extra `parquet`)."""

from __future__ import annotations

import csv
import importlib
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from spielbaum.arena.block import Block
from spielbaum.arena.results import has_places, labels, places_of, points_of
from spielbaum.arena.run import Run, begin
from spielbaum.arena.single import Forfeit
from spielbaum.arena.store import Store
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

Columns = dict[str, list[Any]]
Progress = Callable[[int], None]


def columns(run: Run, block: Block) -> Columns:
    """The games of a block; a column per seat for what each seat has."""
    game, names = run.game, labels(run.plan.agents)
    table: Columns = {"run": [run.number] * len(block), "game": block.numbers.tolist(), "seed": block.seeds.tolist()}
    points = points_of(block.returns, game.teams[: game.players])
    places = places_of(block.returns) if has_places(game) else None
    finals = block.light().metrics
    for seat, name in enumerate(game.seats):
        table[f"agent {name}"] = [names[agent] for agent in block.seats[:, seat]]
        table[f"score {name}"] = points[:, seat].tolist()
        if places is not None:
            table[f"place {name}"] = places[:, seat].astype(int).tolist()
        table[f"return {name}"] = block.returns[:, seat].tolist()
        table[f"decisions {name}"] = block.decisions[:, seat].tolist()
        table[f"seconds {name}"] = block.seconds[:, seat].tolist()
        if run.plan.control is not None:
            table[f"late {name}"] = block.late[:, seat].tolist()
        for number, metric in enumerate(game.metrics):
            table[f"{metric} {name}"] = finals[:, seat, number].tolist()
    table["length"] = block.lengths.tolist()
    table["outcome"] = block.outcomes.tolist()
    table["forfeit"] = [told(game, block.forfeits.get(number)) for number in block.numbers.tolist()]
    ends = block.lengths.cumsum()
    table["actions"] = [
        " ".join(map(str, block.actions[end - length : end].tolist()))
        for end, length in zip(ends, block.lengths, strict=True)
    ]
    return table


def told(game: Game, forfeit: Forfeit | None) -> str:
    return "" if forfeit is None else f"{game.seats[forfeit.seat]} {forfeit.reason}"


def tables(store: Store, number: int, progress: Progress) -> Iterator[Columns]:
    """A run, some games at a time; `progress` is told how many."""
    run = begin(store.run(number).plan)
    run.number = number
    for block in store.blocks(number, run.game):
        yield columns(run, block)
        progress(len(block))


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
