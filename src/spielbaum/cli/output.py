"""How commands answer: a table for people, or JSON on standard output alone."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from spielbaum.cli.streams import PLAIN
from spielbaum.errors import SpielbaumError
from spielbaum.params import written
from spielbaum.terminal import ACTING, behind, harmless

if TYPE_CHECKING:
    from spielbaum.params import Param, Value

NOTHING = "–"
WIDTH_OF_A_FILE = 120
LONG_WORD = 16
GAP = "   "  # between two columns


def print_json(data: Any) -> None:
    """One JSON document."""
    text = json.dumps(data, indent=2, ensure_ascii=not encoding().startswith("utf"))
    print(ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """A table as wide as the terminal; the columns named in `numbers` are aligned to the right.

    Where the words of its columns do not fit beside each other, each row is a list.
    """
    head, *body = [[encodable(cell) for cell in row] for row in (columns, *rows)]
    width = shutil.get_terminal_size((WIDTH_OF_A_FILE, 0)).columns if sys.stdout.isatty() else width_of_a_file()
    if needed_width(head, body) > width:
        print_lists(head, body, width)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column, name in zip(columns, head, strict=True):
        table.add_column(name, justify="right" if column in numbers else "left", overflow="fold")
    for row in body:
        table.add_row(*row)
    Console(file=behind(sys.stdout), width=width, markup=False, highlight=False, emoji=False).print(table)


def print_lists(columns: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> None:
    """Each row as a list: what stands first in it, and indented below that the rest with the columns' names."""
    for first, *others in rows:
        lines = [first, *(f"  {name} {cell}" for name, cell in zip(columns[1:], others, strict=True) if cell)]
        for line in lines:
            print(textwrap.fill(line.replace("\n", "; "), width, subsequent_indent="    ", break_on_hyphens=False))
        print()


def needed_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How wide a table is whose words are not broken, except for very long ones."""
    words = [[word for row in (columns, *rows) for word in row[i].split()] for i in range(len(columns))]
    return sum(min(LONG_WORD, max(map(len, column), default=0)) + len(GAP) for column in words) - 1


def width_of_a_file() -> int:
    """How wide lines are where there is no terminal: as $COLUMNS says."""
    chosen = os.environ.get("COLUMNS", "")
    return int(chosen) if chosen.isdecimal() and 0 < int(chosen) < sys.maxsize else WIDTH_OF_A_FILE


def encoding() -> str:
    return (sys.stdout.encoding or "utf-8").lower()


def encodable(text: str) -> str:
    """The text as it will be written, so that columns are as wide as they look."""
    return harmless(text).encode(encoding(), PLAIN).decode(encoding())


def print_params(params: Iterable[Param], values: dict[str, Value]) -> None:
    """Parameters with the values that they have unless set otherwise."""
    rows = [(param.name, value_text(values[param.name]), param.allowed(), param.help) for param in params]
    print_table(("parameter", "default", "allowed", "what it does"), rows)


def params_data(params: Iterable[Param], values: dict[str, Value]) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [
        {"name": param.name, "default": values[param.name], "allowed": param.allowed(), "help": param.help}
        for param in params
    ]


def value_text(value: Value) -> str:
    """A value as it would be written in a specification, or a sign that there is none."""
    return NOTHING if value is None or value == "" else written(value)


def percent(share: float) -> str:
    """`61.9 %`."""
    return f"{100 * share:.1f} %"


def require_folder(path: pathlib.Path) -> None:
    """Refuse a file in a folder that is not there, before the work that it is to hold."""
    if not path.parent.is_dir():
        raise SpielbaumError(f"{path} can't be written: there is no folder {path.parent}; choose another place with -o")


@contextlib.contextmanager
def writing(path: pathlib.Path) -> Iterator[None]:
    """What keeps a file from being written, in one line."""
    try:
        yield
    except OSError as error:
        raise SpielbaumError(f"{path} can't be written: {error.strerror}; choose another place with -o") from None
