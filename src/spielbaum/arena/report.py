"""A report of runs: one HTML file that needs nothing else, for screens of every size, light and dark, and paper.

Tables hold the figures; pictures are those of `plots`, inline, with their colours handed over to the page's style.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from spielbaum.arena import plots, stats
from spielbaum.arena.account import forfeits_data
from spielbaum.arena.results import POINTS, Results, by_group, compare, in_teams, rate, rate_teams
from spielbaum.arena.stats import Tally

if TYPE_CHECKING:
    from spielbaum.experiments.study import Point

NUMBER = "number"  # the class of cells that are set as figures
DASH = "–"
MOST_FORFEITS = 100
SCREEN = (4.8, 3.2)  # inches: smaller than on paper, so that the words are large enough on a phone


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its HTML, and the class and style it is set with."""

    html: str
    kind: str = NUMBER
    style: str = ""


@dataclass(frozen=True)
class Table:
    """A table with a caption; the first cell of each row is its heading."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


def report(runs: Sequence[Results]) -> str:
    """The HTML of a report."""
    title = runs[0].title if len(runs) == 1 else f"{len(runs)} runs"
    contents = "".join(f'<li><a href="#run-{i}">{escape(run.title)}</a></li>' for i, run in enumerate(runs, 1))
    return page(
        title,
        [
            f"<h1>{escape(title)}</h1>\n<nav><ol>{contents}</ol></nav>" if len(runs) > 1 else "",
            *(run_html(run, number, "h2" if len(runs) > 1 else "h1") for number, run in enumerate(runs, 1)),
        ],
    )


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML file that needs nothing else."""
    style = resources.files("spielbaum.arena").joinpath("report.css").read_text("utf-8")
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>',
            f"<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *parts,
            "</main>\n</body>\n</html>\n",
        ]
    )


def experiment_report(title: str, source: str, rows: Sequence[dict[str, Any]]) -> str:
    """The cells of a published experiment, ours beside theirs; those in rows and columns also as bar charts.

    `rows` are the cells as `spielbaum reproduce --json` prints them.
    """
    parts = [f"<h1>{escape(title)}</h1>\n<p>{escape(source)}</p>"]
    for number, group in enumerate(dict.fromkeys(row["group"] for row in rows), 1):
        cells = [row for row in rows if row["group"] == group]
        parts += [f'<section id="group-{number}">\n<h2>{escape(group)}</h2>', table_html(cell_table(cells))]
        if cells[0]["column"]:
            parts.append('<div class="figures">')
            for name, figure in plots.bar_figures(cells, SCREEN).items():
                svg = plots.rendered(figure, "svg", svg_text="none").decode()
                label = figure.axes[0].get_title("left")
                parts.append(f"<figure>{inline(svg, label, f'g{number}-{name}-')}</figure>")
            parts.append("</div>")
        parts.append("</section>")
    return page(title, parts)


def field_report(title: str, source: str, pairs: Sequence[dict[str, Any]], means: Sequence[dict[str, Any]]) -> str:
    """Players who all met each other: everybody against everybody, and everybody's means, ours beside theirs."""
    parts = [f"<h1>{escape(title)}</h1>\n<p>{escape(source)}</p>"]
    parts.append(table_html(beside_table("Score of row against column in %, ours / published", pairs)))
    if means:
        parts.append(table_html(beside_table("Mean score against all others in %, ours / published", means)))
        values = [(100 * cell["score"], 100 * cell["interval"][0], 100 * cell["interval"][1]) for cell in means]
        figure = plots.bar_figure("mean score in %; diamonds are published", means, values, "published", SCREEN)
        svg = plots.rendered(figure, "svg", svg_text="none").decode()
        parts.append(f'<div class="figures"><figure>{inline(svg, "mean score in %", "means-")}</figure></div>')
    return page(title, parts)


def beside_table(caption: str, cells: Sequence[dict[str, Any]]) -> Table:
    """Cells in rows and columns, our figures beside the published ones."""
    from spielbaum.experiments.field import columns_of

    columns, names = columns_of(cells), list(dict.fromkeys(cell["row"] for cell in cells))
    texts = {(cell["row"], cell["column"]): beside_text(cell) for cell in cells}
    rows = [[name_cell(name), *(Cell(texts.get((name, column), DASH)) for column in columns)] for name in names]
    return Table(caption, ["", *columns], rows, "± is half of Wilson's 95 % interval.")


