"""`spielbaum spe_ed …`: what only this game has, its recorded games and its play over the network."""

from __future__ import annotations

import types

import typer

from spielbaum.cli.spe_ed import train_neat

app = typer.Typer(no_args_is_help=True)
COMMANDS: tuple[types.ModuleType, ...] = ()
for module in COMMANDS:
    app.command(module.__name__.rpartition(".")[2])(module.command)
app.command("train-neat")(train_neat.command)
