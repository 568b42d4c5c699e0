"""What a long run shows while it goes on: how far, how fast, how it stands, and how long it will take."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from spielbaum.cli.interrupt import in_order
from spielbaum.cli.output import percent
from spielbaum.errors import Stopped
from spielbaum.terminal import behind, harmless

if TYPE_CHECKING:
    from spielbaum.arena.run import Run, Watch


@contextlib.contextmanager
def progress_bar() -> Iterator[Watch]:
    """A bar on standard error, if that is a terminal; Ctrl-C is answered by how to go on."""
    latest: list[Run] = []
    with in_order(), bar() as show:

        def watch(run: Run) -> None:
            latest[:] = [run]
            show(run)

        try:
            yield watch
        except KeyboardInterrupt:
            done = f"{latest[0].games} of {latest[0].plan.total} games are stored; " if latest else ""
            raise Stopped(f"stopped; {done}the same command with --resume goes on") from None


@contextlib.contextmanager
def bar() -> Iterator[Watch]:
    """How far a run is, how fast, and how it stands."""
    with on_terminal("{task.fields[speed]}", "{task.fields[standing]}", speed="", standing="") as update:
        yield lambda run: update(
            total=run.plan.total,
            completed=run.games,
            speed=f"{run.games_per_second:,.1f} games/s",
            standing=standing(run),
        )


@contextlib.contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """How many there are so far."""
    with on_terminal(what, total=total) as update:
        yield lambda done: update(completed=done)


@contextlib.contextmanager
def adding(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """How many more there are each time."""
    with on_terminal(what, total=total) as update:
        yield lambda more: update(advance=more)


@contextlib.contextmanager
def stages() -> Iterator[Callable[[str, float], None]]:
    """What is going on, and how far all of it is, in per cent."""
    with on_terminal("% {task.description}", total=100) as update:
        yield lambda stage, share: update(description=stage, completed=round(100 * share))


@contextlib.contextmanager
def on_terminal(*texts: str, total: int | None = None, **fields: Any) -> Iterator[Callable[..., None]]:
    """A bar on standard error, if that is a terminal; what changes is told as keywords of rich's `update`."""
    if not sys.stderr.isatty():
        yield lambda **changes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    told = (TextColumn(text, markup=False) for text in texts)
    columns = (BarColumn(), MofNCompleteColumn(), *told, TimeRemainingColumn())
    console = Console(file=behind(sys.stderr), highlight=False, emoji=False)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task("", total=total, **fields)

        def update(**changes: Any) -> None:
            texts = {name: harmless(value) for name, value in changes.items() if isinstance(value, str)}
            progress.update(task, **changes | texts)

        yield update


def standing(run: Run) -> str:
    """The first agent's score with its interval, and the log-likelihood ratio of a sequential test."""
    from spielbaum.arena.stats import wilson

    low, high = wilson(run.score, run.games)
    text = f"{run.plan.agents[0]} {percent(run.score)} ({percent(low)} … {percent(high)})"
    if len(run.plan.groups) > 1 or not run.games:
        text = ""
    if run.sequential is not None:
        bottom, top = run.sequential.test.bounds
        text += f" LLR {run.sequential.llr:+.2f} ({bottom:.2f} … {top:.2f})"
    return text
