"""`spielbaum warm`: compile what people use of games, so that nobody waits for it later.

Each kernel is compiled by using it once, through the same doors as everybody else. Games and their
kernels are independent of each other, so that processes work on them side by side.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from spielbaum.cli.inputs import Games, Json
from spielbaum.cli.interrupt import in_order
from spielbaum.cli.output import print_json, print_table
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.game import Game

SHORT = {"mcts": "iterations=200", "ismcts": "iterations=200", "alphabeta": "depth=1", "minimax": "depth=1"}
KEEPING = "mcts:iterations=200,reuse=keep"
Task = tuple[str, str, str]
"""A game, a kernel, and the specification of an agent that uses it."""


def command(
    games: Games,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="LEVEL", help="Compile for a level of processors; needs --into."),
    ] = None,
    into: Annotated[
        pathlib.Path | None,
        typer.Option("--into", metavar="DIR", help="Write kernels to come with a package there; needs --target."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile what people use of games into the cache, or for others into a folder."""
    from spielbaum.cli.games import loadable
    from spielbaum.game import load

    if (target is None) != (into is None):
        raise SpielbaumError("--target LEVEL and --into DIR go together")
    level = None if target is None else a_level(target)
    begin = time.monotonic()
    chosen = {name: load(name) for name in games} or loadable()
    needs = {name: list(kernels_of(game).items()) for name, game in chosen.items()}
    most = max(len(kernels) for kernels in needs.values())
    tasks = [(name, *kernels[i]) for i in range(most) for name, kernels in needs.items() if i < len(kernels)]
    if level is None or into is None:
        results, size = compile_all(tasks), None
    else:
        results, size = compile_for(level, into / level, tasks)
    seconds = time.monotonic() - begin
    facts = [{name: result[name] for name in ("game", "kernel", "compiled", "seconds")} for result in results]
    if as_json:
        print_json({"kernels": facts, "seconds": seconds, **({} if size is None else {"bytes": size})})
        return
    rows = [(r["game"], r["kernel"], "compiled" if r["compiled"] else "ready", f"{r['seconds']:.1f}") for r in facts]
    print_table(("game", "kernel", "", "seconds"), rows, numbers=("seconds",))
    print(f"{seconds:.1f} s in all" + ("" if size is None else f"; {size / 1e6:.1f} MB in {into}"))


def a_level(name: str) -> str:
    """A level that this machine can compile for and try."""
    from spielbaum.compile.shipped import LEVELS, missing_features
    from spielbaum.errors import unknown

    if name not in LEVELS:
        raise unknown("level", name, LEVELS)
    if missing := missing_features(name):
        raise SpielbaumError(f"kernels for {name} are made on such a processor; this one lacks {', '.join(missing)}")
    return name


def compile_for(level: str, folder: pathlib.Path, tasks: Sequence[Task]) -> tuple[list[dict[str, Any]], int]:
    """Compile kernels for a level of processors and pack them into a folder; what became of each, and the bytes."""
    from spielbaum.compile.cache import CACHE_VARIABLE
    from spielbaum.compile.shipped import LEVELS, Shipped, pack

    if folder.exists():
        raise SpielbaumError(f"{folder} is there already; remove it, or choose another --into")
    kept = dict(os.environ)
    with tempfile.TemporaryDirectory() as cache:
        os.environ.pop("NUMBA_CACHE_DIR", None)
        os.environ |= {"NUMBA_CPU_NAME": LEVELS[level].cpu, "NUMBA_CPU_FEATURES": "", CACHE_VARIABLE: cache}
        try:
            results = compile_all(tasks)
        finally:
            os.environ.clear()
            os.environ |= kept
        used = {name: what for result in results for name, what in result["folders"].items()}
        searches = {content: title for result in results for content, title in result["searches"].items()}
        return results, pack(pathlib.Path(cache), used, searches, Shipped(folder, {}))


def kernels_of(game: Game) -> dict[str, str]:
    """The kernels that people use, with an agent that uses each of them; what they use first comes first."""
    from spielbaum.agents import agent_types, in_file, own_agents

    fitting = [kind.name for kind in agent_types(game)]
    own = [kind.name for kind in getattr(game.module, "AGENT_TYPES", ())]
    searches = [name for name in ("alphabeta", "minimax", "greedy") if name in fitting]
    kiosk = getattr(game.module, "KIOSK", {}).get("agents", ())
    named = [*own_agents(game), *in_file(game), *kiosk]
    found = searching(game, [*(["ismcts"] if game.hidden else []), "mcts", *named, *searches, *own])
    if can_play(game, KEEPING):
        found["mcts"] = KEEPING
    return {**found, "policies": "random", "batch": "random", **({} if game.chance or game.hidden else {"perft": ""})}


def searching(game: Game, agents: list[str]) -> dict[str, str]:
    """Short searches by those agents that need a kernel of their own, under the name of their kind.

    Each variant of tree search is a kernel: another one of the same kind has the name of the agent.
    """
    from spielbaum.agents import freeze_spec, make, resolve

    found, kernels = dict[str, str](), {*getattr(game.module, "POLICIES", ()), "random"}
    for name in agents:
        kind = resolve(name, game)[0].name
        spec = freeze_spec(f"{name}:{SHORT[kind]}" if kind in SHORT and ":" not in name else name, game)
        kernel = getattr(getattr(make(spec, game), "search", None), "variant", kind)
        if kernel not in kernels:
            kernels.add(kernel)
            found[name if kind in found else kind] = spec
    return found


def can_play(game: Game, spec: str) -> bool:
    from spielbaum.agents import make

    with contextlib.suppress(SpielbaumError):
        make(spec, game)
        return True
    return False


def compile_all(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Compile kernels side by side; what became of each task, in their order."""
    from spielbaum.worker_pool import WorkerDied, WorkerPool, WorkerProcess

    results: dict[Task, dict[str, Any]] = {}
    waiting = iter(tasks)
    with in_order(), WorkerPool(os.cpu_count() or 1, lambda: WorkerProcess(serve)) as pool:
        for worker, task, answer in pool.run(lambda: next(waiting, None), jobs=len(tasks)):
            if isinstance(answer, WorkerDied):
                name, kernel, _ = worker.jobs[0]
                raise SpielbaumError(f"the process that compiled {kernel} of {name} ended ({answer}); is memory short?")
            if isinstance(answer, SpielbaumError):
                raise answer
            results[task] = answer  # type: ignore[index]  # only a worker that died has none
    return [results[task] for task in tasks]


def serve(pipe: Connection) -> None:
    """What a worker process does."""
    from spielbaum.worker_pool import answer_jobs

    sys.stderr = WholeLines(sys.stderr)  # several processes write to it
    answer_jobs(pipe, compile_kernel)


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


def compile_kernel(task: Task) -> dict[str, Any]:
    """Use a kernel of a game once."""
    from spielbaum.agents.warm_up import warm
    from spielbaum.arena import match
    from spielbaum.compile.link import cache_counts, placed
    from spielbaum.game import load
    from spielbaum.search.perft import perft

    name, kernel, spec = task
    searches: dict[str, str] = {}
    begin, (_, before) = time.monotonic(), cache_counts()
    game = load(name)
    if kernel == "perft":
        perft(game.new(), 1)
    elif kernel == "batch":
        match(game, [spec] * game.players, games=1)
    else:
        target = warm(game, spec)[0]
        if target is not None:
            searches[target.content] = f"{target.game} {target.search}"
    return {
        "game": name,
        "kernel": kernel,
        "compiled": cache_counts()[1] - before,
        "seconds": time.monotonic() - begin,
        "folders": placed(),
        "searches": searches,
    }
