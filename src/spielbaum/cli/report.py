"""`spielbaum report`: runs, or tuning runs, as one HTML file, or their pictures for a paper."""

from __future__ import annotations

import pathlib
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, StoreFile
from spielbaum.cli.output import require_folder, writing
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.arena.results import Results
    from spielbaum.arena.store import Store

PICTURES = ("png", "svg")


def command(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...|STORE|NAME.training",
            help="The numbers of one or more runs; or a store, for its tuning runs; or the folder of a training.",
            default_factory=list,
            show_default=False,
        ),
    ],
    output: Annotated[
        pathlib.Path,
        typer.Option("-o", "--output", metavar="FILE|FOLDER", help="An HTML file; for pictures a folder."),
    ] = pathlib.Path("report.html"),
    pictures: Annotated[
        str | None, typer.Option("--pictures", metavar="png|svg", help="Write the pictures instead, one file each.")
    ] = None,
    tuning: Annotated[
        int | None, typer.Option("--tuning", metavar="NUMBER", help="One tuning run.", show_default="all of a store")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
) -> None:
    """Write a report that needs no network: tables, score over games, metrics per round, lengths, cross table.

    Of tuning runs: what was found and what a test says about it, and each parameter over the steps. Of the training of
    a network: its score against baselines, losses and entropy over time.
    """
    if pictures is not None and pictures not in PICTURES:
        raise SpielbaumError(f"pictures={pictures} is not possible: {' or '.join(PICTURES)}")
    if pictures is None:
        require_folder(output)
    stores = [each for each in runs if not each.isdecimal()]
    if tuning is None and not runs:
        raise SpielbaumError("give the numbers of runs, or a store with tuning runs; 'spielbaum runs' lists runs")
    if stores and len(runs) > 1:
        raise SpielbaumError(f"give numbers of runs, or one store for its tuning runs, not {' '.join(runs)}")
    if stores and stores[0].rstrip("/").endswith(".training"):
        report_training(pathlib.Path(stores[0]), output, pictures)
    elif stores or tuning is not None:
        report_tunings(stores[0] if stores else store, tuning, output, pictures)
    else:
        report_runs(store, list(map(int, runs)), output, pictures)


def report_training(folder: pathlib.Path, output: pathlib.Path, pictures: str | None) -> None:
    """Write what is known about the training of a network."""
    from spielbaum.training import curves
    from spielbaum.training.report import report, write_plots

    history = curves.read(folder)
    if pictures is None:
        with writing(output):
            output.write_text(report(history), "utf-8")
        print(output)
        return
    with writing(output):
        print(*write_plots(history, output.parent / output.stem / history.name, pictures), sep="\n")


def report_tunings(store: str, tuning: int | None, output: pathlib.Path, pictures: str | None) -> None:
    """Write what is known about tuning runs."""
    from spielbaum.tune import numbers, read_history
    from spielbaum.tune.plots import write_plots
    from spielbaum.tune.report import report

    chosen = numbers(store) if tuning is None else [tuning]
    if not chosen:
        raise SpielbaumError(f"store {store} has no tuning run; for runs give their numbers and --store {store}")
    found = [read_history(store, number) for number in chosen]
    if pictures is None:
        with writing(output):
            output.write_text(report(found), "utf-8")
        print(output)
        return
    folder = output.parent / output.stem
    for run in found:
        with writing(folder):
            files = write_plots(run, folder / f"tuning-{run.number}", pictures)
        print(*files, sep="\n")


def report_runs(store: str, runs: list[int], output: pathlib.Path, pictures: str | None) -> None:
    """Write what is known about runs of the arena."""
    from spielbaum.arena import Store
    from spielbaum.arena.plots import write_plots
    from spielbaum.arena.report import report

    with Store(store, create=False) as opened:
        results = readable(opened, runs)
    if pictures is None:
        with writing(output):
            output.write_text(report(list(results.values())), "utf-8")
        print(output)
        return
    folder = output.parent / output.stem
    for number, result in results.items():
        with writing(folder):
            files = write_plots(result, folder / f"run-{number}", pictures)
        print(*files, sep="\n")


def readable(store: Store, runs: list[int]) -> dict[int, Results]:
    """Stored runs; of several, those whose game can't be found any more are only told."""
    results, wrong = {}, list[SpielbaumError]()
    for run in runs:
        try:
            results[run] = results_of(store, run)
        except SpielbaumError as error:
            wrong.append(error)
    if not results:
        raise wrong[0]
    for reason in wrong:
        print(f"left out: {reason}", file=sys.stderr)
    return results


def results_of(store: Store, number: int) -> Results:
    """A stored run, with its metrics of every round."""
    from spielbaum.arena.results import gather

    stored = store.run(number)
    game = stored.plan.load()
    facts = [
        ("format", stored.kind),
        ("seed", str(stored.plan.seed)),
        *((name, str(value)) for name, value in stored.plan.options),
        ("begun", stored.created),
        ("rules", stored.rules),
    ]
    results = gather(stored.plan, game, store.batches(number, game, actions=False), facts)
    return replace(results, title=f"{game.title}, run {number}")
