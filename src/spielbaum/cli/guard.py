"""What holds for every command: no number that no clock and no counter holds, and no control characters of others."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from spielbaum.errors import SpielbaumError
from spielbaum.terminal import harmless_streams

MOST = 10**9  # games, moves, or seconds, which are thirty years
LARGEST_SEED = 2**63 - 1  # that kernels and the store hold


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, for anybody to call."""

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        for name, value in given.items():
            require_possible(name, value)
        with harmless_streams():
            return command(**given)

    return run


def require_possible(name: str, value: Any) -> None:
    """Refuse numbers that are too large, infinite, or none."""
    most = LARGEST_SEED if name == "seed" else MOST
    if isinstance(value, int | float) and not -most <= value <= most:
        shown = name.replace("_", "-")
        raise SpielbaumError(f"{shown} {value:.10g} is not possible: it is a number up to {most:,}")
