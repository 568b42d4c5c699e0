"""`spielbaum spe_ed train-neat`: breed nets that play spe_ed, with neat-python."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import percent, print_json, require_folder, writing
from spielbaum.errors import SpielbaumError, Stopped

if TYPE_CHECKING:
    from spielbaum.games.spe_ed.neat.evolve import Progress, Training

FRESH = 1000  # games in which the best net is measured at the end: none of those it was bred and chosen by
FRESH_GENERATION = 1 << 30


def command(
    output: Annotated[
        pathlib.Path, typer.Option("-o", "--output", metavar="FILE", help="Where the population is kept (JSON).")
    ],
    generations: Annotated[int, typer.Option("--generations", min=1, help="How many, in all.")] = 200,
    population: Annotated[
        int | None, typer.Option("--population", min=4, help="Nets of a generation.", show_default="60")
    ] = None,
    games: Annotated[
        int | None, typer.Option("-n", "--games", min=1, help="Games of each net and generation.", show_default="60")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Decides everything that chance decides.", show_default="0")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="An option of the game; repeatable.",
            show_default="players=4, width=40, height=40",
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the training that the file holds.")] = False,
    as_json: Json = False,
) -> None:
    """Breed nets for the agent 'neat', or go on with it: neat:net=FILE plays the best one."""
    from spielbaum.cli.interrupt import in_order
    from spielbaum.cli.progress import on_terminal
    from spielbaum.games.spe_ed.neat.evolve import Settings, train
    from spielbaum.games.spe_ed.neat.net import read
    from spielbaum.params import parse_assignments

    require_folder(output)
    given = {"population": population, "games": games, "seed": seed}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if option:
        chosen["options"] = parse_assignments(option)
    if resume and chosen and output.exists():
        raise SpielbaumError(
            f"{output} goes on as it began; leave out --{', --'.join(chosen).replace('options', 'option')}"
        )
    with in_order(), on_terminal("generations", "{task.fields[best]}", total=generations, best="") as update:

        def watch(progress: Progress) -> None:
            best = f"fitness {progress.fitness:.2f}, exam {progress.exam:.2f}, {progress.species} species"
            update(completed=progress.generation, best=best)

        try:
            with writing(output):
                training = train(output, generations, Settings(**chosen), resume=resume, watch=watch)
        except KeyboardInterrupt:
            kept = read(output)["generation"] if output.exists() else 0
            raise Stopped(f"stopped; {kept} of {generations} generations are kept; --resume goes on") from None
    data = training_facts(training, output)
    print_json(data) if as_json else print(sentence(data))


def training_facts(training: Training, output: pathlib.Path) -> dict[str, Any]:
    """How the best net does in games that it has never seen."""
    from spielbaum.games.spe_ed.neat.evolve import OPPONENTS, game_seeds

    assert training.best is not None
    seeds = game_seeds(training.settings.seed, FRESH_GENERATION, FRESH)
    marks = training.sparring.marks(training.best, seeds)
    return {
        "file": str(output),
        "generation": training.generation,
        "nodes": len(training.best["nodes"]),
        "links": sum(on for *_, on, _ in training.best["links"]),
        "games": FRESH,
        "opponents": list(OPPONENTS),
        "players": training.game.players,
        **marks._asdict(),
    }


def sentence(data: dict[str, Any]) -> str:
    return (
        f"{data['file']}: {data['generation']} generations; the best net has {data['links']} links and came in at place"
        f" {data['place']:.2f} of {data['players']} on average in {data['games']:,} new games against"
        f" {' and '.join(data['opponents'])}, after {data['rounds']:.0f} rounds;"
        f" {percent(data['dead_ends'])} of its deaths were in dead ends"
    )
