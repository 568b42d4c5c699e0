"""`python -m benchmarks`: how fast it runs on this machine, beside its peers where they are installed."""

from __future__ import annotations

import fnmatch
import json
import sys
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.guard import guarded
from spielbaum.cli.inputs import Json
from spielbaum.cli.output import NOTHING, print_json, print_table
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from benchmarks import Result

FAILED = "failed"
PROGRAM = "python -m benchmarks"


def command(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME]...", help="Which; patterns such as 'mcts/*'.", default_factory=list, show_default=False
        ),
    ],
    list_only: Annotated[bool, typer.Option("--list", help="Only name the benchmarks.")] = False,
    as_json: Json = False,
) -> None:
    """Run benchmarks."""
    from benchmarks import BENCHMARKS

    chosen = choose(names, list(BENCHMARKS))
    if list_only:
        print_json(chosen) if as_json else print("\n".join(chosen))
        return
    results: list[dict[str, Any]] = []
    try:
        for name in chosen:
            results.append(measured(name, BENCHMARKS[name]))
            if as_json:
                print(f"{',' if len(results) > 1 else '['}\n{json.dumps(results[-1])}", end="", flush=True)
    finally:
        if as_json:
            print("\n]" if results else "[]")
        else:
            columns = ("benchmark", "value", "unit", "peer", "its value", "ratio")
            print_table(columns, [row(result) for result in results], numbers=("value", "its value", "ratio"))
    if any("error" in result for result in results):
        raise typer.Exit(1)


def measured(name: str, benchmark: Callable[[], Result]) -> dict[str, Any]:
    """The figure of a benchmark as data, told at once; one that fails is told with its place, and others go on."""
    print(f"{name} … ", end="", file=sys.stderr, flush=True)
    try:
        result = benchmark().as_dict()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
        why = str(error) if isinstance(error, SpielbaumError) else why
        print(f"{FAILED}: {why}", file=sys.stderr)
        return {"name": name, "error": why}
    print(f"{short(result['value'])} {result['unit']}", file=sys.stderr)
    return result


def choose(patterns: list[str], known: list[str]) -> list[str]:
    """The benchmarks that any of the patterns means, in their own order; all without a pattern."""
    from spielbaum.errors import unknown

    for pattern in patterns:
        if not fnmatch.filter(known, pattern):
            raise unknown("benchmark", pattern, known)
    return [name for name in known if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def row(result: dict[str, Any]) -> list[str]:
    if "error" in result:
        return [result["name"], FAILED, *[NOTHING] * 4]
    return [
        result["name"],
        short(result["value"]),
        result["unit"],
        result.get("peer") or NOTHING,
        short(result.get("peer_value")),
        short(result.get("ratio")),
    ]


def short(number: float | None) -> str:
    """Three digits that count: 1.23, 12.3, 123, 1,230."""
    if number is None:
        return NOTHING
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command()(guarded(command))
