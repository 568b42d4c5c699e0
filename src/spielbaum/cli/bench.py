"""`spielbaum bench`: how fast it runs on this machine, beside its peers where they are installed."""

from __future__ import annotations

import fnmatch
import sys
from typing import Annotated, Any

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import NOTHING, print_json, print_table


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
    from spielbaum.benchmarks import BENCHMARKS

    chosen = choose(names, list(BENCHMARKS))
    if list_only:
        print_json(chosen) if as_json else print("\n".join(chosen))
        return
    results = []
    for name in chosen:
        print(f"{name} …", file=sys.stderr)
        results.append(BENCHMARKS[name]().as_dict())
    if as_json:
        print_json(results)
    else:
        columns = ("benchmark", "value", "unit", "peer", "its value", "ratio")
        print_table(columns, [row(result) for result in results], numbers=("value", "its value", "ratio"))


def choose(patterns: list[str], known: list[str]) -> list[str]:
    """The benchmarks that any of the patterns means, in their own order; all without a pattern."""
    from spielbaum.errors import unknown

    for pattern in patterns:
        if not fnmatch.filter(known, pattern):
            raise unknown("benchmark", pattern, known)
    return [name for name in known if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def row(result: dict[str, Any]) -> list[str]:
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
