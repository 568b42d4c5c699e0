"""Reports of experiments: HTML files that show our figures beside the published ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from spielbaum.arena import plots
from spielbaum.arena.html import DASH, SCREEN, Cell, Table, name_cell, p_value, percent, picture, render
from spielbaum.arena.results import Results
from spielbaum.experiments.field import columns_of
from spielbaum.experiments.series import named

if TYPE_CHECKING:
    from spielbaum.experiments.study import Point


@dataclass(frozen=True)
class Section:
    """A part of a report with a heading; agents are a base and its variant."""

    id: str
    title: str
    table: Table | None = None
    figures: Sequence[Markup] = ()
    table_below: Table | None = None
    agents: Sequence[str] = ()
    verdict: str = ""


def rendered(
    title: str,
    source: str,
    tables: Sequence[Table] = (),
    figures: Sequence[Markup] = (),
    sections: Sequence[Section] = (),
) -> str:
    return render("experiment.html", title=title, source=source, tables=tables, figures=figures, sections=sections)


def experiment_report(title: str, source: str, rows: Sequence[dict[str, Any]]) -> str:
    """The cells of a published experiment, ours beside theirs; those in rows and columns also as bar charts.

    `rows` are the cells as `spielbaum reproduce --json` prints them.
    """
    sections = []
    for number, group in enumerate(dict.fromkeys(row["group"] for row in rows), 1):
        cells = [row for row in rows if row["group"] == group]
        drawn = plots.bar_figures(cells, SCREEN) if cells[0]["column"] else {}
        figures = [picture(figure, f"g{number}-{name}-") for name, figure in drawn.items()]
        sections.append(Section(f"group-{number}", group, cell_table(cells), figures))
    return rendered(title, source, sections=sections)


def field_report(title: str, source: str, pairs: Sequence[dict[str, Any]], means: Sequence[dict[str, Any]]) -> str:
    """Players who all met each other: everybody against everybody, and everybody's means, ours beside theirs."""
    tables = [beside_table("Score of row against column in %, ours / published", pairs)]
    if not means:
        return rendered(title, source, tables)
    tables.append(beside_table("Mean score against all others in %, ours / published", means))
    values = [(100 * cell["score"], 100 * cell["interval"][0], 100 * cell["interval"][1]) for cell in means]
    figure = plots.bar_figure("mean score in %; diamonds are published", means, values, SCREEN)
    return rendered(title, source, tables, [picture(figure, "means-", "mean score in %")])


def beside_table(caption: str, cells: Sequence[dict[str, Any]]) -> Table:
    """Cells in rows and columns, our figures beside the published ones."""
    columns, names = columns_of(cells), list(dict.fromkeys(cell["row"] for cell in cells))
    texts = {(cell["row"], cell["column"]): beside_text(cell) for cell in cells}
    rows = [[name_cell(name), *(Cell(texts.get((name, column), DASH)) for column in columns)] for name in names]
    return Table(caption, ["", *columns], rows, "± is half of Wilson's 95 % interval.")


def beside_text(cell: dict[str, Any]) -> str:
    low, high = cell["interval"]
    return f"{100 * cell['score']:.0f} ± {50 * (high - low):.0f} / {cell['published'] or DASH}"


def series_report(title: str, source: str, rows: Sequence[dict[str, Any]], runs: Sequence[Results]) -> str:
    """Variants beside their bases: tests, how our signs compare with theirs, and the course of all metrics."""
    sections = [
        Section(
            f"series-{number}",
            row["name"],
            figures=list(curves(named(run), f"s{number}")),
            agents=row["agents"],
            verdict=f"Our t has {row['verdict']}" if row["verdict"] else "",
        )
        for number, (row, run) in enumerate(zip(rows, runs, strict=True), 1)
    ]
    return rendered(title, source, [series_table(rows)], sections=sections)


