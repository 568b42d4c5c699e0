"""A report of a training: one HTML file that needs nothing else, in the manner of the arena's.

The score against the baseline with its interval comes first, then the losses of both heads and the entropy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spielbaum.arena.html import DASH, SCREEN, Cell, Table, percent, picture, render
from spielbaum.arena.plots import PAPER, Size, colour_of, empty_figure, styled, write_figures
from spielbaum.training.curves import TrainingHistory, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ASKED = ("game", "size", "simulations", "seed")
LOSSES = {
    "policy": ("What the policy has still to learn", {"policy_loss": "loss", "entropy": "entropy of the policy"}),
    "value": ("What the value has still to learn", {"value_loss": "squared error"}),
}


def report(history: TrainingHistory) -> str:
    """The HTML of a report."""
    return render(
        "training.html",
        title=f"Training of {history.name}",
        facts=facts_of(history),
        table=score_table(history) if history.measured else None,
        figures=[picture(figure, f"training-{name}-") for name, figure in figures(history, SCREEN).items()],
    )


def facts_of(history: TrainingHistory) -> list[tuple[str, str]]:
    """What was asked for, and how far it is."""
    plan = history.plan
    options = plan.get("options", {})
    facts: list[tuple[str, str]] = [(name, str(plan[name])) for name in ASKED if name in plan]
    facts += [(name, str(value)) for name, value in options.items() if value is not None]
    planned = f" of {plan['minutes']:g}" if "minutes" in plan else ""
    facts += [
        ("minutes", f"{history.seconds / 60:.1f}{planned}"),
        ("iterations", f"{len(history.rows):,}"),
        ("games", f"{history.games:,}"),
    ]
    return facts if history.state == "finished" else [*facts, ("state", history.state)]


def score_table(history: TrainingHistory) -> Table:
    """The iterations after which the net was measured."""
    rows = []
    for row in history.measured:
        interval = f"{percent(row['low'])} … {percent(row['high'])}"
        losses = [f"{row[name]:.3f}" if name in row else DASH for name in ("policy_loss", "value_loss", "entropy")]
        cells = [f"{row['seconds'] / 60:.1f}", percent(row["score"]), interval, *losses, row["baseline"]]
        rows.append([Cell(str(row["iteration"]), "name"), *map(Cell, cells)])
    head = ["iteration", "minutes", "score", "95 % interval", "policy loss", "value loss", "entropy", "against"]
    return Table("The net alone, without search", head, rows)


def figures(history: TrainingHistory, size: Size = PAPER) -> dict[str, Figure]:
    """All curves of a training by name."""
    drawn: dict[str, Figure] = {}
    if not history.rows:
        return drawn
    with styled():
        if history.measured:
            drawn["score"] = score_figure(history, size)
        for name, (title, lines) in LOSSES.items():
            drawn[name] = loss_figure(history, title, lines, size)
    return drawn


def score_figure(history: TrainingHistory, size: Size) -> Figure:
    """The score against each baseline, with its interval."""
    figure, axes = empty_figure(size)
    for number, against in enumerate(dict.fromkeys(row["baseline"] for row in history.measured)):
        rows = [row for row in history.measured if row["baseline"] == against]
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


def loss_figure(history: TrainingHistory, title: str, lines: dict[str, str], size: Size) -> Figure:
    figure, axes = empty_figure(size)
    for number, (name, label) in enumerate(lines.items()):
        points = thinned(history.rows, name)
        axes.plot([minute for minute, _ in points], [at for _, at in points], color=colour_of(number), label=label)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("minutes")
    axes.set_title(title)
    figure.legend(loc="outside lower left", ncols=2)
    return figure


def write_plots(history: TrainingHistory, folder: Path, format: str = "png") -> list[Path]:
    """Write all curves as `png` or `svg`, and say where."""
    return write_figures(figures(history), folder, format)
