"""`python -m benchmarks.compilations LOG`: where the time of compilations goes.

SPIELBAUM_COMPILE_LOG=log.jsonl make test       with an empty cache: SPIELBAUM_CACHE names another folder
python -m benchmarks.compilations log.jsonl     adds up by game, kernel, and the tests that asked first
"""

from __future__ import annotations

import collections
import pathlib
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from spielbaum.cli import main
from spielbaum.cli.guard import guarded
from spielbaum.compile.log import VARIABLE, Compilation
from spielbaum.errors import SpielbaumError
from spielbaum.foreign import lines, parse_json

ROWS = 25  # of each table
PROGRAM = "python -m benchmarks.compilations"


def command(
    file: Annotated[pathlib.Path, typer.Argument(metavar="LOG", help=f"A file that {VARIABLE} named.")],
) -> None:
    """Add up a log of compilations."""
    log = read_log(file)
    print(f"{len(log)} compilations, {sum(line['seconds'] for line in log):.0f} s of one processor")
    show("game", log, lambda line: line["game"])
    show("template and kernel", log, lambda line: f"{line['template']}.{line['kernel']}")
    show("game and template", log, lambda line: f"{line['game']} {line['template']}")
    show("file of the test that asked first", log, lambda line: line["test"].partition("::")[0])
    show("test that asked first", log, lambda line: line["test"])
    number = collections.Counter(map(identity, log))
    again = [line for line in log if number[identity(line)] > 1]
    show("compiled more than once", again, lambda line: f"{line['game']} {line['template']}.{line['kernel']}")


def read_log(file: pathlib.Path) -> list[Compilation]:
    """All lines of a log."""
    log = [parse_json(line, f"{file}, line {number}") for number, line in lines(file)]
    if not all(isinstance(line, dict) and line.keys() >= Compilation.__annotations__.keys() for line in log):
        raise SpielbaumError(f"{file} is no log of compilations; {VARIABLE}=FILE writes one")
    return log


def identity(line: Compilation) -> tuple[str, ...]:
    return line["game"], line["template"], line["kernel"], line["digest"]


def show(title: str, log: list[Compilation], key: Callable[[Compilation], str]) -> None:
    """A table of the lines with the same key: how many, how long, under how many digests; the longest first."""
    groups: dict[str, list[Compilation]] = collections.defaultdict(list)
    for line in log:
        groups[key(line)].append(line)
    seconds = {name: sum(line["seconds"] for line in lines) for name, lines in groups.items()}
    print(f"\n{'seconds':>8} {'number':>6} {'digests':>7}  {title}")
    for name in sorted(groups, key=lambda name: -seconds[name])[:ROWS]:
        digests = len({line["digest"] for line in groups[name]})
        print(f"{seconds[name]:8.1f} {len(groups[name]):6} {digests:7}  {name}")


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command()(guarded(command))

if __name__ == "__main__":
    sys.exit(main(commands="benchmarks.compilations"))
