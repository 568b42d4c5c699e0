"""`spielbaum reproduce`: play published experiments again, and set our figures beside theirs."""

from __future__ import annotations

import math
import pathlib
import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile, Workers
from spielbaum.cli.output import NOTHING, percent, print_json, print_table
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.arena.results import Results
    from spielbaum.arena.run import Run
    from spielbaum.experiments import Cell, Experiment

ROUNDS = "rounds"  # the metric of games that count them

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
    output: Annotated[
        pathlib.Path | None, typer.Option("-o", "--output", metavar="FILE", help="Also write a report, an HTML file.")
    ] = None,
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
    if output is not None:
        write_report(output, experiment, rows)
    if as_json:
        print_json({"name": experiment.name, "title": experiment.title, "source": experiment.source, "cells": rows})
        return
    print(f"{experiment.title}\n{experiment.source}")
    for group in dict.fromkeys(row["group"] for row in rows):
        chosen = [row for row in rows if row["group"] == group]
        if experiment.table:
            show_table(group, chosen, experiment.seat)
        else:
            show(group, chosen, experiment.seat)
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
        "row": cell.row,
        "column": cell.column,
        "run": run.number,
        "games": tally.games,
        "score": tally.score,
        "interval": list(tally.interval),
        "endings": dict(sorted(endings.items(), reverse=True)),
        "length": float(results.lengths.mean()),
        "rounds": rounds_of(results, cell),
        "published": cell.published,
        "published_rounds": cell.rounds,
    }


def rounds_of(results: Results, cell: Cell) -> dict[str, list[float]]:
    """Mean and 95 % interval of the rounds of all games, of those won and of those lost, where the game counts them."""
    from spielbaum.arena.stats import Z95

    counted = results.final(ROUNDS)
    if counted is None:
        return {}
    points = results.points[:, cell.seat]
    told = {}
    for name, chosen in (("all", points >= 0), ("won", points == 1), ("lost", points == 0)):
        rounds = counted[cell.seat][chosen]
        if len(rounds) > 1:
            half = Z95 * float(rounds.std(ddof=1)) / math.sqrt(len(rounds))
            told[name] = [float(rounds.mean()), float(rounds.mean()) - half, float(rounds.mean()) + half]
    return told


def show_table(group: str, rows: list[dict[str, Any]], seat: str) -> None:
    """The cells of a group in rows and columns: wins, and rounds where the game counts them."""
    columns = list(dict.fromkeys(row["column"] for row in rows))
    for title, text in ((f"wins of {seat}", wins_text), ("rounds (all, won, lost)", rounds_text)):
        if text is rounds_text and not any(row["rounds"] for row in rows):
            continue
        cells = {(row["row"], row["column"]): text(row) for row in rows}
        lines = [(name, *(cells[name, column] for column in columns)) for name in dict.fromkeys(r["row"] for r in rows)]
        print(f"{group}: {title}")
        print_table(("", *columns), lines, numbers=columns)


def wins_text(row: dict[str, Any]) -> str:
    """Our share of wins with its interval, and theirs."""
    low, high = row["interval"]
    ours = f"{100 * row['score']:.2f} %\n{100 * low:.2f} … {100 * high:.2f}"
    return f"{ours}\npublished {row['published']}" if row["published"] else ours


def rounds_text(row: dict[str, Any]) -> str:
    """Our mean numbers of rounds with half their intervals, and theirs."""
    lines = [f"{name} {mean:.2f} ± {high - mean:.2f}" for name, (mean, _, high) in row["rounds"].items()]
    return "\n".join(lines + [f"published {row['published_rounds']}"] * bool(row["published_rounds"]))


def write_report(path: pathlib.Path, experiment: Experiment, rows: list[dict[str, Any]]) -> None:
    """The tables and bar charts of an experiment as one HTML file."""
    from spielbaum.arena.report import experiment_report

    try:
        path.write_text(experiment_report(experiment.title, experiment.source, rows), "utf-8")
    except OSError as error:
        raise SpielbaumError(f"{path} can't be written: {error.strerror}; choose another place with -o") from None


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
