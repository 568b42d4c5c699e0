"""What reaches a terminal: texts from files, records and nets may hold control characters, which would act there.

While a command runs, its streams write `?` for each of them. What has reason to move the cursor, such as a bar of
progress, writes to the stream `behind` them.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for the tabulator and the end of a line, and signs that change the direction of writing."""


def harmless(text: str) -> str:
    """A text that is only shown.

    >>> harmless("a\\x1b]0;name\\x07\\n")
    'a?]0;name?\\n'
    """
    return ACTING.sub("?", text)


class Harmless:
    """A stream that writes harmless texts only."""

    def __init__(self, behind: TextIO):
        self.behind = behind

    def write(self, text: str) -> int:
        """Write what is shown of a text."""
        return self.behind.write(harmless(text))

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


@contextlib.contextmanager
def harmless_streams() -> Iterator[None]:
    """Let standard output and standard error write harmless texts only."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (Harmless(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def behind(stream: TextIO) -> TextIO:
    """The stream itself, for who writes nothing of others."""
    return stream.behind if isinstance(stream, Harmless) else stream
