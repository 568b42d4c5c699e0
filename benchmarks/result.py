"""A measured figure and how to measure it fairly."""

from __future__ import annotations

import importlib
import statistics
import time
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ROUNDS = 3


@dataclass(frozen=True)
class Result:
    """One figure; with a peer also the peer's figure and ours divided by it."""

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the peer's figure ours is."""
        return self.value / self.peer_value if self.peer_value else None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the peer's fields only where one was measured."""
        fields: dict[str, Any] = {"name": self.name, "value": self.value, "unit": self.unit}
        if self.peer is not None:
            fields |= {"peer": self.peer, "peer_value": self.peer_value, "ratio": self.ratio}
        return fields


def open_spiel() -> types.ModuleType | None:
    """OpenSpiel's module, or None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def rate(work: Callable[[], float]) -> float:
    """How much work per second of processor time; `work` answers how much it did."""
    begin = time.process_time()
    done = work()
    return done / (time.process_time() - begin)


def medians(*measures: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The median of each measure; they take turns, so that a disturbance meets all of them."""
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*taken, strict=True)]