def beside_text(cell: dict[str, Any]) -> str:
    low, high = cell["interval"]
    return f"{100 * cell['score']:.0f} ± {50 * (high - low):.0f} / {escape(cell['published']) or DASH}"


def series_report(title: str, source: str, rows: Sequence[dict[str, Any]], runs: Sequence[Results]) -> str:
    """Variants beside their bases: tests, how our signs compare with theirs, and the course of all metrics."""
    from spielbaum.experiments.series import named

    parts = [f"<h1>{escape(title)}</h1>\n<p>{escape(source)}</p>", table_html(series_table(rows))]
    for number, (row, run) in enumerate(zip(rows, runs, strict=True), 1):
        base, variant = map(breakable, row["agents"])
        parts.append(f'<section id="series-{number}">\n<h2>{escape(row["name"])}</h2>')
        parts.append(f"<p>base <b>{base}</b>, variant <b>{variant}</b></p>")
        if row["verdict"]:
            parts.append(f'<p class="verdict">Our t has {escape(row["verdict"])}</p>')
        parts += ['<div class="figures">', *curves_html(named(run), f"s{number}"), "</div>", "</section>"]
    return page(title, parts)


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
            Cell(escape(row["published"]) or DASH),
        ]
        for row in rows
    ]
    note = (
        "Means over the seats of a group and over games. Welch's t-test takes what base and variant had for results of"
        " different games, the paired one for what it is, over whole rotations of the seats. Positive is for the"
        " variant."
    )
    return Table(f"Variants compared by {rows[0]['of']}", head, lines, note)


def test_cells(test: dict[str, Any]) -> list[Cell]:
    if test["p"] is None:
        return [Cell(DASH), Cell(DASH)]
    return [Cell(f"{test['t']:.2f}"), Cell(p_value(test["p"]))]


def curves_html(run: Results, prefix: str) -> Iterable[str]:
    """Every metric per round, with bands."""
    for name in run.metric_names:
        with plots.styled():
            figure = plots.metric_figure(run, name, SCREEN)
        svg = plots.rendered(figure, "svg", svg_text="none").decode()
        yield f"<figure>{inline(svg, figure.axes[0].get_title('left'), f'{prefix}-{name}-')}</figure>"


def study_report(title: str, source: str, points: Sequence[Point]) -> str:
    """How exploitable searches are, position by position, as a picture and in figures."""
    parts = [f"<h1>{escape(title)}</h1>\n<p>{escape(source)}</p>"]
    for number, position in enumerate(dict.fromkeys(point.position for point in points), 1):
        chosen = [point for point in points if point.position == position]
        svg = plots.rendered(plots.study_figure(chosen, SCREEN), "svg", svg_text="none").decode()
        parts += [
            f'<section id="position-{number}">\n<h2>{escape(position)}</h2>',
            f'<div class="figures"><figure>{inline(svg, position, f"p{number}-")}</figure></div>',
            table_html(study_table(chosen)),
            "</section>",
        ]
    return page(title, parts)


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
    head = ["cell", "games", "score", "95 % interval", "published", "rounds", "won", "lost", "published"]
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
                Cell(escape(cell["published"]) or DASH),
                *(Cell(f"{mean[0]:.2f} ± {mean[2] - mean[0]:.2f}" if mean else DASH) for mean in rounds),
                Cell(escape(cell["published_rounds"]) or DASH),
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
    return [Cell(ours), Cell(escape(cell["published_place"]) or DASH)]


def run_html(run: Results, number: int, heading: str) -> str:
    """The section of one run."""
    facts = [("games", f"{run.games}"), *run.facts]
    parts = [
        f'<section id="run-{number}">\n<{heading}>{escape(run.title)}</{heading}>',
        "<dl>" + "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts) + "</dl>",
    ]
    if run.games:
        parts += [verdict_html(by_group(run)), *(table_html(table) for table in tables(run))]
        parts += ['<div class="figures">', *figures_html(run, number), "</div>"]
    else:
        parts.append("<p>No game has been played yet.</p>")
    return "\n".join([*parts, "</section>"])


# --- tables ---------------------------------------------------------------------------------------


