"""`spielbaum reproduce`: play published experiments again, and set our figures beside theirs."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile, Workers
from spielbaum.cli.output import NOTHING, percent, print_json, print_table

if TYPE_CHECKING:
    from spielbaum.arena.run import Run
    from spielbaum.experiments import Cell

RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="An experiment, or the path of a TOML file.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("-n", "--games", min=1, help="Games of each cell.", show_default="as the file says")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only a look: a tenth of the games.")] = False,
    workers: Workers = "2",
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """Play an experiment and print ours beside theirs, or go on with it; without a name list them."""
    from spielbaum.arena import Store, play
    from spielbaum.cli.progress import progress_bar
    from spielbaum.experiments import load_experiment, names

    if name is None:
        print_json(names()) if as_json else print("\n".join(names()))
        return
    experiment = load_experiment(name, games, quick)
    rows = []
    with Store(store) as opened, progress_bar() as watch:
        for cell in experiment.cells:
            run = play(cell.plan, kind=name, workers=workers, store=opened, resume=True, watch=watch)
            rows.append(measured(cell, run))
    if as_json:
        print_json({"name": experiment.name, "title": experiment.title, "source": experiment.source, "cells": rows})
        return
    print(f"{experiment.title}\n{experiment.source}")
    for group in dict.fromkeys(row["group"] for row in rows):
        show(group, [row for row in rows if row["group"] == group], experiment.seat)
    print("run numbers: 'spielbaum report RUN…' draws them", file=sys.stderr)


def measured(cell: Cell, run: Run) -> dict[str, Any]:
    """Our figures for a cell, from the side that the table is about."""
    results = run.results
    games, seats = (results.seats == cell.seat).nonzero()
    points = results.points[games, seats]
    endings = Counter(
        f"{RESULTS[point]} {results.outcomes[game]}".strip() if results.outcomes else RESULTS[point]
        for game, point in zip(games.tolist(), points.tolist(), strict=True)
    )
    tally = results.agent_tally(cell.seat)
    return {
        "group": cell.group,
        "name": cell.name,
        "run": run.number,
        "games": tally.games,
        "score": tally.score,
        "interval": list(tally.interval),
        "endings": dict(sorted(endings.items(), reverse=True)),
        "length": float(results.lengths.mean()),
        "published": cell.published,
    }


def show(group: str, rows: list[dict[str, Any]], seat: str) -> None:
    """The cells of a group as a table."""
    endings = sorted({ending for row in rows for ending in row["endings"]}, reverse=True)
    columns = ("run", group or "cell", *endings, f"score of {seat}", "95 % interval", "plies", "published")
    table = [
        (
            str(row["run"]),
            row["name"],
            *(str(row["endings"].get(ending, 0)) for ending in endings),
            percent(row["score"]),
            "{} … {}".format(*map(percent, row["interval"])),
            f"{row['length']:.1f}",
            row["published"] or NOTHING,
        )
        for row in rows
    ]
    print_table(columns, table, numbers=("run", *columns[2:-1]))
