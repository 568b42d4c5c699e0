"""The errors that users see: one line that says what was wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SpielbaumError(Exception):
    """Anything that a user can put right; the command line prints it and exits with 2."""


class GameError(SpielbaumError):
    """A game can't be loaded or breaks the protocol, or one of its rules does not compile or raises."""


class IllegalAction(SpielbaumError):
    """An action that is not legal in the position it was meant for."""


class Stopped(SpielbaumError):
    """Ctrl-C ended long work; the message says what is kept and how to go on. Exit code 130."""


def nearest(name: str, valid: Iterable[str], cutoff: float = 0.5) -> str:
    """A question that goes on a complaint about a name, where one that is valid looks much like it.

    >>> nearest("evalute", ["play", "evaluate"])
    "; did you mean 'evaluate'?"
    """
    found = difflib.get_close_matches(name, list(valid), n=1, cutoff=cutoff)
    return f"; did you mean {found[0]!r}?" if found else ""


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "") -> SpielbaumError:
    """The error for a name that nobody knows, with the nearest one that somebody does.

    >>> str(unknown("agent", "mtcs", ["random", "mcts"], "connect-four"))
    "unknown agent 'mtcs' for connect-four; did you mean 'mcts'?"
    """
    valid = list(valid)
    place = f" for {where}" if where else ""
    choices = ", ".join(valid) if valid else "none"
    return SpielbaumError(f"unknown {kind} {name!r}{place}{nearest(name, valid) or f'; valid: {choices}'}")
