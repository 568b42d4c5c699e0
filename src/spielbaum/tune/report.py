"""A report of tuning runs: one HTML file that needs nothing else, in the manner of the arena's.

What was found and what a test with fresh seeds says about it comes first, then each parameter with its interval, then
the pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from markupsafe import Markup

from spielbaum.arena.html import DASH, SCREEN, Cell, Table, name_cell, percent, picture, render, signed
from spielbaum.tune import plots, series
from spielbaum.tune.history import FINISHED, History, Parameter
from spielbaum.tune.job import FITNESS

VERDICTS = {
    "stronger": "it is stronger than what was given",
    "not stronger": "no gain was found, so keep what was given",
    "undecided": "so many games can't tell whether it is stronger than what was given",
}


def report(runs: Sequence[History]) -> str:
    """The HTML of a report."""
    title = title_of(runs[0]) if len(runs) == 1 else f"{len(runs)} tuning runs"
    links = [(f"tuning-{run.number}", title_of(run)) for run in runs]
    return render("tunings.html", title=title, links=links, runs=[section(run) for run in runs])


def title_of(run: History) -> str:
    return f"Tuning run {run.number}: {game_name(run)} by {run.method}"


def game_name(run: History) -> str:
    """A game of somebody's own goes by the name of its file."""
    path = PurePath(run.game)
    return path.parent.name if path.name == "__init__.py" else path.stem if path.suffix == ".py" else run.game


def section(run: History) -> dict[str, Any]:
    """What the template shows of one run."""
    return {
        "number": run.number,
        "title": title_of(run),
        "facts": facts_of(run),
        "found": "Found" if run.state == FINISHED else "Thought best so far",
        "spec": run.best.spec if run.best is not None else "",
        "test": test_text(run),
        "table": parameter_table(run) if run.steps else None,
        "figures": list(pictures(run)),
    }


def facts_of(run: History) -> list[tuple[str, str]]:
    """What was asked for, and how far it is."""
    facts = [
        ("agents" if len(run.agents) > 1 else "agent", " and ".join(run.agents)),
        ("against", ", ".join(run.against) or "each other"),
        ("fitness", FITNESS[run.maximises]),
        *((name, str(value)) for name, value in run.options.items()),
        ("generations" if run.method == plots.EVOLUTION else "steps", f"{len(run.steps)} of {run.steps_planned}"),
        ("games", f"{run.games:,} of {run.planned:,}"),
        ("seed", str(run.seed)),
        ("begun", run.created),
    ]
    return facts if run.state == FINISHED else [*facts, ("state", run.state)]


def test_text(run: History) -> str:
    """The test of the tuned agent against the one that was given."""
    test = run.test
    if test is None and run.best is not None and run.best.spec == run.best.species:
        return "That is what was given: nothing better was found."
    if test is None:
        return "It has not been tested with fresh seeds: nobody knows yet whether it is stronger than what was given."
    if not test.verdict:
        return f"The test with fresh seeds goes on: {test.games:,} of at most {test.planned:,} games."
    return (
        f"Tested with seeds that no step has seen, {VERDICTS[test.verdict]}:"
        f" Elo difference {elo(test.elo, '∞')} (95 % interval {elo(test.low, '−∞')} … {elo(test.high, '+∞')})"
        f" in {test.games:,} games, run {test.run} of the store."
    )


def elo(difference: float | None, endless: str) -> str:
    return endless if difference is None else signed(difference)


def parameter_table(run: History) -> Table:
    """Each parameter: what it was, what it is now, what can't be told apart from that, and how much it matters."""
    effects = {(effect.species, effect.name): effect for effect in run.importances}
    weights = series.importances(run)
    rows = []
    for one in sorted(run.parameters, key=lambda one: -weights.get((one.species, one.name), 0.0)):
        effect = effects.get((one.species, one.name))
        interval = DASH if effect is None else interval_text(one, effect.values)
        cells = [range_text(one), value_text(one.start), best_text(run, one), interval]
        matters = percent(weights[one.species, one.name]) if (one.species, one.name) in weights else DASH
        rows.append([name_cell(plots.title_of(run, one)), *map(Cell, cells), Cell(matters)])
    note = (
        "The interval holds the values that can't be told apart from the best one (95 %). Importance is a share of what"
        " the parameters explain of the fitness, as far as each does so by itself."
        if run.importances
        else "The run goes on: importance is a guess from the fitness within the steps."
    )
    return Table("Parameters", ["parameter", "tried", "given", "tuned", "as good", "importance"], rows, note)


def range_text(parameter: Parameter) -> str:
    if parameter.choices:
        return listed(parameter.choices)
    by = ", by factors" if parameter.log else ""
    return f"{parameter.low:g} … {parameter.high:g}{by}"


def value_text(value: object) -> str:
    """
    >>> value_text(0.123456), value_text(True), value_text(None)
    ('0.1235', 'on', '–')
    """
    if value is None:
        return DASH
    return f"{value:.4g}" if isinstance(value, float) else series.spelled(value)  # type: ignore[arg-type]


def best_text(run: History, parameter: Parameter) -> str:
    mine = run.best is not None and run.best.species == parameter.species
    return value_text(run.best.values.get(parameter.name)) if run.best is not None and mine else DASH


def interval_text(parameter: Parameter, values: Sequence[str]) -> str:
    if len(values) == len(parameter.choices) > 1:
        return "any"
    return (listed(values) if parameter.choices else " … ".join(map(str, values))) or DASH


def listed(words: Sequence[str]) -> str:
    """
    >>> listed(["ucb1", "puct"]), listed(["a", "b", "c", "d", "e"])
    ('ucb1, puct', 'a, b, c and 2 more')
    """
    return ", ".join(words) if len(words) < 5 else f"{', '.join(words[:3])} and {len(words) - 3} more"


def pictures(run: History) -> Iterator[Markup]:
    """All pictures of a run."""
    for name, figure in plots.figures(run, SCREEN).items():
        yield picture(figure, f"t{run.number}-{name}-")
