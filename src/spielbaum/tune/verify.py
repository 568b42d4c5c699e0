"""Whether a store is as it was written, what the tuner has added to it included."""

from __future__ import annotations

from collections.abc import Iterator

from spielbaum.arena import verify as arena
from spielbaum.arena.store import Store
from spielbaum.tune import records


def verify(store: Store, number: int | None = None, progress: arena.Progress = lambda games: None) -> Iterator[str]:
    """What is wrong with a run, or with all of a store, in lines; `progress` is told how many games were looked at."""
    yield from arena.verify(store, number, progress)
    if number is None:
        try:
            yield from records.damage(store)
        except arena.NONSENSE as error:
            yield f"the tuning runs can't be read: {error}"