def tables(run: Results) -> list[Table]:
    """What a run came to, in figures."""
    compared = by_group(run)
    chosen = [
        agent_table(compared),
        *([group_table(run), test_table(compared)] if run.grouped else []),
        seat_table(run),
    ]
    if len(run.agents) > 2:
        chosen += [rating_table(compared), cross_table(compared)]
    if (counts := run.place_counts()) is not None:
        chosen.append(place_table(run, counts))
    return [*chosen, length_table(run), *([forfeit_table(run)] if run.forfeits else [])]


def forfeit_table(run: Results) -> Table:
    """Who has forfeited which game, and why."""
    rows = [
        [Cell(str(each["game"]), "name"), *(Cell(escape(each[name]), "text") for name in ("agent", "seat", "reason"))]
        for each in forfeits_data(run)[:MOST_FORFEITS]
    ]
    note = f"{len(run.forfeits)} games in all."
    return Table("Forfeits", ["game", "agent", "seat", "reason"], rows, note)


def agent_table(run: Results) -> Table:
    head, order = ["agent", *TALLY_HEAD], plots.ranked(run)
    rows = [[name_cell(run.agents[agent]), *tally_cells(run.agent_tally(agent), run.even(agent))] for agent in order]
    if run.late is not None and run.control is not None:
        head.append("lost on time" if run.control.lose else "late moves")
        late = run.late
        rows = [[*row, Cell(str(late[run.seats == agent].sum()))] for row, agent in zip(rows, order, strict=True)]
    if run.seconds_per_move:
        head.append("time per move")
        rows = [[*row, Cell(duration(run.seconds_per_move[agent]))] for row, agent in zip(rows, order, strict=True)]
    return Table("Agents", head, rows, "Bars show the 95 % interval of the score (Wilson), the line an even one.")


def place_table(run: Results, counts: np.ndarray) -> Table:
    """The mean place of each agent, and how often it came in where, the first ones first."""
    places = [run.agent_places(agent) for agent in range(len(run.agents))]
    means = [math.inf if place is None or not len(place) else float(place.mean()) for place in places]
    rows = [
        [
            name_cell(run.agents[agent]),
            Cell(DASH if (mine := places[agent]) is None or not len(mine) else mean_text(mine)),
            *(Cell(str(count)) for count in counts[agent]),
        ]
        for agent in sorted(range(len(run.agents)), key=means.__getitem__)
    ]
    note = (
        "A place is one more than there are players with a better result; shared places are equal."
        " A win is to be first alone, a draw to share the first place. Means with 95 % intervals (Student)."
    )
    return Table("Places", ["agent", "mean place", *(str(place + 1) for place in range(counts.shape[1]))], rows, note)


def group_table(run: Results) -> Table:
    """What each group had in a game, on average over its seats."""
    finals = {name: final for name in run.metric_names if (final := run.final(name)) is not None}
    columns = {"score per seat": run.by_agent(run.points), "return": run.by_agent(run.returns), **finals}
    rows = [
        [
            name_cell(run.agents[agent]),
            Cell(str(int(np.sum(run.seats[0] == agent)))),
            *(Cell(mean_text(values[agent])) for values in columns.values()),
        ]
        for agent in plots.ranked(by_group(run))
    ]
    note = "Means over the seats of a group and over games, with 95 % intervals (Student)."
    return Table("Groups", ["group", "seats", *columns], rows, note)


def mean_text(values: np.ndarray) -> str:
    mean, _, high = stats.mean_interval(values)
    return f"{mean:.2f}" if math.isnan(high) else f"{mean:.2f} ± {high - mean:.2f}"


def test_table(run: Results) -> Table:
    """Every two groups compared."""
    name, values = run.compared
    rows = []
    for one, other in itertools.combinations(range(len(run.agents)), 2):
        test, unshared = compare(run, one, other, values), stats.welch(values[one], values[other])
        told = not math.isnan(test.p)
        rows.append(
            [
                name_cell(f"{run.agents[one]} – {run.agents[other]}"),
                Cell(f"{test.mean_a - test.mean_b:.2f}"),
                Cell(f"{test.low:.2f} … {test.high:.2f}" if told else DASH),
                Cell(f"{test.t:.2f}" if told else DASH),
                Cell(p_value(test.p) if told else DASH),
                Cell(DASH if math.isnan(unshared.p) else p_value(unshared.p)),
            ]
        )
    note = (
        "Paired t-test of what the groups had in the same games, over whole rotations of the seats."
        " Welch's t-test takes it for results of different games."
    )
    head = ["groups", "difference", "95 % interval", "t", "p", "p (Welch)"]
    return Table(f"Groups compared by {name}", head, rows, note)


