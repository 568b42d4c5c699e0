"""`spielbaum spe_ed import`: recorded games into the arena's store, where they are shown, replayed and analysed."""

from __future__ import annotations

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile
from spielbaum.cli.output import print_json
from spielbaum.cli.spe_ed.verify import Games


def command(file: Games, store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> int:
    """Store recorded games that are over and go by the rules, each once; exit code 1 when one is left out."""
    from spielbaum.arena import Store
    from spielbaum.cli.streams import complain
    from spielbaum.errors import SpielbaumError
    from spielbaum.online.import_games import store_record
    from spielbaum.online.records import read

    runs: list[int] = []
    known, refused = 0, 0
    with Store(store) as opened:
        for record in read(file):
            try:
                run = store_record(opened, record)
            except SpielbaumError as error:
                complain(str(error), 1)
                refused += 1
                continue
            known += run is None
            runs += [] if run is None else [run]
    if as_json:
        print_json({"runs": runs, "known": known, "refused": refused})
    else:
        where = f" as runs {runs[0]} to {runs[-1]}" if runs else ""
        print(f"stored {len(runs)} games{where}, {known} were there already, {refused} left out")
    return int(refused > 0)
