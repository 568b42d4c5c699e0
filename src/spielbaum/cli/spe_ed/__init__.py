"""`spielbaum spe_ed …`: what only this game has, its recorded games and its play over the network."""

from __future__ import annotations

import types

import typer

from spielbaum.cli.guard import guarded
from spielbaum.cli.spe_ed import host, importing, join, train_neat, verify, watch

app = typer.Typer(no_args_is_help=True)
COMMANDS: tuple[types.ModuleType, ...] = (host, join, verify, watch)
for module in COMMANDS:
    app.command(module.__name__.rpartition(".")[2])(guarded(module.command))
app.command("import")(guarded(importing.command))  # which no module can be called
app.command("train-neat")(guarded(train_neat.command))
