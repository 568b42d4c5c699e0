"""`spielbaum export`: a run as a table for other programs."""

from __future__ import annotations

import pathlib
import sys
from typing import Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, RunNumber, StoreFile
from spielbaum.cli.output import require_folder, writing
from spielbaum.cli.progress import adding
from spielbaum.errors import SpielbaumError


def command(
    run: RunNumber,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV, to standard output unless -o is given.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="As Parquet (extra 'parquet').")] = False,
    output: Annotated[
        pathlib.Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it.")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
) -> None:
    """Write all games of a run, one per row."""
    from spielbaum.arena import Store
    from spielbaum.arena.export import to_csv, to_parquet

    if csv == parquet:
        raise SpielbaumError("give one of --csv and --parquet")
    target = output or pathlib.Path(f"run-{run}.parquet")
    require_folder(target)
    with Store(store, create=False) as opened:
        stored = opened.run(run)
        if not stored.games:
            raise SpielbaumError(f"run {run} has no games yet")
        if csv and output is None:
            to_csv(opened, run, sys.stdout)
            return
        with writing(target), adding("games", stored.games) as progress:
            if parquet:
                to_parquet(opened, run, target, progress)
            else:
                with target.open("w", encoding="utf-8", newline="") as file:
                    to_csv(opened, run, file, progress)
    print(f"{stored.games} games written to {target}", file=sys.stderr)
