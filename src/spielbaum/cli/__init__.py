"""The command line: one file per command, each with a function `command`.

Commands import the engine when they run and not before, so that `--help` answers at once. What a
user can put right is told in one line on standard error, with exit code 2; Ctrl-C ends with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import spielbaum
from spielbaum.cli import (
    agents,
    analyse,
    bench,
    check,
    exploit,
    export,
    games,
    match,
    perft,
    play,
    replay,
    report,
    reproduce,
    runs,
    serve,
    show,
    tournament,
    verify,
    warm,
)
from spielbaum.errors import SpielbaumError, Stopped

WRONG_INPUT, STOPPED = 2, 130

app = typer.Typer(
    help="Write the rules of a game once, in plain Python; get an opponent that thinks at native speed.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    *(games, agents, play, serve, analyse, exploit),
    *(match, tournament, runs, show, replay, report, export, verify, reproduce),
    *(check, perft, warm, bench),
)
for module in COMMANDS:
    app.command(module.__name__.rpartition(".")[2])(module.command)


@app.callback(invoke_without_command=True)
def spielbaum_itself(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,
) -> None:
    if version:
        print(f"spielbaum {spielbaum.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and answer its exit code; without arguments those of the process."""
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # processes that it starts do not take a random.py here for Python's
    try:
        code = app(args=arguments, prog_name="spielbaum", standalone_mode=False) or 0
    except Stopped as error:
        return complain(str(error), STOPPED)
    except SpielbaumError as error:
        return complain(str(error), WRONG_INPUT)
    except typer.TyperException as error:
        return complain(error.format_message(), WRONG_INPUT)
    return complain("stopped", STOPPED) if code == STOPPED else code


def complain(message: str, code: int) -> int:
    """One line on standard error."""
    print(" ".join(message.splitlines()), file=sys.stderr)
    return code
