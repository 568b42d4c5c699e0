"""Pictures of results, fit for print: score over games, places, metrics per round, lengths, cross table.

Drawn with Matplotlib's objects (no pyplot, no display). The palette is Okabe and Ito's (2008), which the colour-blind
can tell apart; beyond its colours lines are dashed. The same results give the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spielbaum.arena.results import Results, by_group, ranking
from spielbaum.arena.stats import Z95, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from spielbaum.experiments.study import Point

INK, FAINT, GRID = "#1b2a33", "#5f6f79", "#dbe1e5"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#7a5195", "#6b7b84")
DASHES = ("-", "--", ":")

Size = tuple[float, float]
PAPER: Size = 6.3, 3.5  # inches: the text width of a paper
DOTS = 300  # per inch
MOST_POINTS = 400  # of a curve: more can't be seen
FIRST_SHOWN = 10  # games of a long run before which a score is mere noise
LONG_NAME = 18  # letters that still fit beside the end of a curve
NAME_GAP = 0.055  # of the height between two names there
LEGEND_LINE = 0.17  # inches
LEAST = 1e-3  # exploitability that is still drawn
LEAST_REGRET = 0.1  # Elo
SETTLED = 0.05  # share of the games after which a score is worth the height of the picture
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "text.color": INK,
    "text.parse_math": False,  # names are what they are
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "svg.hashsalt": "spielbaum",
    "savefig.bbox": "tight",
    "savefig.pad_inches": 0.04,
}


@dataclass(frozen=True)
class Curve:
    """A value over games or rounds with its band."""

    agent: int
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray


def score_curves(results: Results) -> list[Curve]:
    """The score of each agent after each game with its Wilson interval, thinned to what can be seen.

    Where two agents play each other, the second one mirrors the first and is left out.
    """
    shown = 1 if len(results.agents) == 2 and results.sides == 2 else len(results.agents)
    return [score_curve(results, agent) for agent in range(shown) if np.any(results.seats == agent)]


def score_curve(results: Results, agent: int) -> Curve:
    mine = results.seats == agent
    games = np.flatnonzero(mine.any(axis=1))
    scored = np.where(mine, results.points, 0).sum(axis=1)[games] / mine.sum(axis=1)[games]
    score = np.cumsum(scored) / np.arange(1, len(games) + 1)
    first = min(FIRST_SHOWN, len(games) // 20)
    seen = np.unique(np.linspace(first, len(games) - 1, MOST_POINTS).astype(int))
    low, high = np.array([wilson(float(score[i]), int(i) + 1) for i in seen]).T
    return Curve(agent, games[seen] + 1, score[seen], low, high)


def metric_curves(results: Results, metric: str) -> list[Curve]:
    """The mean of a metric per round and agent with its 95 % interval.

    A curve ends where fewer than a tenth of the agent's games (and fewer than two) are still going on.
    """
    assert results.metrics is not None and results.metric_rows is not None
    values = results.metrics[:, :, list(results.metric_names).index(metric)].astype(float)
    rounds = np.arange(len(values)) - np.repeat(
        np.cumsum(results.metric_rows) - results.metric_rows, results.metric_rows
    )
    agents = np.repeat(results.seats, results.metric_rows, axis=0)
    curves = []
    for agent in range(len(results.agents)):
        mine = agents == agent
        at = np.broadcast_to(rounds[:, None], mine.shape)[mine]
        count = np.bincount(at)
        shown = np.flatnonzero(count >= max(2, count.max(initial=0) / 10))
        if not len(shown):
            continue
        mean = np.bincount(at, values[mine])[shown] / count[shown]
        squares = np.bincount(at, values[mine] ** 2)[shown] / count[shown]
        error = np.sqrt(np.maximum(squares - mean**2, 0) / (count[shown] - 1))
        curves.append(Curve(agent, shown + 1, mean, mean - Z95 * error, mean + Z95 * error))
    return curves


# --- figures --------------------------------------------------------------------------------------


def score_figure(results: Results, size: Size = PAPER) -> Figure:
    """Score over games, with its 95 % interval as a band."""
    figure, axes = empty_figure(size)
    curves = score_curves(results)
    even = sorted({results.even(curve.agent) for curve in curves})
    for share in even:
        axes.axhline(share, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    draw_curves(axes, curves)
    settled = [curve.x >= SETTLED * results.games for curve in curves]
    ends = [curve.low[late].min(initial=1) for curve, late in zip(curves, settled, strict=True)]
    tops = [curve.high[late].max(initial=0) for curve, late in zip(curves, settled, strict=True)]
    low, high = min(even + ends), max(even + tops)
    axes.set_ylim(max(-0.02, low - 0.05), min(1.02, high + 0.05))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes.set_xlim(1, max(results.games, 2))
    name_curves(figure, axes, curves, results.agents)
    axes.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    axes.set(xlabel="games", title="Score over games, with 95 % interval")
    return figure


def metric_figure(results: Results, metric: str, size: Size = PAPER) -> Figure:
    """A metric per round, averaged over games, with the 95 % interval of the mean as a band."""
    figure, axes = empty_figure(size)
    curves = metric_curves(results, metric)
    draw_curves(axes, curves)
    name_curves(figure, axes, curves, results.agents)
    axes.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    axes.margins(x=0)
    axes.set(xlabel="round", title=f"{metric.replace('_', ' ').capitalize()} per round, mean with 95 % interval")
    return figure


def length_figure(results: Results, size: Size = PAPER) -> Figure:
    """How long games are."""
    figure, axes = empty_figure(size)
    lengths = results.lengths
    heights, edges = np.histogram(lengths, length_bins(lengths))
    axes.bar(edges[:-1], heights, 0.93 * np.diff(edges), align="edge", color=PALETTE[0])
    axes.axvline(lengths.mean(), color=PALETTE[1], linewidth=1.2)
    right = lengths.mean() < (edges[0] + edges[-1]) / 2
    axes.annotate(
        f"mean {lengths.mean():.1f}",
        (lengths.mean(), 1),
        xytext=(4 if right else -4, -2),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        ha="left" if right else "right",
        va="top",
        color=PALETTE[1],
    )
    axes.margins(x=0.02)
    axes.set_ylim(0, 1.12 * heights.max())
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    axes.grid(visible=False, axis="x")
    axes.set(xlabel="actions", ylabel="games", title="Length of games")
    return figure


def place_figure(results: Results, counts: np.ndarray, size: Size = PAPER) -> Figure:
    """How often each agent came in at each place, as a share of what its seats have played, and its mean place."""
    figure, axes = empty_figure(size)
    played = [agent for agent in range(len(results.agents)) if counts[agent].sum()]
    places, width = np.arange(1, counts.shape[1] + 1), 0.8 / len(played)
    for number, agent in enumerate(played):
        shares = counts[agent] / counts[agent].sum()
        at = places + (number + 0.5) * width - 0.4
        label = f"{results.agents[agent]}: mean {float(shares @ places):.2f}"
        axes.bar(at, shares, 0.93 * width, color=colour_of(agent), label=label)
    axes.set_xticks(places)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes.grid(visible=False, axis="x")
    axes.set(xlabel="place", title="How often each agent came in where")
    figure.legend(loc="outside lower left")
    figure.set_size_inches(size[0], size[1] + LEGEND_LINE * len(played))
    return figure


def length_bins(lengths: np.ndarray) -> np.ndarray:
    """Edges between whole numbers: one bin per length if there are few, otherwise about 30 of equal width.

    >>> length_bins(np.array([5, 6, 8])).tolist()
    [4.5, 5.5, 6.5, 7.5, 8.5]
    """
    low, high = int(lengths.min()), int(lengths.max())
    width = max(1, math.ceil((high - low + 1) / 40))
    return low - 0.5 + width * np.arange(math.ceil((high - low + 1) / width) + 1)


def cross_figure(results: Results) -> Figure:
    """The score of each row against each column, best first."""
    from matplotlib import colormaps

    points, games, _ = results.against()
    order = ranking(results)
    size = len(order)
    with np.errstate(invalid="ignore"):
        shares = (points / games)[np.ix_(order, order)]
    longest = max(len(results.agents[agent]) for agent in order)
    cell = min(0.62, 4.2 / size)
    figure, axes = empty_figure((1.2 + 0.07 * longest + cell * size, 0.9 + cell * size))
    map_ = colormaps["PuOr"].with_extremes(bad="white")
    axes.pcolormesh(np.ma.masked_invalid(shares), cmap=map_, vmin=-0.15, vmax=1.15, edgecolors="white", linewidth=1)
    for row, column in zip(*np.nonzero(np.isfinite(shares)), strict=True):
        share = shares[row, column]
        colour = "white" if abs(share - 0.5) > 0.37 else INK
        axes.text(column + 0.5, row + 0.5, f"{100 * share:.0f}", ha="center", va="center", color=colour)
    axes.set_xticks(np.arange(size) + 0.5, [str(place) for place in range(1, size + 1)])
    axes.set_yticks(
        np.arange(size) + 0.5, [f"{results.agents[agent]}  {place}" for place, agent in enumerate(order, 1)]
    )
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.set_title("Score of row against column, in %")
    return figure


def bar_figures(cells: Sequence[dict[str, Any]], size: Size = PAPER) -> dict[str, Figure]:
    """Bar charts of an experiment in rows and columns: wins, and rounds where they were counted."""
    wins = [(100 * cell["score"], 100 * cell["interval"][0], 100 * cell["interval"][1]) for cell in cells]
    charts = {"wins": bar_figure("wins in %", cells, wins, size)}
    if all("all" in cell["rounds"] for cell in cells):
        rounds = [tuple(cell["rounds"]["all"]) for cell in cells]
        told = [cell | {"published": cell["published_rounds"].get("all", "")} for cell in cells]
        charts["rounds"] = bar_figure("rounds", told, rounds, size)
    return charts


def bar_figure(title: str, cells: Sequence[dict[str, Any]], values: Sequence[tuple[float, ...]], size: Size) -> Figure:
    """A group of bars for each column, a bar for each row; a diamond where a figure was published."""
    with styled():
        figure, axes = empty_figure(size)
        columns, rows = (list(dict.fromkeys(cell[name] for cell in cells)) for name in ("column", "row"))
        width = 0.8 / len(rows)
        for cell, (mean, low, high) in zip(cells, values, strict=True):
            row = rows.index(cell["row"])
            x = columns.index(cell["column"]) + (row + 0.5) * width - 0.4
            label = cell["row"] if cell["column"] == columns[0] else None
            axes.bar(x, mean, 0.9 * width, color=colour_of(row), label=label)
            axes.plot([x, x], [low, high], color=INK, linewidth=0.8)
            if cell["published"]:
                axes.plot(x, float(cell["published"]), "D", color=INK, markerfacecolor="#ffffff", markersize=3)
        axes.set_xticks(range(len(columns)), columns)
        axes.grid(axis="x", visible=False)
        axes.set_title(title)
        figure.legend(loc="outside lower left", ncols=3)
    return figure


def study_figure(points: Sequence[Point], size: Size = PAPER) -> Figure:
    """Exploitability over iterations, both on logarithmic scales; a panel for each position."""
    from matplotlib.figure import Figure

    positions, agents = (list(dict.fromkeys(getattr(p, name) for p in points)) for name in ("position", "agent"))
    across = min(2, len(positions))
    down = -(-len(positions) // across)
    with styled():
        figure = Figure(figsize=(size[0], size[1] * (1 if down == 1 else 0.6 * down)))
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for axes, position in zip(panels, positions, strict=False):
            for number, agent in enumerate(agents):
                mine = [point for point in points if (point.position, point.agent) == (position, agent)]
                draw_study(axes, mine, number, agent if position == positions[0] else None)
            axes.set(xscale="log", yscale="log", ylim=(LEAST, 1.5), xlabel="iterations", title=position)
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(lambda value, _: f"{value:,g}")
                axis.set_minor_formatter("")
        for axes in panels[len(positions) :]:
            axes.set_axis_off()
        figure.supylabel("exploitability", fontsize=STYLE["font.size"])
        figure.legend(loc="outside lower left", ncols=3)
    return figure


def regret_figure(rows: Sequence[Mapping[str, Any]], size: Size = PAPER) -> Figure:
    """Median regret over games, both on logarithmic scales, with the quartiles; a panel for each surface."""
    from matplotlib.figure import Figure

    surfaces, methods = (list(dict.fromkeys(row[name] for row in rows)) for name in ("surface", "method"))
    down = -(-len(surfaces) // 2)
    with styled():
        figure = Figure(figsize=(size[0], size[1] * (1 if down == 1 else 0.7 * down)))
        panels = figure.subplots(down, 2, squeeze=False).ravel()
        for axes, surface in zip(panels, surfaces, strict=False):
            for number, method in enumerate(methods):
                mine = [row for row in rows if (row["surface"], row["method"]) == (surface, method)]
                games = [row["games"] for row in mine]
                low, high = np.maximum([row["quartiles"] for row in mine] or np.zeros((0, 2)), LEAST_REGRET).T
                median = np.maximum([row["median"] for row in mine], LEAST_REGRET)
                label = method if surface == surfaces[0] else None
                axes.fill_between(games, low, high, color=colour_of(number), alpha=0.12, linewidth=0)
                axes.plot(games, median, color=colour_of(number), marker="o", markersize=2.5, label=label)
            axes.set(xscale="log", yscale="log", xlabel="games", title=surface)
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(lambda value, _: f"{value:,g}")
                axis.set_minor_formatter("")
        for axes in panels[len(surfaces) :]:
            axes.set_axis_off()
        figure.supylabel("regret in Elo", fontsize=STYLE["font.size"])
        figure.legend(loc="outside lower left", ncols=5)
    return figure


def draw_study(axes: Axes, points: Sequence[Point], number: int, label: str | None) -> None:
    """A curve with its 95 % band; what is hardly exploitable lies on the lower edge."""
    iterations = [point.iterations for point in points]
    low, mean, high = (
        np.maximum([getattr(point, name) for point in points], LEAST) for name in ("low", "exploitability", "high")
    )
    axes.fill_between(iterations, low, high, color=colour_of(number), alpha=0.12, linewidth=0)
    axes.plot(iterations, mean, color=colour_of(number), marker="o", markersize=2.5, label=label)


def ranked(results: Results) -> list[int]:
    """Agents by score, best first."""
    scores = [tally.score if tally.games else -1.0 for tally in map(results.agent_tally, range(len(results.agents)))]
    return sorted(range(len(scores)), key=lambda agent: -scores[agent])


def empty_figure(size: Size) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    return figure, figure.add_subplot()


def draw_curves(axes: Axes, curves: Sequence[Curve]) -> None:
    """Curves with their bands; many bands are fainter."""
    for curve in curves:
        colour = colour_of(curve.agent)
        faint = 0.16 if len(curves) < 4 else 0.08
        axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=faint, linewidth=0)
        style = DASHES[curve.agent // len(PALETTE) % len(DASHES)]
        axes.plot(curve.x, curve.y, color=colour, linestyle=style, marker="o" if len(curve.x) == 1 else "")


def name_curves(figure: Figure, axes: Axes, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """Names beside the ends of the curves, best first; long ones below the picture, and numbers beside the ends."""
    if not curves:
        return
    by_end = sorted(curves, key=lambda curve: -curve.y[-1])
    short = max(len(names[curve.agent]) for curve in curves) <= LONG_NAME
    heights = spread([float(curve.y[-1]) for curve in by_end], NAME_GAP * float(np.ptp(axes.get_ylim())))
    for place, (curve, height) in enumerate(zip(by_end, heights, strict=True), 1):
        text = names[curve.agent] if short else str(place) if len(curves) > 1 else ""
        axes.annotate(
            text,
            (1, height),
            xytext=(4, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            va="center",
            color=colour_of(curve.agent),
        )
    if not short:
        lines = dict(zip([curve.agent for curve in curves], axes.get_lines()[-len(curves) :], strict=True))
        numbers = [f"{place}  " if len(curves) > 1 else "" for place in range(1, len(curves) + 1)]
        labels = [number + names[curve.agent] for number, curve in zip(numbers, by_end, strict=True)]
        figure.legend([lines[curve.agent] for curve in by_end], labels, loc="outside lower left")
        figure.set_size_inches(figure.get_figwidth(), figure.get_figheight() + LEGEND_LINE * len(curves))


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Falling heights moved apart so that they are no closer than the gap, each as little as can be.

    >>> spread([5.0, 5.0, 1.0], 1.0)
    [5.5, 4.5, 1.0]
    """
    clusters: list[list[float]] = []  # of heights that touch: each is laid out about its mean
    for height in heights:
        clusters.append([height])
        while len(clusters) > 1 and bottom(clusters[-2], gap) - top(clusters[-1], gap) < gap:
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    return [top(cluster, gap) - gap * place for cluster in clusters for place in range(len(cluster))]


