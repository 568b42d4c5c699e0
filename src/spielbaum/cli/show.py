"""`spielbaum show`: the result of a stored run."""

from __future__ import annotations

from spielbaum.cli.inputs import DEFAULT_STORE, Json, RunNumber, StoreFile
from spielbaum.cli.output import print_json


def command(run: RunNumber, store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> None:
    """Show what a run has come to."""
    from spielbaum.arena import Store, recall, summarize
    from spielbaum.cli.results import print_result

    with Store(store, create=False) as opened:
        recalled = recall(opened, run)
    data = summarize(recalled)
    print_json(data) if as_json else print_result(data, recalled.game.title)
