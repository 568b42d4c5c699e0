"""`spielbaum runs`: what has been played."""

from __future__ import annotations

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile
from spielbaum.cli.output import print_json, print_table


def command(store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> None:
    """List the runs of a store."""
    from spielbaum.arena import Store

    with Store(store, create=False) as opened:
        runs = opened.runs()
    if as_json:
        fields = ("run", "created", "kind", "games", "rules", "version", "verdict")
        print_json([{name: getattr(run, name) for name in fields} | {"plan": run.plan.as_dict()} for run in runs])
        return
    rows = [
        (str(run.run), minute(run.created), run.kind, run.plan.game, ", ".join(run.plan.lineup), run.state)
        for run in runs
    ]
    print_table(("run", "begun (UTC)", "kind", "game", "agents", "games"), rows, numbers=("run",))


def minute(time: str) -> str:
    """An ISO time as people write it."""
    return time[:16].replace("T", " ")
