"""`spielbaum tune`: let the machine find an agent's parameters, and say honestly what it found."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, GameName, Json, Options, Resume, Seed, StoreFile, Workers, load_game
from spielbaum.cli.output import NOTHING, percent, print_json, print_table, value_text
from spielbaum.errors import SpielbaumError, Stopped

if TYPE_CHECKING:
    from spielbaum.tune.job import Job
    from spielbaum.tune.run import Outcome, Progress, Watch


def command(
    game: GameName,
    option: Options,
    agent: Annotated[
        list[str],
        typer.Option("--agent", metavar="AGENT", help="The agent to tune; several are species of an evolution."),
    ],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="NAME[=LOW..HIGH[,log]|=ONE|OTHER]",
            help="A parameter to vary, or a pattern such as 'weight.*'; repeatable.",
            show_default="all that declares what is worth trying",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="AGENT",
            help="A fixed opponent; repeatable.",
            show_default="the agent as given, or each other",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="evolution|ntbea|spsa|optuna", help="How to search.")
    ] = "ntbea",
    games: Annotated[
        int | None,
        typer.Option(
            "-n", "--games", min=2, help="Games of the search.", show_default="2000; evolution as in the thesis"
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0.01, help="Instead of --games: the time of search and test together."),
    ] = None,
    test: Annotated[
        int | None,
        typer.Option(
            "--test", min=0, metavar="GAMES", help="Games of the test at the end, at most.", show_default="a quarter"
        ),
    ] = None,
    maximise: Annotated[
        str | None,
        typer.Option(
            "--maximise",
            metavar="wins|result|points",
            help="What the search maximises; the test counts wins.",
            show_default="wins; points in an evolution among each other",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the method, such as population=12; repeatable."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="The seats of the tuned agent, where the sides differ.")
    ] = None,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening",
            min=0,
            help="Random moves at the start; the games of a pair share them.",
            show_default="4 where games would begin alike",
        ),
    ] = None,
    seed: Seed = 0,
    workers: Workers = "1",
    store: StoreFile = DEFAULT_STORE,
    resume: Resume = False,
    apply: Annotated[
        str | None,
        typer.Option(
            "--apply",
            metavar="NAME",
            help="Write the tuned agent to spielbaum.toml by this name, if the test finds it stronger.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tune an agent: search its parameters, then test the result against the agent as given with fresh seeds."""
    from spielbaum.agents.named import require_free
    from spielbaum.params import parse_assignments
    from spielbaum.tune.job import cost, games_in, prepare, seconds_per_game
    from spielbaum.tune.run import as_dict, tune

    if games is not None and minutes is not None:
        raise SpielbaumError("give either --games or --minutes, not both")
    played = load_game(game, option)
    if apply is not None:
        require_free(apply, played)  # not only when all games have been played
        importlib.import_module("tomlkit")  # which writes it then

    def job_of(games: int | None, test: int | None) -> Job:
        return prepare(
            played,
            agent,
            vary=vary or (),
            against=against or (),
            name=method,
            games=games,
            seed=seed,
            seat=seat or "",
            opening=opening,
            test_games=test,
            options=parse_assignments(settings or ()),
            maximise=maximise,
        )

    job = job_of(games, test)
    begun = None
    if minutes is not None:
        begun = stored_games(store, job) if resume else None
        job = job_of(*(begun or games_in(minutes, seconds_per_game(job), workers)))
    expected = None if begun else cost(job, workers)
    if expected is not None:
        print(announcement(job, expected), file=sys.stderr)
    with progress() as watch:
        outcome = tune(job, workers=workers, store=store, resume=resume, watch=watch)
    if apply is not None:
        adopt(apply, job, outcome)
    if as_json:
        print_json({**as_dict(outcome), "maximises": job.fitness, "expected": expected})
    else:
        show(job, outcome)


def stored_games(store: str, job: Job) -> tuple[int, int] | None:
    """How many games and games of a test the newest run of this job had: its minutes were measured at another time."""
    import pathlib

    from spielbaum.arena import Store
    from spielbaum.tune.run import stored

    if not pathlib.Path(store).exists():
        return None
    with Store(store, create=False) as opened:
        found = stored(opened, job)
    return None if found is None else (found.settings["games"], found.settings["test_games"])


