"""`spielbaum train`: a network that learns a game by playing against itself, or from examples."""

from __future__ import annotations

import os
import pathlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, Options, Seed, StoreFile, load_game
from spielbaum.cli.interrupt import in_order
from spielbaum.cli.output import print_json, print_table
from spielbaum.cli.progress import on_terminal
from spielbaum.errors import SpielbaumError, Stopped

if TYPE_CHECKING:
    from spielbaum.training.curves import Row

SHOWN = ("iteration", "positions", "policy_loss", "value_loss", "entropy", "score")


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, or the file of one.")],
    option: Options,
    output: Annotated[
        pathlib.Path | None, typer.Option("-o", "--output", metavar="FILE", help="The net, NAME.npz.")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="How long.")] = 90.0,
    size: Annotated[str, typer.Option("--size", metavar="N-N", help="Units of the layers.")] = "256-32",
    simulations: Annotated[int, typer.Option("--simulations", min=2, help="Of a full search.")] = 32,
    workers: Annotated[
        str, typer.Option("--workers", metavar="N|ray[:ADDRESS]", help="How many threads play, or a Ray cluster.")
    ] = str(os.cpu_count() or 1),
    runs: Annotated[
        list[int] | None, typer.Option("--from", metavar="RUN", help="Learn from a stored run; may be given again.")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option("--teacher", metavar="AGENT", help="Learn from an agent's games and scores.")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    seed: Seed = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the training of this file stopped.")] = False,
    shipped: Annotated[bool, typer.Option("--list", help="Show the nets that come with the game.")] = False,
    as_json: Json = False,
) -> None:
    """Train a network by self-play, or from examples."""
    played = load_game(game, option)
    if shipped:
        from spielbaum.networks import files

        sizes = {name: path.stat().st_size for name, path in files.shipped(played).items()}
        if as_json:
            print_json([{"name": name, "bytes": size} for name, size in sizes.items()])
        else:
            print_table(("net", "bytes"), [(name, f"{size:,}") for name, size in sizes.items()])
        return
    if output is None or output.suffix != ".npz":
        raise SpielbaumError("say where to write the net: -o NAME.npz")
    if not output.parent.is_dir():
        raise SpielbaumError(f"there is no folder {str(output.parent)!r} for {output.name}; create it")
    from spielbaum.arena.executors import number_of
    from spielbaum.training.examples import ExamplePlan, ExampleTraining
    from spielbaum.training.run import Training, TrainingPlan

    if runs and teacher:
        raise SpielbaumError("learn either from stored runs or from a teacher: give one of --from and --teacher")
    options: dict[str, Any] = dict(played.options)
    plan = TrainingPlan(played.name, options, size, seed, minutes, simulations)
    hands = workers if workers.startswith("ray") else number_of(workers)
    training: Training
    if runs or teacher:
        further = ExamplePlan(
            **asdict(plan), teacher=teacher or "", runs=tuple(runs or ()), store=store if runs else ""
        )
        training = ExampleTraining(played, further, output, hands, resume)
    else:
        training = Training(played, plan, output, hands, resume)
    with training, in_order(), on_terminal("{task.fields[told]}", total=round(60 * minutes), told="") as update:
        try:
            rows = training.run(lambda row, share: update(completed=round(60 * minutes * share), told=line(row)))
        except KeyboardInterrupt:
            done = f"{len(training.rows)} iterations are kept"
            raise Stopped(f"stopped; {done}; the same command with --resume goes on") from None
    if as_json:
        print_json(rows)
    else:
        print_table(SHOWN, [tuple(cell(row.get(name)) for name in SHOWN) for row in rows if "score" in row])
        print(f"{output}: {len(rows)} iterations, {sum(row['games'] for row in rows):,} games")


def line(row: Row) -> str:
    """An iteration in a few words."""
    return f"iteration {row['iteration']} policy {row['policy_loss']:.3f} value {row['value_loss']:.3f}"


def cell(value: Any) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
