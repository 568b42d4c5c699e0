"""How long a search may go on: iterations, seconds, a deadline, or until somebody stops it.

A search runs in short compiled slices, between which it can be stopped, watched and streamed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SLICE = 0.03  # seconds between two looks at the clock
NEVER = float("inf")
ENDLESS = 1 << 62


@dataclass(frozen=True)
class Budget:
    """The limits of one decision; the first one that is reached ends the search.

    `deadline` is a time of `time.monotonic()`. Two are asked between slices: `stop` is a limit, so that a search
    which has no other goes on until it says so; `interrupt` is none, and without other limits a search takes its
    ordinary ones.
    """

    iterations: int | None = None
    seconds: float | None = None
    deadline: float | None = None
    stop: Callable[[], bool] | None = None
    interrupt: Callable[[], bool] | None = None

    def end(self) -> float:
        """The time of `time.monotonic()` at which to answer."""
        limits = [NEVER]
        if self.seconds is not None:
            limits.append(time.monotonic() + self.seconds)
        if self.deadline is not None:
            limits.append(self.deadline)
        return min(limits)

    def stopped(self) -> bool:
        return any(ask is not None and ask() for ask in (self.stop, self.interrupt))


def slices(run: Callable[[int], int], budget: Budget, end: float, watch: Callable[[], None] | None = None) -> int:
    """Call `run(n)`, which answers how many it did, until the budget is used up; at least once.

    A run that did fewer than it was asked for is finished. The size of a slice adapts to the pace;
    the results do not depend on it.
    """
    total = budget.iterations if budget.iterations is not None else ENDLESS
    done, size = 0, 1  # a single one may take long
    while done < total:
        begin, asked = time.monotonic(), min(size, total - done)
        did = run(asked)
        done += did
        now = time.monotonic()
        if watch is not None:
            watch()
        if did < asked or now >= end or budget.stopped():
            break
        left = min(SLICE, max(end - now, 0.001))
        size = max(1, min(4 * size, int(size * left / max(now - begin, 1e-6))))
    return done
