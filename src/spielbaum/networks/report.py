"""A report of a training: one HTML file that needs nothing else, in the manner of the arena's.

The score against the yardstick with its interval comes first, then the losses of both heads and the entropy.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from spielbaum.arena.plots import PAPER, Size, colour_of, empty_figure, rendered, styled, write_figures
from spielbaum.arena.report import DASH, SCREEN, Cell, Table, breakable, inline, page, percent, table_html
from spielbaum.networks.curves import Course, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ASKED = ("game", "size", "simulations", "seed")
LOSSES = {
    "policy": ("What the policy has still to learn", {"policy_loss": "loss", "entropy": "entropy of the policy"}),
    "value": ("What the value has still to learn", {"value_loss": "squared error"}),
}


def report(course: Course) -> str:
    """The HTML of a report."""
    title = f"Training of {course.name}"
    facts = "".join(f"<div><dt>{escape(name)}</dt><dd>{breakable(text)}</dd></div>" for name, text in facts_of(course))
    parts = [f"<section>\n<h1>{escape(title)}</h1>\n<dl>{facts}</dl>"]
    if course.measured:
        parts.append(table_html(score_table(course)))
    parts += ['<div class="figures">', *figures_html(course), "</div>\n</section>"]
    return page(title, parts)


def facts_of(course: Course) -> list[tuple[str, str]]:
    """What was asked for, and how far it is."""
    plan = course.plan
    options = plan.get("options", {})
    facts: list[tuple[str, str]] = [(name, str(plan[name])) for name in ASKED if name in plan]
    facts += [(name, str(value)) for name, value in options.items() if value is not None]
    planned = f" of {plan['minutes']:g}" if "minutes" in plan else ""
    facts += [
        ("minutes", f"{course.seconds / 60:.1f}{planned}"),
        ("iterations", f"{len(course.rows):,}"),
        ("games", f"{course.games:,}"),
    ]
    return facts if course.state == "finished" else [*facts, ("state", course.state)]


def score_table(course: Course) -> Table:
    """The iterations after which the net was measured."""
    rows = []
    for row in course.measured:
        interval = f"{percent(row['low'])} … {percent(row['high'])}"
        losses = [f"{row[name]:.3f}" if name in row else DASH for name in ("policy_loss", "value_loss", "entropy")]
        cells = [f"{row['seconds'] / 60:.1f}", percent(row["score"]), interval, *losses, escape(row["yardstick"])]
        rows.append([Cell(str(row["iteration"]), "name"), *map(Cell, cells)])
    head = ["iteration", "minutes", "score", "95 % interval", "policy loss", "value loss", "entropy", "against"]
    return Table("The net alone, without search", head, rows)


def figures(course: Course, size: Size = PAPER) -> dict[str, Figure]:
    """All curves of a training by name."""
    drawn: dict[str, Figure] = {}
    if not course.rows:
        return drawn
    with styled():
        if course.measured:
            drawn["score"] = score_figure(course, size)
        for name, (title, lines) in LOSSES.items():
            drawn[name] = loss_figure(course, title, lines, size)
    return drawn


def score_figure(course: Course, size: Size) -> Figure:
    """The score against each yardstick, with its interval."""
    figure, axes = empty_figure(size)
    for number, against in enumerate(dict.fromkeys(row["yardstick"] for row in course.measured)):
        rows = [row for row in course.measured if row["yardstick"] == against]
        minutes, scores = [row["seconds"] / 60 for row in rows], [row["score"] for row in rows]
        ends = [[row["score"] - row["low"] for row in rows], [row["high"] - row["score"] for row in rows]]
        axes.errorbar(
            minutes, scores, ends, color=colour_of(number), marker="o", markersize=3, capsize=2, label=against
        )
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes.set_xlabel("minutes")
    axes.set_title("Score of the net alone")
    figure.legend(loc="outside lower left")
    return figure


def loss_figure(course: Course, title: str, lines: dict[str, str], size: Size) -> Figure:
    figure, axes = empty_figure(size)
    for number, (name, label) in enumerate(lines.items()):
        points = thinned(course.rows, name)
        axes.plot([minute for minute, _ in points], [at for _, at in points], color=colour_of(number), label=label)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("minutes")
    axes.set_title(title)
    figure.legend(loc="outside lower left", ncols=2)
    return figure


def figures_html(course: Course) -> Iterable[str]:
    for name, figure in figures(course, SCREEN).items():
        svg = rendered(figure, "svg", svg_text="none").decode()
        yield f"<figure>{inline(svg, figure.axes[0].get_title('left'), f'training-{name}-')}</figure>"


def write_plots(course: Course, folder: Path, format: str = "png") -> list[Path]:
    """Write all curves as `png` or `svg`, and say where."""
    return write_figures(figures(course), folder, format)
