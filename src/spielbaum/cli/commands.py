"""All commands: one file each, with a function `command`.

Commands import the engine when they run and not before, so that `--help` answers at once.
"""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

import spielbaum
from spielbaum.cli import (
    agents,
    analyse,
    check,
    doctor,
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
    spe_ed,
    tournament,
    train,
    tune,
    verify,
    warm,
)
from spielbaum.cli.guard import guarded

PROGRAM = "spielbaum"
WIDE = 60  # columns that panels need

app = typer.Typer(
    help="Write the rules of a game once, in plain Python; get an opponent that thinks at native speed.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if shutil.get_terminal_size().columns >= WIDE else None,
)
COMMANDS = (
    *(games, agents, play, serve, analyse, exploit),
    *(match, tournament, tune, train, runs, show, replay, report, export, verify, reproduce),
    *(check, perft, warm, doctor),
)
for module in COMMANDS:
    app.command(module.__name__.rpartition(".")[2])(guarded(module.command))
app.add_typer(spe_ed.app, name="spe_ed", help="Play spe_ed over the network, and replay recorded games.")


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