def series_table(rows: Sequence[dict[str, Any]]) -> Table:
    """One line for each series."""
    head = ["series", "games", "base", "variant", "ratio", "t (Welch)", "p", "t (paired)", "p", "published t"]
    lines = [
        [
            name_cell(row["name"]),
            Cell(str(row["games"])),
            *(Cell(f"{mean:.0f}") for mean in row["means"]),
            Cell(DASH if row["ratio"] is None else f"{row['ratio']:.2f}"),
            *(cell for test in ("welch", "paired") for cell in test_cells(row[test])),
            Cell(row["published"] or DASH),
        ]
        for row in rows
    ]
    note = (
        "Means over the seats of a group and over games. Welch's t-test takes what base and variant had for results of"
        " different games, the paired one for what it is, over whole rotations of the seats. Positive is for the"
        " variant."
    )
    return Table(f"Variants compared by {rows[0]['of']}", head, lines, note)


def study_report(title: str, source: str, points: Sequence[Point]) -> str:
    """How exploitable searches are, position by position, as a picture and in figures."""
    sections = []
    for number, position in enumerate(dict.fromkeys(point.position for point in points), 1):
        chosen = [point for point in points if point.position == position]
        figure = picture(plots.study_figure(chosen, SCREEN), f"p{number}-", position)
        sections.append(Section(f"position-{number}", position, figures=[figure], table_below=study_table(chosen)))
    return rendered(title, source, sections=sections)


def study_table(points: Sequence[Point]) -> Table:
    """One line for each agent, one column for each number of iterations."""
    columns = list(dict.fromkeys(point.iterations for point in points))
    texts = {(p.agent, p.iterations): f"{p.exploitability:.4f} ± {p.high - p.exploitability:.4f}" for p in points}
    agents = dict.fromkeys(point.agent for point in points)
    rows = [[name_cell(agent), *(Cell(texts[agent, column]) for column in columns)] for agent in agents]
    caption = (
        f"Exploitability after so many iterations; the position is worth {points[0].value:.3f} to the first player"
    )
    note = f"Means of {points[0].searches} searches with their 95 % intervals (Student)."
    return Table(caption, ["", *(f"{column:,}" for column in columns)], rows, note)


def cell_table(cells: Sequence[dict[str, Any]]) -> Table:
    """One line for each cell of an experiment."""
    head = [
        "cell",
        "games",
        "score",
        "95 % interval",
        "published",
        "rounds",
        "won",
        "lost",
        "published (all, won, lost)",
    ]
    head += ["place", "published"] if any(cell.get("place") for cell in cells) else []
    rows = []
    for cell in cells:
        rounds = [cell["rounds"].get(name) for name in ("all", "won", "lost")]
        rows.append(
            [
                name_cell(cell["name"]),
                Cell(str(cell["games"])),
                Cell(percent(cell["score"])),
                Cell("{} … {}".format(*map(percent, cell["interval"]))),
                Cell(cell["published"] or DASH),
                *(Cell(f"{mean[0]:.2f} ± {mean[2] - mean[0]:.2f}" if mean else DASH) for mean in rounds),
                Cell(", ".join(text or DASH for text in cell["published_rounds"].values()) or DASH),
                *place_cells(cell),
            ]
        )
    return Table("Ours beside theirs", head, rows, "Intervals are Wilson's, of means those of the normal distribution.")


def place_cells(cell: dict[str, Any]) -> list[Cell]:
    """The mean place of a cell of an experiment, ours and theirs, where there are places."""
    if not cell.get("place"):
        return []
    mean, _, high = cell["place"]
    ours = f"{mean:.2f}" if high is None else f"{mean:.2f} ± {high - mean:.2f}"
    return [Cell(ours), Cell(cell["published_place"] or DASH)]


def test_cells(test: dict[str, Any]) -> list[Cell]:
    if test["p"] is None:
        return [Cell(DASH), Cell(DASH)]
    return [Cell(f"{test['t']:.2f}"), Cell(p_value(test["p"]))]


def curves(run: Results, prefix: str) -> Iterator[Markup]:
    """Every metric per round, with bands."""
    for name in run.metric_names:
        with plots.styled():
            figure = plots.metric_figure(run, name, SCREEN)
        yield picture(figure, f"{prefix}-{name}-")
