"""`spielbaum warm`: compile what people use of games, so that nobody waits for it later.

Each kernel is compiled by using it once, through the same doors as everybody else. Games and their
kernels are independent of each other, so that processes work on them side by side.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.interrupt import in_order
from spielbaum.cli.output import print_json, print_table

if TYPE_CHECKING:
    from spielbaum.game import Game

SHORT = {"mcts": "iterations=200", "ismcts": "iterations=200", "alphabeta": "depth=1", "minimax": "depth=1"}
KEEPING = "mcts:iterations=200,reuse=keep"


def command(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME]...",
            help="Names or paths; all built-in games if none.",
            default_factory=list,
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Compile what people use of games into the cache."""
    from spielbaum.game import load, names
    from spielbaum.notice import unheard_interrupts

    begin = time.monotonic()
    needs = {name: list(kernels_of(load(name)).items()) for name in games or names()}
    most = max(len(kernels) for kernels in needs.values())
    tasks = [(name, *kernels[i]) for i in range(most) for name, kernels in needs.items() if i < len(kernels)]
    with workers(min(os.cpu_count() or 1, len(tasks))) as pool:
        with unheard_interrupts():  # the processes start when they get something to do
            answers = pool.map(compile_kernel, tasks)
        results = list(answers)
    seconds = time.monotonic() - begin
    if as_json:
        print_json({"kernels": results, "seconds": seconds})
        return
    rows = [(r["game"], r["kernel"], "compiled" if r["compiled"] else "ready", f"{r['seconds']:.1f}") for r in results]
    print_table(("game", "kernel", "", "seconds"), rows, numbers=("seconds",))
    print(f"{seconds:.1f} s in all")


def kernels_of(game: Game) -> dict[str, str]:
    """The kernels that people use, with an agent that uses each of them; what they use first comes first."""
    from spielbaum.agents import in_file, kinds, own_agents

    fitting = [kind.name for kind in kinds(game)]
    own = [kind.name for kind in getattr(game.module, "KINDS", ())]
    searches = [name for name in ("alphabeta", "minimax", "greedy") if name in fitting]
    named = [*own_agents(game), *in_file(game)]
    found = searching(game, [*(["ismcts"] if game.hidden else []), "mcts", *named, *searches, *own])
    if can_play(game, KEEPING):
        found["mcts"] = KEEPING
    return {**found, "policies": "random", "batch": "random", **({} if game.chance or game.hidden else {"perft": ""})}


def searching(game: Game, agents: list[str]) -> dict[str, str]:
    """Short searches by those agents that need a kernel of their own, under the name of their kind.

    Each structure of tree search is a kernel: another one of the same kind has the name of the agent.
    """
    from spielbaum.agents import make, pin, resolve

    found, kernels = dict[str, str](), {*getattr(game.module, "POLICIES", ()), "random"}
    for name in agents:
        kind = resolve(name, game)[0].name
        spec = pin(f"{name}:{SHORT[kind]}" if kind in SHORT else name, game)
        kernel = getattr(getattr(make(spec, game), "search", None), "structure", kind)
        if kernel not in kernels:
            kernels.add(kernel)
            found[name if kind in found else kind] = spec
    return found


def can_play(game: Game, spec: str) -> bool:
    from spielbaum.agents import make
    from spielbaum.errors import SpielbaumError

    with contextlib.suppress(SpielbaumError):
        make(spec, game)
        return True
    return False


@contextlib.contextmanager
def workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that do not outlive a failure or Ctrl-C."""
    pool = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), settle_in)
    with in_order():
        try:
            yield pool
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def settle_in() -> None:
    """What a worker does first: leave Ctrl-C to its parent, which ends it, and write whole lines."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = WholeLines(sys.stderr)


class WholeLines:
    """A stream that passes on whole lines only, because several processes write to it."""

    def __init__(self, stream: TextIO):
        self.stream, self.line = stream, ""

    def write(self, text: str) -> None:
        self.line += text
        if text.endswith("\n"):
            self.stream.write(self.line)
            self.stream.flush()
            self.line = ""

    def flush(self) -> None:
        """Nothing: a part of a line waits for its end."""


def compile_kernel(task: tuple[str, str, str]) -> dict[str, Any]:
    """Use a kernel of a game once."""
    from spielbaum.arena import match
    from spielbaum.game import load
    from spielbaum.link import cache_counts
    from spielbaum.search.perft import perft
    from spielbaum.warmth import warm

    name, kernel, spec = task
    begin, (_, before) = time.monotonic(), cache_counts()
    game = load(name)
    if kernel == "perft":
        perft(game.new(), 1)
    elif kernel == "batch":
        match(game, [spec] * game.players, games=1)
    else:
        warm(game, spec)
    compiled = cache_counts()[1] - before
    return {"game": name, "kernel": kernel, "compiled": compiled, "seconds": time.monotonic() - begin}
