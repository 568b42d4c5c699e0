"""How long tests wait: for all of what they wait for, and never for ever."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 600.0  # seconds; kernels may be compiled meanwhile, one after the other, on a busy machine


class Deadline:
    """The end of a wait for something that may take several steps."""

    def __init__(self, seconds: float = PATIENCE):
        self.seconds, self.end = seconds, time.monotonic() + seconds

    def left(self, what: object) -> float:
        """The seconds that are left for the next step; it fails where there are none."""
        left = self.end - time.monotonic()
        assert left > 0, f"after {self.seconds:g} s still waiting for {what}"
        return left


def wait_for(condition: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Wait until something is the case; what it is then."""
    deadline = Deadline(seconds)
    while not (found := condition()):
        deadline.left(inspect.getsource(condition).strip())
        time.sleep(0.01)
    return found
