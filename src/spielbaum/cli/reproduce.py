"""`spielbaum reproduce`: play published experiments again, and set our figures beside theirs."""

from __future__ import annotations

import contextlib
import datetime
import pathlib
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.extras import require
from spielbaum.cli.inputs import DEFAULT_STORE, Json, Workers
from spielbaum.cli.output import NOTHING, percent, print_json, print_table, require_folder, writing
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.arena.run import Run
    from spielbaum.experiments import Experiment, Field
    from spielbaum.experiments.study import Point, Study
    from spielbaum.experiments.summaries import Outcome
    from spielbaum.experiments.tuning import Evolution

PICTURES = (".png", ".svg", ".pdf")


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="An experiment, or the path of a TOML file.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("-n", "--games", min=1, help="Games of each cell, or searches.", show_default="as the file says"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only a look: a tenth of the games.")] = False,
    full: Annotated[bool, typer.Option("--full", help="As much as was published, where the file plays less.")] = False,
    group: Annotated[
        list[str] | None, typer.Option("--group", metavar="NAME", help="Only this group of cells; repeatable.")
    ] = None,
    row: Annotated[
        list[str] | None, typer.Option("--row", metavar="NAME", help="Only this row, or this player; repeatable.")
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the file, such as simulations; repeatable."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Another seed than that of the file.", show_default=False)
    ] = None,
    workers: Workers = "2",
    stores: Annotated[
        list[str] | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="The file that stores games; repeatable with --summary.",
            show_default=DEFAULT_STORE,
        ),
    ] = None,
    summary: Annotated[
        pathlib.Path | None,
        typer.Option(
            "--summary",
            metavar="FOLDER",
            help="Play nothing, but write what the stores hold of the experiment as a small file into this folder.",
        ),
    ] = None,
    output: Annotated[
        pathlib.Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Also write a report (HTML), or a study's picture (SVG, PNG)."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play an experiment and print ours beside theirs, or go on with it; without a name list them."""
    from spielbaum.cli.tuning import run_benchmark, run_evolution
    from spielbaum.experiments import is_study, load_experiment, names
    from spielbaum.experiments.files import has, renamed
    from spielbaum.experiments.tuning import load_evolution
    from spielbaum.params import parse_assignments

    files = stores or [DEFAULT_STORE]
    store = files[0]
    if output is not None:
        require_folder(output)
        require("report")  # before hours of games rather than after them
    if summary is not None and output is not None:
        raise SpielbaumError(
            "--summary and -o are two commands: a summary is made from stored games, a report beside them"
        )
    if summary is None and len(files) > 1:
        raise SpielbaumError("games are stored in one file: several --store are for --summary")
    if name is None:
        print_json(names()) if as_json else print("\n".join(names()))
        return
    if name in renamed() and name in names():
        print(f"note: what was called {name} before is {renamed()[name]} now", file=sys.stderr)
    given = parse_assignments(parameters or [])
    if is_study(name):
        if full or group or row or parameters:
            raise SpielbaumError(f"{name} studies positions; it takes --games, --quick and --seed, no other choice")
        run_study(name, games, quick, seed, output, summary, as_json)
    elif has(name, "mistakes"):
        if full or group or row or output:
            raise SpielbaumError(f"{name} counts mistakes; it takes --games, --quick, --seed and --set, no other")
        run_mistakes(name, games, quick, given, seed, summary, as_json)
    elif has(name, "surfaces"):
        if games or full or group or row or parameters:
            raise SpielbaumError(f"{name} plays nothing; it takes --quick, --seed and -o, no other choice")
        if output is not None and output.suffix not in PICTURES:
            raise SpielbaumError(f"{name} draws a picture: -o {output.with_suffix('.svg')}")
        run_benchmark(name, quick, seed, output, summary, as_json)
    elif has(name, "sizes"):
        if games or group or row:
            raise SpielbaumError(f"{name} is an evolution; --quick, --full, --seed and --set change it")
        if output is not None:
            raise SpielbaumError(f"{name} is a tuning run; leave -o out, its pictures are in the report of the run")
        evolution = load_evolution(name, quick, full, given, seed)
        if summary is None:
            run_evolution(evolution, workers, store, as_json)
        else:
            write_stored(evolution, files, summary, as_json)
    else:
        if output is not None and output.suffix in PICTURES:
            raise SpielbaumError(f"{name} is played; its report is HTML: -o {output.with_suffix('.html')}")
        experiment = load_experiment(name, games, quick, full, given, seed).only(group or [], row or [])
        if summary is None:
            run_matches(experiment, workers, store, output, as_json)
        else:
            write_stored(experiment, files, summary, as_json)


def write_stored(experiment: Experiment | Evolution, files: list[str], folder: pathlib.Path, as_json: bool) -> None:
    """Write the summary of what stores hold of an experiment."""
    from spielbaum.arena import Store
    from spielbaum.experiments import Experiment
    from spielbaum.experiments.summaries import of_evolution, of_matches

    with contextlib.ExitStack() as stack:
        stores = [stack.enter_context(Store(file, create=False)) for file in files]
        if isinstance(experiment, Experiment):
            found = list(of_matches(experiment, stores))
        else:
            found = list(of_evolution(experiment, stores))
    if not found:
        what = f"spielbaum reproduce {experiment.name} --store {files[0]}"
        raise SpielbaumError(f"no games of {experiment.name} in {', '.join(files)}; {what!r} plays it")
    write_summary(experiment.name, found, folder, as_json)


def write_summary(name: str, outcomes: Iterable[Outcome], folder: pathlib.Path, as_json: bool) -> None:
    """Write a summary, and tell where it is."""
    from spielbaum.experiments.summaries import Summary, write

    summary = Summary(name, tuple(outcomes))
    try:
        path = write(folder, summary)
    except OSError as error:
        raise SpielbaumError(f"{folder} can't be written to: {error.strerror or error}") from None
    games = sum(outcome.games for outcome in summary.outcomes)
    if as_json:
        print_json({"file": str(path), "cells": len(summary.outcomes), "games": games})
    else:
        print(f"{path}: {len(summary.outcomes)} cells, {games:,} games")


def today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def run_matches(experiment: Experiment, workers: str, store: str, output: pathlib.Path | None, as_json: bool) -> None:
    """Play what is missing of an experiment, and tell what came out."""
    from spielbaum.arena import Store, play
    from spielbaum.arena.executors import worker_pool
    from spielbaum.cli.progress import progress_bar
    from spielbaum.experiments.measured import measured
    from spielbaum.experiments.series import compared

    rows, runs = [], []
    with Store(store) as opened, progress_bar() as watch, worker_pool(workers) as players:
        for cell in experiment.cells:
            run = play(cell.plan, kind=experiment.name, workers=players, store=opened, resume=True, watch=watch)
            runs.append(run)
            if experiment.shape == "series":
                rows.append(compared(cell, run, experiment.reason(*cell.labels)))
            elif experiment.shape != "league":
                rows.append(measured(cell, run))
    if experiment.shape == "league":
        tell_league(experiment, runs, output, as_json)
        return
    if output is not None:
        with writing(output):
            output.write_text(matches_report(experiment, rows, runs), "utf-8")
    if as_json:
        told = {"name": experiment.name, "title": experiment.title, "source": experiment.source}
        print_json({**told, "openings": openings(experiment), "cells": rows})
        return
    print(f"{experiment.title}\n{experiment.source}\n{openings(experiment)}")
    if experiment.field:
        show_field(rows, experiment.field)
        return
    if experiment.shape == "series":
        show_series(rows)
        return
    for group in dict.fromkeys(row["group"] for row in rows):
        chosen = [row for row in rows if row["group"] == group]
        if experiment.shape == "table":
            show_table(group, chosen, experiment.seat)
        else:
            show(group, chosen, experiment.seat)
    print("run numbers: 'spielbaum report RUN…' draws them", file=sys.stderr)


def tell_league(experiment: Experiment, runs: list[Run], output: pathlib.Path | None, as_json: bool) -> None:
    """The summary of each tournament of a league."""
    from dataclasses import replace

    from spielbaum.arena import summarize
    from spielbaum.arena.report import report
    from spielbaum.cli.results import print_result

    titles = [cell.name for cell in experiment.cells]
    if output is not None:
        titled = [replace(run.results, title=title) for run, title in zip(runs, titles, strict=True)]
        with writing(output):
            output.write_text(report(titled), "utf-8")
    told = {"name": experiment.name, "title": experiment.title, "source": experiment.source}
    if as_json:
        groups = {title: summarize(run) for title, run in zip(titles, runs, strict=True)}
        print_json({**told, "openings": openings(experiment), "groups": groups})
        return
    print(f"{experiment.title}\n{experiment.source}\n{openings(experiment)}")
    for title, run in zip(titles, runs, strict=True):
        print_result(summarize(run), title)


def openings(experiment: Experiment) -> str:
    """What the games begin with."""
    moves = sorted({cell.plan.opening for cell in experiment.cells})
    if moves == [0]:
        return "games begin with the start of the rules"
    return f"games begin with {' or '.join(map(str, moves))} random moves that take nothing"


def run_study(
    name: str,
    searches: int | None,
    quick: bool,
    seed: int | None,
    output: pathlib.Path | None,
    summary: pathlib.Path | None,
    as_json: bool,
) -> None:
    """Measure how exploitable searches are, and tell what came out."""
    from spielbaum.experiments.study import load_study, measure
    from spielbaum.experiments.summaries import of_study

    study = load_study(name, searches, quick, seed)
    points = []
    for point in measure(study):
        print(f"{point.position}, {point.agent}, {point.iterations}: {point.exploitability:.4f}", file=sys.stderr)
        points.append(point)
    if summary is not None:
        write_summary(study.name, of_study(study, points, today()), summary, as_json)
        return
    if output is not None:
        with writing(output):
            output.write_bytes(study_file(study, points, output.suffix))
    if as_json:
        told = [point.as_dict() for point in points]
        print_json({"name": study.name, "title": study.title, "source": study.source, "points": told})
        return
    print(f"{study.title}\n{study.source}")
    for position in dict.fromkeys(point.position for point in points):
        show_position(position, [point for point in points if point.position == position])


def run_mistakes(
    name: str,
    count: int | None,
    quick: bool,
    given: dict[str, Any],
    seed: int | None,
    summary: pathlib.Path | None,
    as_json: bool,
) -> None:
    """Count the mistakes of agents in known positions, beside those of others."""
    from spielbaum.experiments.mistakes import load_trial, measure
    from spielbaum.experiments.summaries import of_mistakes

    trial = load_trial(name, count, quick, given, seed)
    shares = []
    for share in measure(trial):
        print(f"{share.agent}, {share.set}: {share.mistakes} of {share.positions}", file=sys.stderr)
        shares.append(share)
    if summary is not None:
        write_summary(trial.name, of_mistakes(trial, shares, today()), summary, as_json)
        return
    if as_json:
        told = {"name": trial.name, "title": trial.title, "source": trial.source, "agents": trial.agents}
        print_json({**told, "shares": [share.as_dict() for share in shares], "published": trial.published})
        return
    sets = list(dict.fromkeys(share.set for share in shares))
    ours = {(share.agent, share.set): f"{100 * share.mistakes / share.positions:.1f}" for share in shares}
    lines = [(trial.agents[agent], *(ours[agent, name] for name in sets)) for agent in trial.agents]
    lines += [
        (f"{who} (published)", *(str(theirs.get(name, NOTHING)) for name in sets))
        for who, theirs in trial.published.items()
    ]
    print(f"{trial.title}\n{trial.source}")
    counts = {share.set: share.positions for share in shares}
    print_table(("% mistakes", *sets), [("positions", *(str(counts[name]) for name in sets)), *lines], numbers=sets)


def show_position(position: str, points: list[Point]) -> None:
    """The exploitability of each agent after so many iterations."""
    columns = [f"{iterations:,}" for iterations in dict.fromkeys(point.iterations for point in points)]
    texts = {(point.agent, f"{point.iterations:,}"): mean_text(point) for point in points}
    lines = [(agent, *(texts[agent, column] for column in columns)) for agent in dict.fromkeys(p.agent for p in points)]
    print(f"{position}: value {points[0].value:.3f}; exploitability after so many iterations")
    print_table(("", *columns), lines, numbers=columns)


def mean_text(point: Point) -> str:
    """A mean with half its interval."""
    return f"{point.exploitability:.4f} ± {point.high - point.exploitability:.4f}"


def study_file(study: Study, points: list[Point], suffix: str) -> bytes:
    """A study as a picture, or as an HTML file."""
    from spielbaum.arena.plots import rendered, study_figure
    from spielbaum.experiments.report import study_report

    if suffix in PICTURES:
        return rendered(study_figure(points), suffix.removeprefix("."))
    return study_report(study.title, study.source, points).encode()


def matches_report(experiment: Experiment, rows: list[dict[str, Any]], runs: list[Run]) -> str:
    """The tables and bar charts of an experiment as one HTML file."""
    from spielbaum.experiments.field import means, pairs
    from spielbaum.experiments.report import experiment_report, field_report, series_report

    if experiment.shape == "series":
        return series_report(experiment.title, experiment.source, rows, [run.results for run in runs])
    if experiment.field is None:
        return experiment_report(experiment.title, experiment.source, rows)
    field = experiment.field
    return field_report(experiment.title, experiment.source, pairs(rows, field), means(rows, field))


def show_series(rows: list[dict[str, Any]]) -> None:
    """Variants beside their bases, and how our signs compare with those that were published."""
    tests = ("t (Welch)", "p", "t (paired)", "t by seats", "published t")
    columns = ("run", "series", "games", "base", "variant", "ratio", *tests)
    table = [
        (
            str(row["run"]),
            row["name"],
            str(row["games"]),
            *(f"{mean:.0f}" for mean in row["means"]),
            number_text(row["ratio"]),
            *(number_text(row["welch"][name]) for name in ("t", "p")),
            number_text(row["paired"]["t"]),
            number_text((row["by_seat"] or {}).get("t")),
            row["published"] or NOTHING,
        )
        for row in rows
    ]
    print_table(columns, table, numbers=("run", *columns[2:]))
    for row in rows:
        if row["verdict"]:
            print(f"{row['name']}: {row['verdict']}")


def number_text(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.2f}"


def show_field(rows: list[dict[str, Any]], field: Field) -> None:
    """Everybody against everybody, and the means."""
    from spielbaum.experiments.field import columns_of, means, pairs

    for title, cells in (
        ("score of row against column, all groups together; below it the published one", pairs(rows, field)),
        ("mean score against all others; below it the published one", means(rows, field)),
    ):
        columns = columns_of(cells)
        texts = {(cell["row"], cell["column"]): field_text(cell) for cell in cells}
        names = dict.fromkeys(cell["row"] for cell in cells)
        if texts:
            print(title)
            lines = [(name, *(texts.get((name, column), NOTHING) for column in columns)) for name in names]
            print_table(("", *columns), lines, numbers=columns)


def field_text(cell: dict[str, Any]) -> str:
    """Our score with half its interval in per cent, and theirs."""
    low, high = cell["interval"]
    return f"{100 * cell['score']:.0f} ± {50 * (high - low):.0f}\n{cell['published'] or NOTHING}"


def show_table(group: str, rows: list[dict[str, Any]], seat: str) -> None:
    """The cells of a group in rows and columns: wins, rounds if the game counts them, times if some were published."""
    columns = list(dict.fromkeys(row["column"] for row in rows))
    figures = [("score", f"wins of {seat}", wins_text), ("rounds", "rounds (all, won, lost)", rounds_text)]
    for figure, title, text in (*figures, ("published_seconds", "seconds", seconds_text)):
        if figure != "score" and not any(row[figure] for row in rows):
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
    theirs = [f"published {name} {rounds}" for name, rounds in row["published_rounds"].items() if rounds]
    return "\n".join(lines + theirs)


def seconds_text(row: dict[str, Any]) -> str:
    """How long so many games and a move took here, and there."""
    ours = [f"{name} {seconds:.3g}" for name, seconds in row["seconds"].items()]
    theirs = [f"published {name} {seconds}" for name, seconds in row["published_seconds"].items() if seconds]
    return "\n".join(ours + theirs)


def show(group: str, rows: list[dict[str, Any]], seat: str) -> None:
    """The cells of a group as a table."""
    endings = sorted({ending for row in rows for ending in row["endings"]}, reverse=True)
    places = ("place", "published place") if any(row["place"] for row in rows) else ()
    columns = ("run", group or "cell", *endings, f"score of {seat}", "95 % interval", "plies", "published", *places)
    table = [
        (
            str(row["run"]),
            row["name"],
            *(str(row["endings"].get(ending, 0)) for ending in endings),
            percent(row["score"]),
            "{} … {}".format(*map(percent, row["interval"])),
            f"{row['length']:.1f}",
            row["published"] or NOTHING,
            *((place_text(row), row["published_place"] or NOTHING) if places else ()),
        )
        for row in rows
    ]
    print_table(columns, table, numbers=("run", *(column for column in columns[2:] if "published" not in column)))


def place_text(row: dict[str, Any]) -> str:
    """Our mean place with half its interval."""
    mean, _, high = row["place"]
    return f"{mean:.2f}" if high is None else f"{mean:.2f} ± {high - mean:.2f}"
