"""Pictures of a tuning run, fit for print, in the style of the arena's: each parameter over the steps as in the
figures 7.1 to 7.6 of the Quick Civ thesis, the fitness, the shares of the species, and the response surface of the two
parameters that matter most.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spielbaum.arena.plots import (
    FAINT,
    INK,
    LEGEND_LINE,
    PALETTE,
    PAPER,
    Size,
    colour_of,
    empty_figure,
    styled,
    write_figures,
)
from spielbaum.params import Value
from spielbaum.tune import series
from spielbaum.tune.history import History, Parameter

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

MEAN, BEST = PALETTE[1], PALETTE[2]
LARGEST_DOT, SMALLEST_DOT = 160.0, 5.0  # square points: of all individuals of a step, and of one in a crowd
MANY_DOTS = 1500  # that are drawn as pixels
MOST_LETTERS = 40  # of words below a picture beside each other
EVOLUTION = "evolution"


def figures(history: History, size: Size = PAPER) -> dict[str, Figure]:
    """All pictures of a run by name: the parameters that matter most first."""
    weights = series.importances(history)
    ordered = sorted(history.parameters, key=lambda one: -weights.get((one.species, one.name), 0.0))
    drawn: dict[str, Figure] = {}
    if not history.steps:
        return drawn
    with styled():
        if series.tells_fitness(history):
            drawn["fitness"] = fitness_figure(history, size)
        if len(history.agents) > 1:
            drawn["species"] = species_figure(history, size)
        if (surface := series.response_surface(history)) is not None:
            drawn["response-surface"] = response_surface_figure(history, surface, size)
        for parameter in ordered:
            name = slug(f"{parameter.species} {parameter.name}" if len(history.agents) > 1 else parameter.name)
            drawn[f"parameter-{name}"] = parameter_figure(history, parameter, size)
    return drawn


def write_plots(history: History, folder: Path, format: str = "png") -> list[Path]:
    """Write all pictures of a run as `png`, `svg` or `pdf`, and say where."""
    return write_figures(figures(history), folder, format)


def slug(name: str) -> str:
    """
    >>> slug("mcts:iterations=100 weight.corner")
    'mcts-iterations-100-weight.corner'
    """
    return re.sub(r"[^\w.]+", "-", name).strip("-")


# --- figures --------------------------------------------------------------------------------------


def parameter_figure(history: History, parameter: Parameter, size: Size = PAPER) -> Figure:
    """The values of a parameter over the steps: a dot per value, its area the number of individuals; their mean."""
    figure, axes = empty_figure(size)
    course = series.course(history, parameter)
    if parameter.start is not None:
        try:
            start = series.place(parameter, parameter.start)
            axes.axhline(start, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1, label="given")
        except ValueError:  # a choice that is not among those worth trying
            pass
    draw_dots(axes, course.dots, history, colour_of(number_of(history, parameter.species)))
    if not parameter.choices or len(parameter.choices) == 2:
        axes.plot(*columns_of(course.mean), color=MEAN, zorder=4, label="mean")
    best = series.thought_best(history, parameter)
    if best:
        how = {"linestyle": "", "marker": "D", "markersize": 2.5} if parameter.choices else {"linestyle": ":"}
        axes.plot(*columns_of(best), color=BEST, linewidth=1.2, zorder=5, label="thought best", **how)
    mark_range(axes.yaxis, parameter)
    axes.set_ylim(-0.06, 1.06)
    mark_steps(axes, history)
    axes.set_title(title_of(history, parameter))
    below(figure, axes, size)
    return figure


def fitness_figure(history: History, size: Size = PAPER) -> Figure:
    """The fitness of all individuals over the steps, and the mean of each species."""
    figure, axes = empty_figure(size)
    for number, name in enumerate(series.species(history)):
        course = series.fitness(history, name)
        draw_dots(axes, course.dots, history, colour_of(number), alpha=0.25)
        if course.mean:
            label = name if len(history.agents) > 1 else "mean"
            axes.plot(*columns_of(course.mean), color=colour_of(number), zorder=4, label=label)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    mark_steps(axes, history)
    others = "against the opponents" if history.against else "among each other"
    axes.set_title(f"Fitness ({history.maximises}) {others}")
    below(figure, axes, size)
    return figure


def species_figure(history: History, size: Size = PAPER) -> Figure:
    """The share of each species in the population."""
    figure, axes = empty_figure(size)
    shares = series.shares(history)
    steps = [step for step, _ in next(iter(shares.values()))]
    heights = [[share for _, share in values] for values in shares.values()]
    colours = [colour_of(number) for number in range(len(shares))]
    axes.stackplot(steps, heights, colors=colours, alpha=0.75, labels=list(shares), linewidth=0)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    mark_steps(axes, history)
    axes.margins(x=0)
    axes.set_title("Shares of the species")
    below(figure, axes, size)
    return figure


def response_surface_figure(history: History, surface: series.ResponseSurface, size: Size = PAPER) -> Figure:
    """The mean fitness near each pair of values of the two parameters that matter most, and who was tried."""
    from matplotlib import colormaps

    figure, axes = empty_figure((size[0], 1.15 * size[1]))
    mesh = axes.imshow(
        np.ma.masked_invalid(surface.grid),
        extent=(*edges_of(surface.x), *edges_of(surface.y)),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=colormaps["cividis"],
    )
    axes.scatter(
        surface.points[:, 0], surface.points[:, 1], s=3, color="#ffffff", edgecolors=INK, linewidths=0.3, zorder=3
    )
    if history.best and series.has(history.best, surface.x) and series.has(history.best, surface.y):
        values = history.best.values
        at = [series.place(one, values[one.name]) for one in (surface.x, surface.y)]
        axes.plot(*at, "D", color=PALETTE[1], markeredgecolor="#ffffff", markersize=6, zorder=4, label="thought best")
    sign = "+" if surface.relative else ""
    bar = figure.colorbar(
        mesh, ax=axes, format=lambda value, _: f"{100 * value:{sign}.3g} %".replace("-", "−"), pad=0.02
    )
    bar.outline.set_visible(False)
    mark_range(axes.xaxis, surface.x)
    mark_range(axes.yaxis, surface.y)
    if series.width(surface.x) > MOST_LETTERS:
        axes.tick_params("x", labelrotation=30)
    fitness = f"fitness ({history.maximises})"
    of = f"{fitness.capitalize()} above the mean of its kind" if surface.relative else f"Mean {fitness}"
    axes.set(xlabel=surface.x.name, ylabel=surface.y.name, title=f"{of}, near each pair of values")
    axes.grid(visible=False)
    below(figure, axes, (size[0], 1.15 * size[1]))
    return figure


# --- parts ----------------------------------------------------------------------------------------


def draw_dots(axes: Axes, dots: list[series.Dot], history: History, colour: str, alpha: float = 0.55) -> None:
    """Dots whose area is the share of a step's individuals that they stand for."""
    if not dots:
        return
    most = max(len(column.individuals) for column in series.columns(history))
    areas = [max(SMALLEST_DOT, LARGEST_DOT * dot.number / max(most, 6)) for dot in dots]
    axes.scatter(
        [dot.step for dot in dots],
        [dot.at for dot in dots],
        s=areas,
        color=colour,
        alpha=alpha,
        linewidths=0,
        zorder=2,
        rasterized=len(dots) > MANY_DOTS,
    )