def announcement(job: Job, expected: dict[str, float]) -> str:
    """What is maximised, what it will take, and what that is enough for."""
    from spielbaum.tune.job import FITNESS

    return (
        f"maximises {FITNESS[job.fitness]}; "
        f"{expected['games']:,} games, then at most {expected['test_games']:,} of a test: about"
        f" {duration(expected['seconds'])} ({1000 * expected['seconds_per_game']:.1f} ms a game); so many games between"
        f" two agents tell {expected['detectable_elo']:.0f} Elo apart,"
        f" those of the test {expected['test_detectable_elo']:.0f}"
    )


def duration(seconds: float) -> str:
    """
    >>> duration(75), duration(7500)
    ('1 min 15 s', '2 h 5 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


@contextlib.contextmanager
def progress() -> Iterator[Watch]:
    """A bar on standard error, if that is a terminal; Ctrl-C is answered by how to go on."""
    from spielbaum.cli.interrupt import in_order
    from spielbaum.cli.progress import on_terminal

    latest: list[Progress] = []
    with in_order(), on_terminal("{task.fields[speed]}", "{task.fields[standing]}", speed="", standing="") as update:

        def watch(now: Progress) -> None:
            latest[:] = [now]
            phase = "test of" if now.testing else f"step {now.step + 1} of {now.steps}:"
            update(
                total=now.planned,
                completed=now.games,
                speed=f"{now.played / max(now.seconds, 1e-9):,.1f} games/s",
                standing=f"{phase} {now.best}",
            )

        try:
            yield watch
        except KeyboardInterrupt:
            done = f"{latest[0].games} of {latest[0].planned} games are stored; " if latest else ""
            raise Stopped(f"stopped; {done}the same command with --resume goes on") from None


def adopt(name: str, job: Job, outcome: Outcome) -> None:
    """Write the winner down as a named agent, if it is one."""
    from spielbaum.agents.named import write
    from spielbaum.game import origin

    if outcome.test is None or outcome.test.verdict != "stronger":
        print(f"{name} is not written: the test did not find the tuned agent stronger", file=sys.stderr)
        return
    path = write(name, origin(job.game), outcome.best.spec)
    print(f"{path} now names it {name}", file=sys.stderr)


def show(job: Job, outcome: Outcome) -> None:
    """The tuned agent, its parameters and the test."""
    values = dict(outcome.best.values)
    rows = [
        (
            each.name,
            value_text(
                next(
                    gene.start
                    for one in job.species
                    for gene in one.genes
                    if one.given == each.species and gene.name == each.name
                )
            ),
            value_text(values.get(each.name)) if each.species == outcome.best.species else NOTHING,
            span(each),
            percent(each.importance),
        )
        for each in outcome.importances
    ]
    print(f"tuning run {outcome.number}: {outcome.games:,} games in {duration(outcome.seconds)}")
    columns = ("parameter", "given", "tuned", "as good (95 %)", "importance")
    print_table(columns, rows, numbers=("given", "tuned", "importance"))
    print(outcome.best.spec)
    print(verdict(outcome))


def span(effect: Any) -> str:
    """The values that may be the best."""
    if not effect.values:
        return NOTHING
    numbers = not isinstance(effect.levels[0][0], str | bool)
    return " … ".join(effect.values) if numbers else " | ".join(effect.values)


def verdict(outcome: Outcome) -> str:
    """What the test says."""
    test = outcome.test
    if test is None:
        return "nothing to test: the agent as given was found best, or no test was asked for"
    low, middle, high = ("no end of" if elo is None else f"{elo:+.0f}" for elo in (test.low, test.elo, test.high))
    gain = f"{middle} Elo ({low} … {high})"
    meaning = {
        "stronger": "it is stronger than the agent as given",
        "not stronger": "no gain was found; keep the agent as given",
        "undecided": "undecided: so many games can't tell",
    }[test.verdict]
    return f"held-out test (run {test.run}, {test.games} games with fresh seeds): {meaning}; {gain}"
