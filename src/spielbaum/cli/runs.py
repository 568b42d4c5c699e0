"""`spielbaum runs`: what has been played."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from spielbaum.cli.inputs import DEFAULT_STORE, Json, StoreFile
from spielbaum.cli.output import print_json, print_table

if TYPE_CHECKING:
    from spielbaum.arena.store import StoredRun


def command(store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> None:
    """List the runs of a store; the steps of a tuning run are one line."""
    from spielbaum.arena import Store

    with Store(store, create=False) as opened:
        runs = opened.runs()
    if as_json:
        fields = ("run", "created", "kind", "games", "rules", "version", "verdict")
        print_json([{name: getattr(run, name) for name in fields} | {"plan": run.plan.as_dict()} for run in runs])
        return
    rows = [row(list(together)) for _, together in itertools.groupby(runs, belongs_to)]
    print_table(("run", "begun (UTC)", "kind", "game", "agents", "games"), rows, numbers=("run",))


def belongs_to(run: StoredRun) -> str:
    """What a run is a part of: a step that of its tuning run, any other itself."""
    from spielbaum.tune.records import tuning_of

    return tuning_of(run.kind) or str(run.run)


def row(runs: list[StoredRun]) -> tuple[str, ...]:
    """A run, or the steps of a tuning run."""
    from spielbaum.tune.records import tuning_of

    first, last = runs[0], runs[-1]
    tuning = tuning_of(first.kind)
    numbers = str(first.run) if first is last else f"{first.run} … {last.run}"
    agents = ", ".join(first.plan.lineup) if tuning is None else f"of {len(runs)} steps"
    state = first.state if tuning is None else str(sum(run.games for run in runs))
    return numbers, minute(first.created), tuning or first.kind, first.plan.game, agents, state


def minute(time: str) -> str:
    """An ISO time as people write it."""
    return time[:16].replace("T", " ")