def columns_of(line: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [step for step, _ in line], [at for _, at in line]


def mark_steps(axes: Axes, history: History) -> None:
    """The steps, which are generations where there are populations."""
    first, last = history.steps[0].number, history.steps[-1].number
    axes.set_xlim(first - 0.6, max(last, first + 1) + 0.6)
    axes.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    axes.set_xlabel("generation" if history.method == EVOLUTION else "step")


def mark_range(axis: Axis, parameter: Parameter) -> None:
    """Values at places from 0 to 1."""
    marks = series.ticks(parameter)
    axis.set_ticks([at for at, _ in marks], [tick_label(value) for _, value in marks])


def tick_label(value: Value) -> str:
    """
    >>> tick_label(-0.5), tick_label(1000000), tick_label("ucb1")
    ('−0.5', '1,000,000', 'ucb1')
    """
    return value if isinstance(value, str) else f"{value:,.7g}".replace("-", "−")


def edges_of(parameter: Parameter) -> tuple[float, float]:
    """Where the response surface begins and ends; choices lie in the middles of its cells."""
    half = 0.5 / max(1, len(parameter.choices) - 1) if parameter.choices else 0.0
    return -half, 1 + half


def number_of(history: History, species: str) -> int:
    return history.agents.index(species) if species in history.agents else 0


def title_of(history: History, parameter: Parameter) -> str:
    """`c`, with its species where there are several, and where it matters."""
    species = f" of {parameter.species.partition(':')[0]}" if len(history.agents) > 1 else ""
    condition = f", where {parameter.condition}" if parameter.condition else ""
    return f"{parameter.name}{species}{condition}"


def below(figure: Figure, axes: Axes, size: Size) -> None:
    """What the lines are, below the picture."""
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        across = 3 if max(map(len, labels)) < 24 else 1
        figure.legend(handles, labels, loc="outside lower left", ncols=across)
        figure.set_size_inches(size[0], size[1] + LEGEND_LINE * -(-len(labels) // across))
