"""The process beside a server that compiles kernels: `python -m spielbaum.web.warmer GAME OPTIONS`.

It reads specifications of agents, each a line of JSON, uses each of them once, and answers in the same way: with the
digest of what is in the cache now, or what went wrong. It gives way to all other processes, and ends with its input,
or when an agent neither compiles nor answers: its place in line is not for those who never do.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterator

from spielbaum.agents.warm_up import warm
from spielbaum.compile.link import preparing
from spielbaum.game import Game, load
from spielbaum.web.searches import limited_agent

MEGABYTES = 32  # of memory for a search that is over at once
POLITENESS = 10  # as in `nice`
BETWEEN_LOOKS, IDLE = 0.25, 5.0  # seconds, the latter without compiling


def main(source: str, options: str) -> None:
    """Warm what is asked for, until nothing more is."""
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    answers, sys.stdout = sys.stdout, sys.stderr  # where a game may print what it likes
    game = load(source, **json.loads(options))
    for line in sys.stdin:
        print(json.dumps(answer(game, json.loads(line))), file=answers, flush=True)


def answer(game: Game, spec: str) -> dict[str, str]:
    try:
        with ended_when_idle():
            need, _ = warm(game, spec, limited_agent(spec, game, 0, MEGABYTES).agent)
        return {"digest": need.digest if need else ""}
    except Exception as error:  # rules and agents are other people's code, which may raise anything
        return {"error": f"{type(error).__name__}: {error}"}


@contextlib.contextmanager
def ended_when_idle() -> Iterator[None]:
    """End the process where nothing is compiled for some time and there is still no answer."""
    done = threading.Event()

    def look() -> None:
        idle = 0.0
        while not done.wait(BETWEEN_LOOKS):
            idle = 0.0 if preparing() else idle + BETWEEN_LOOKS
            if idle > IDLE:
                os._exit(1)

    threading.Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        done.set()


if __name__ == "__main__":
    main(*sys.argv[1:])