def seat_table(run: Results) -> Table:
    rows = [
        [name_cell(name), *tally_cells(run.seat_tally(seat), 1 / run.sides)] for seat, name in enumerate(run.seat_names)
    ]
    return Table("Seats", ["seat", *TALLY_HEAD], rows)


TALLY_HEAD = ("games", "wins", "draws", "losses", "score", "95 % interval", "")


def tally_cells(tally: Tally, even: float) -> list[Cell]:
    if not tally.games:
        return [Cell("0"), *[Cell(DASH)] * 5, Cell("")]
    low, high = tally.interval
    counts = [Cell(str(count)) for count in (tally.games, tally.wins, tally.draws, tally.losses)]
    return [
        *counts,
        Cell(percent(tally.score)),
        Cell(f"{percent(low)} … {percent(high)}"),
        Cell(bar(tally, 100 * even), "bar"),
    ]


def bar(tally: Tally, even: float) -> str:
    """A score with its interval between 0 and 100 %, drawn, and where an even score would be."""
    low, high = (100 * bound for bound in tally.interval)
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-hidden="true">'
        f'<path class="track" d="M0 5H100M{even:.1f} 1V9"/>'
        f'<path class="range" d="M{low:.1f} 5H{high:.1f}"/><path class="mark" d="M{100 * tally.score:.1f} 1V9"/></svg>'
    )


def rating_table(run: Results) -> Table:
    """The ranking, and whether neighbours can be told apart."""
    ratings = rate(run)
    rows = [
        [
            name_cell(rating.name),
            Cell(signed(rating.value) if run.sides == 2 else f"{rating.value:.1f}"),
            Cell(f"± {stats.Z95 * rating.error:.0f}" if run.sides == 2 else f"± {rating.error:.1f}"),
            Cell(DASH if rating.p_next is None else p_value(rating.p_next)),
        ]
        for rating in ratings
    ]
    if run.sides == 2:
        head = ["agent", "Elo", "95 % interval", "p against the next"]
        note = "Elo by maximum likelihood, relative to the mean of the field."
        if in_teams(run):
            note += f" All equally strong: p {p_value(rate_teams(run)[1], relation=True)}."
    else:
        head = ["agent", "μ", "σ", "p against the next"]
        note = "Plackett-Luce ratings; everybody starts at 25 ± 8.3."
    return Table("Ratings", head, rows, note)


def cross_table(run: Results) -> Table:
    """Everybody against everybody, as a heat map."""
    points, games, _ = run.against()
    order = plots.ranked(run)
    rows = [
        [
            name_cell(f"{place}\N{NO-BREAK SPACE}{run.agents[one]}"),
            *(cross_cell(points[one, other], games[one, other]) for other in order),
        ]
        for place, one in enumerate(order, 1)
    ]
    note = "Score of row against column in %: who finished ahead of whom. Hold the pointer over a cell for the games."
    return Table("Cross table", ["agent", *(str(place) for place in range(1, len(order) + 1))], rows, note)


def cross_cell(points: float, games: float) -> Cell:
    if not games:
        return Cell(DASH, "heat")
    share = points / games
    colour = "--above" if share > 0.5 else "--below"
    style = f"background: color-mix(in srgb, var({colour}) {abs(share - 0.5) * 180:.0f}%, transparent)"
    return Cell(f'<span title="{points:g} of {games:g}">{100 * share:.0f}</span>', "heat", style)


def length_table(run: Results) -> Table:
    low, q1, median, q3, high = np.percentile(run.lengths, [0, 25, 50, 75, 100])
    spread = float(run.lengths.std(ddof=1)) if run.games > 1 else 0.0
    values = [f"{run.lengths.mean():.1f}", f"{spread:.1f}", *(f"{value:g}" for value in (low, q1, median, q3, high))]
    head = ["", "mean", "sd", "shortest", "quarter", "median", "three quarters", "longest"]
    return Table("Length in actions", head, [[name_cell("games"), *map(Cell, values)]])


