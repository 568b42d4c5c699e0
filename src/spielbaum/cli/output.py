"""How commands answer: a table for people, or JSON on standard output alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spielbaum.params import Param, Value

NOTHING = "–"
WIDTH_OF_A_FILE = 120


def print_json(data: Any) -> None:
    """One JSON document."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """A table as wide as the terminal; the columns named in `numbers` are aligned to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
    Console(width=width, markup=False, highlight=False, emoji=False).print(table)


def print_params(params: Iterable[Param], values: dict[str, Value]) -> None:
    """Parameters with the values that they have unless set otherwise."""
    rows = [(param.name, written(values[param.name]), param.allowed(), param.help) for param in params]
    print_table(("parameter", "default", "allowed", "what it does"), rows)


def params_data(params: Iterable[Param], values: dict[str, Value]) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [
        {"name": param.name, "default": values[param.name], "allowed": param.allowed(), "help": param.help}
        for param in params
    ]


def written(value: Value) -> str:
    """A value as it would be written in a specification."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def percent(share: float) -> str:
    """`61.9 %`."""
    return f"{100 * share:.1f} %"
