"""`spielbaum verify`: is a store as it was written, and are its games games?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile
from spielbaum.cli.output import print_json
from spielbaum.cli.progress import adding


def command(
    run: Annotated[int | None, typer.Argument(metavar="[RUN]", help="The number of a run.", show_default="all")] = None,
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> int:
    """Compare all checksums and play every stored game again; exit code 1 when something is damaged."""
    from spielbaum.arena import Store
    from spielbaum.tune import records
    from spielbaum.tune.verify import verify

    with Store(store, create=False) as opened:
        runs = opened.run_rows() if run is None else [opened.run_row(run)]
        tunings = len(records.numbers(opened)) if run is None else 0
        games = sum(row[8] for row in runs if isinstance(row[8], int))
        found = []
        with adding("games", games) as progress:
            for line in verify(opened, run, progress):
                found.append(line)
                if not as_json:
                    print(line)
    if as_json:
        print_json({"runs": len(runs), "games": games, "tunings": tunings, "damage": found})
    elif not found:
        counted = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        counted += f", {tunings} of the tuner" if tunings else ""
        print(f"{counted}, {games:,} games: all checksums are right, and every game can be played again")
    sys.stdout.flush()
    return int(bool(found))
