"""A log of compilations, for those who look for where the time goes: what was compiled, for which search, how long.

    SPIELBAUM_COMPILE_LOG=FILE      every process adds a line of JSON for each kernel that it compiles
    python -m benchmarks.compilations FILE      adds them up

The seconds are those of the processor in the thread that compiled. Tests are named by the variable that pytest sets, so
that a line of a process that a test has started names the test, too.
"""

from __future__ import annotations

import functools
import json
import os
from typing import TypedDict

from spielbaum.compile.notices import say

VARIABLE = "SPIELBAUM_COMPILE_LOG"


class Compilation(TypedDict):
    """One kernel that was compiled for arguments of some types."""

    game: str
    template: str
    kernel: str
    digest: str
    variant: str
    seconds: float
    test: str


def log_compilation(game: str, template: str, kernel: str, digest: str, variant: object, seconds: float) -> None:
    """Add a line to the log, where somebody wants one."""
    file = os.environ.get(VARIABLE)
    if not file:
        return
    line = Compilation(
        game=game,
        template=template,
        kernel=kernel,
        digest=digest,
        variant=" ".join(getattr(variant, "components", ())),
        seconds=round(seconds, 4),
        test=os.environ.get("PYTEST_CURRENT_TEST", "").partition(" (")[0],
    )
    try:
        with open(file, "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
    except OSError as error:
        say_once(f"{file}, which {VARIABLE} names, can't be written: {error.strerror}; going on without\n")


@functools.cache
def say_once(text: str) -> None:
    say(text)