def verdict_html(run: Results) -> str:
    """Two agents compared in a sentence or two."""
    if len(run.agents) != 2 or run.sides != 2 or run.even(0) != run.even(1):
        return ""
    first, second = (f"<b>{breakable(name)}</b>" for name in run.agents)
    tally, pairs = run.agent_tally(0), run.pairs
    difference, low, high = stats.elo_interval(tally) if pairs is None else pairs.elo_interval
    superior = stats.likelihood_of_superiority(tally) if pairs is None else pairs.likelihood_of_superiority
    superior = min(max(superior, 1e-9), 1 - 1e-9)  # never quite certain
    lines = [
        f"{first} against {second}: {percent(tally.score)} of the points,"
        f" Elo difference {signed(difference)} (95 % interval {signed(low)} … {signed(high)}),"
        f" likelihood of superiority {percent(superior)}"
        f"{'' if pairs is None else ', from pairs of games with one opening'}."
    ]
    points = run.final(POINTS)
    if points is not None and min(map(len, points)) > 1:
        test, unshared = compare(run, 0, 1, points), stats.welch(points[0], points[1])
        tests = [("paired t-test", test), ("Welch’s t-test, as if of different games", unshared)]
        told = [
            f"{name}: t = {each.t:.2f}, p {p_value(each.p, relation=True)}"
            for name, each in tests
            if not math.isnan(each.p)
        ]
        if told:
            means = f"{unshared.mean_a:.2f} against {unshared.mean_b:.2f}"
            lines.append(f"Points at the end: {means} ({'; '.join(told)}).")
    return '<p class="verdict">' + "<br>\n".join(lines) + "</p>"


def table_html(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in table.head)
    rows = "\n".join("<tr>" + "".join(cell_html(cell) for cell in row) + "</tr>" for row in table.rows)
    note = f'\n<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="table"><table>\n<caption>{escape(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>{note}"
    )


def cell_html(cell: Cell) -> str:
    if cell.kind == "name":
        return f'<th scope="row">{cell.html}</th>'
    style = f' style="{cell.style}"' if cell.style else ""
    return f'<td class="{cell.kind}"{style}>{cell.html}</td>'


def name_cell(name: str) -> Cell:
    return Cell(breakable(name), "name")


def breakable(name: str) -> str:
    """A name that may break after its commas."""
    return escape(name).replace(",", ",<wbr>")


def percent(share: float) -> str:
    """
    >>> percent(0.5), percent(0.99996)
    ('50.0 %', '> 99.9 %')
    """
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """
    >>> duration(1.234), duration(0.0123), duration(4.2e-6)
    ('1.23 s', '12.3 ms', '4.2 µs')
    """
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def signed(elo: float) -> str:
    """
    >>> signed(12.3), signed(-4.0), signed(float("-inf"))
    ('+12', '−4', '−∞')
    """
    if math.isinf(elo):
        return "+∞" if elo > 0 else "−∞"
    return f"{elo:+.0f}".replace("-", "−")


def p_value(p: float, relation: bool = False) -> str:
    """
    >>> p_value(0.0412), p_value(1e-9), p_value(0.5, relation=True)
    ('0.041', '< 0.001', '= 0.500')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if relation else f"{p:.3f}"


# --- pictures -------------------------------------------------------------------------------------


def figures_html(run: Results, number: int) -> Iterable[str]:
    """The pictures of a run but the cross table, which is a table here."""
    for name, figure in plots.figures(run, SCREEN).items():
        if name != "cross-table":
            svg = plots.rendered(figure, "svg", svg_text="none").decode()
            yield f"<figure>{inline(svg, figure.axes[0].get_title('left'), f'r{number}-{name}-')}</figure>"


def inline(svg: str, label: str, prefix: str) -> str:
    """An SVG file as part of a page: its colours as variables, its size that of its place, its names its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\1{prefix}", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"| height="[^"]*pt"', lambda match: match[1] or "", svg, count=2)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
    for place, colour in enumerate(plots.PALETTE):
        svg = svg.replace(colour, f"var(--line-{place})")
    for variable, colour in (("ink", plots.INK), ("faint", plots.FAINT), ("grid", plots.GRID), ("page", "#ffffff")):
        svg = svg.replace(colour, f"var(--{variable})")
    return svg