def top(cluster: Sequence[float], gap: float) -> float:
    return sum(cluster) / len(cluster) + gap * (len(cluster) - 1) / 2


def bottom(cluster: Sequence[float], gap: float) -> float:
    return top(cluster, gap) - gap * (len(cluster) - 1)


def colour_of(agent: int) -> str:
    return PALETTE[agent % len(PALETTE)]


# --- files ----------------------------------------------------------------------------------------


def figures(results: Results, size: Size = PAPER) -> dict[str, Figure]:
    """All pictures of a run by name; long names below a picture make it higher."""
    counts = results.place_counts()
    results = by_group(results)
    with styled():
        drawn = {"score": score_figure(results, size), "length": length_figure(results, size)}
        if counts is not None:
            drawn["places"] = place_figure(results, counts, size)
        if results.metrics is not None and results.metric_rows is not None and results.metric_rows.max(initial=0) > 1:
            drawn |= {f"metric-{name}": metric_figure(results, name, size) for name in results.metric_names}
        if len(results.agents) > 2:
            drawn["cross-table"] = cross_figure(results)
    return drawn


def write_plots(results: Results, folder: Path, format: str = "png") -> list[Path]:
    """Write all pictures of a run as `png`, `svg` or `pdf`, and say where."""
    return write_figures(figures(results), folder, format)


def write_figures(drawn: Mapping[str, Figure], folder: Path, format: str) -> list[Path]:
    """Write pictures into a folder, each under its name, and say where."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, figure in drawn.items():
        path = folder / f"{name}.{format}"
        path.write_bytes(rendered(figure, format))
        written.append(path)
    return written


def rendered(figure: Figure, format: str, svg_text: str = "path") -> bytes:
    """A picture as the bytes of a file without date or random names; `svg_text="none"` keeps text as text."""
    target = io.BytesIO()
    undated = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    with styled(svg_text):
        figure.savefig(target, format=format, dpi=DOTS, metadata=undated.get(format, {"CreationDate": None}))
    return target.getvalue()


@contextmanager
def styled(svg_text: str = "path") -> Iterator[None]:
    """Matplotlib with the style of this module, whatever the user's settings are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**STYLE, "svg.fonttype": svg_text})
        yield
