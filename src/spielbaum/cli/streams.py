"""The streams of a command: they may be closed, full, a pipe that nobody reads, or know ASCII only."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
import unicodedata
from typing import TextIO

from spielbaum.cli.interrupt import said_enough
from spielbaum.text import cleaned

WRONG_INPUT, NOBODY_READS = 2, 1

UNWRITTEN = "writing failed"
PLAIN = "spielbaum-plain"
SIGNS = {
    "–": "-",
    "─": "-",
    "…": "...",
    "±": "+-",
    "≤": "<=",
    "●": "x",
    "○": "o",
    "█": "#",
    "░": ".",
    "∞": "inf",
    "µ": "u",
    "·": ".",
    "×": "x",
    "→": "->",
    "’": "'",
}


def open_streams() -> None:
    """Closed streams lead nowhere; those that can't write a sign write one that looks like it."""
    for name, mode, errors in (("stdin", "r", "replace"), ("stdout", "w", PLAIN), ("stderr", "w", PLAIN)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
            os.set_inheritable(getattr(sys, name).fileno(), True)
        getattr(sys, name).reconfigure(errors=errors)


def plain(error: UnicodeError) -> tuple[str, int]:
    """What looks like the signs that can't be encoded."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(like, error.object[error.start : error.end])), error.end


def like(sign: str) -> str:
    """One or more signs of ASCII.

    >>> like("…"), like("é"), like("☃")
    ('...', 'e', '?')
    """
    known = SIGNS.get(sign) or unicodedata.normalize("NFKD", sign)
    return known.encode("ascii", "ignore").decode() or "?"


codecs.register_error(PLAIN, plain)


def complain(message: str, code: int) -> int:
    """One line on standard error, where that can be written; what others have put into it commands no terminal."""
    said_enough()
    with contextlib.suppress(OSError):
        print(cleaned(message, "?"), file=sys.stderr, flush=True)
    return code


def finish(code: int) -> int:
    """Write what has not been written yet; the interpreter, which would try it again, finds nothing left to do."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = code or NOBODY_READS
    except OSError as error:
        code = code or complain(f"{UNWRITTEN}: {error.strerror}", WRONG_INPUT)
    said_enough()
    for stream in (sys.stdout, sys.stderr):
        lead_nowhere(stream)
    return code


def lead_nowhere(stream: TextIO) -> None:
    """Let a stream that can't be flushed write to nothing."""
    try:
        stream.flush()
    except (OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
