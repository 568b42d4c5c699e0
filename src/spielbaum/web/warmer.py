"""The process beside a server that compiles kernels: `python -m spielbaum.web.warmer GAME OPTIONS`.

It reads specifications of agents, each a line of JSON, uses each of them once, and answers in the same way: with the
digest of what is in the cache now, or what went wrong. It gives way to all other processes, and ends with its input.
"""

from __future__ import annotations

import json
import os
import sys

from spielbaum.game import Game, load
from spielbaum.warmth import warm
from spielbaum.web.searches import limited_agent

MEGABYTES = 32  # of memory for a search that is over at once
POLITENESS = 10  # as in `nice`


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
        need, _ = warm(game, spec, limited_agent(spec, game, 0, MEGABYTES).agent)
        return {"digest": need.digest if need else ""}
    except Exception as error:  # rules and agents are other people's code, which may raise anything
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
