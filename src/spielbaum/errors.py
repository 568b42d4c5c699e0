"""The errors that users see: one line that says what was wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SpielbaumError(Exception):
    """Anything that a user can put right; the command line prints it and exits with 2."""


class GameError(SpielbaumError):
    """A game breaks the protocol, or one of its rules does not compile or raises."""


class IllegalAction(SpielbaumError):
    """An action that is not legal in the position it was meant for."""


class Stopped(SpielbaumError):
    """Ctrl-C ended long work; the message says what is kept and how to go on. Exit code 130."""


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "") -> SpielbaumError:
    """The error for a name that nobody knows, with the nearest one that somebody does.

    >>> str(unknown("agent", "mtcs", ["random", "mcts"], "connect-four"))
    "unknown agent 'mtcs' for connect-four; did you mean 'mcts'?"
    """
    valid = list(valid)
    place = f" for {where}" if where else ""
    nearest = difflib.get_close_matches(name, valid, n=1, cutoff=0.5)
    if nearest:
        return SpielbaumError(f"unknown {kind} {name!r}{place}; did you mean {nearest[0]!r}?")
    choices = ", ".join(valid) if valid else "none"
    return SpielbaumError(f"unknown {kind} {name!r}{place}; valid: {choices}")
