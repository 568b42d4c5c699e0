"""What pictures of a tuning run show, in numbers: for Matplotlib, for a report and for a page in a browser.

As the figures 7.1 to 7.6 of the Quick Civ thesis: the values of each parameter over the generations, a dot per value
with the number of individuals that have it, and their mean. Beside them the fitness, the shares of the species and,
of the two parameters that matter most, a response surface: the mean fitness near each point,

    f(x, y) = sum w_i f_i / sum w_i,    w_i = games_i exp(-((x - x_i)^2 + (y - y_i)^2) / 2h^2)

(Nadaraya 1964, Watson 1964) with x and y from 0 to 1 over their ranges; choices are not mixed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from spielbaum.arena.stats import correlation_ratio, kernel_regression
from spielbaum.params import Value
from spielbaum.tune.history import History, Individual, Parameter

MOST_COLUMNS = 150  # steps that are told apart; more of them are taken together
LEVELS = 50  # values of a range that are told apart
PARTS = 5  # about so many, between marks of a range
BANDWIDTH = 0.08  # of a range, over which the response surface is smoothed
CELLS = 48  # of the response surface along a range
ENOUGH = 1.5  # individuals near a place, weighted; elsewhere nothing is known
BINS = 6  # equal parts of all individuals, to see how much of the fitness a range explains


class Dot(NamedTuple):
    """So many individuals of a step that have a value."""

    step: float
    at: float
    number: int


class Course(NamedTuple):
    """How something went over the steps; where nobody had a value there is no point of a line."""

    dots: list[Dot]
    mean: list[tuple[float, float]]


class ResponseSurface(NamedTuple):
    """The mean fitness over two parameters; places that nobody was near are NaN."""

    x: Parameter
    y: Parameter
    grid: np.ndarray  # f8[cells of y, cells of x]
    points: np.ndarray  # f8[n, 3]: the individuals, x and y from 0 to 1, and their fitness
    relative: bool
    """Whether it is what the fitness is above the mean of the step: where individuals play each other."""


class Column(NamedTuple):
    """A step, or several of a long run, with all individuals."""

    step: float
    individuals: list[Individual]


def columns(history: History) -> list[Column]:
    """The steps as they are shown."""
    together = math.ceil(len(history.steps) / MOST_COLUMNS) or 1
    groups = [history.steps[first : first + together] for first in range(0, len(history.steps), together)]
    return [
        Column((group[0].number + group[-1].number) / 2, [one for step in group for one in step.individuals])
        for group in groups
    ]


# --- parameters -----------------------------------------------------------------------------------


def course(history: History, parameter: Parameter) -> Course:
    """The values of a parameter over the steps, as places from 0 to 1 over its range, and their mean."""
    dots, means = list[Dot](), list[tuple[float, float]]()
    for column in columns(history):
        at = places(parameter, column.individuals)
        if at:
            dots += counted(column.step, at, parameter)
            means.append((column.step, sum(at) / len(at)))
    return Course(dots, means)


def thought_best(history: History, parameter: Parameter) -> list[tuple[float, float]]:
    """What a method thought best for a parameter after each step."""
    last, together = len(history.steps), math.ceil(len(history.steps) / MOST_COLUMNS) or 1
    chosen = [step for i, step in enumerate(history.steps, 1) if i % together == 0 or i == last]
    found = [(step.number, step.best) for step in chosen if step.best.species == parameter.species]
    return [(number, place(parameter, best.values[parameter.name])) for number, best in found if has(best, parameter)]


def has(one: object, parameter: Parameter) -> bool:
    return one.values.get(parameter.name) is not None  # type: ignore[attr-defined]


def places(parameter: Parameter, individuals: Iterable[Individual]) -> list[float]:
    """Where the individuals of the parameter's species lie in its range, as far as it matters to them."""
    mine = [one for one in individuals if one.species == parameter.species and has(one, parameter)]
    return [place(parameter, one.values[parameter.name]) for one in mine]


def place(parameter: Parameter, value: Value) -> float:
    """A value as a place from 0 to 1 over a parameter's range; choices in equal distances.

    >>> place(Parameter("mcts", "c", 1.0, 4.0, True, False, (), "", 1.4), 2.0)
    0.5
    >>> place(Parameter("mcts", "select", None, None, False, False, ("ucb1", "puct", "thompson"), "", "ucb1"), "puct")
    0.5
    """
    if parameter.choices:
        return parameter.choices.index(spelled(value)) / max(1, len(parameter.choices) - 1)
    assert parameter.low is not None and parameter.high is not None and not isinstance(value, str | None)
    low, high, at = float(parameter.low), float(parameter.high), float(value)
    if parameter.log:
        low, high, at = math.log(low), math.log(high), math.log(max(at, low))
    return (at - low) / (high - low) if high > low else 0.5


def spelled(value: Value) -> str:
    """A value as choices are written."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def value_at(parameter: Parameter, at: float) -> float:
    """The number at a place of a range."""
    assert parameter.low is not None and parameter.high is not None
    low, high = float(parameter.low), float(parameter.high)
    if parameter.log:
        return float(low * (high / low) ** at)
    return low + at * (high - low)


def counted(step: float, at: Sequence[float], parameter: Parameter | None = None) -> list[Dot]:
    """Values that can't be told apart as one dot."""
    fine = parameter is not None and (parameter.choices or parameter.whole)
    together = Counter(each if fine else round(each * LEVELS) / LEVELS for each in at)
    return [Dot(step, place, number) for place, number in sorted(together.items())]


def ticks(parameter: Parameter) -> list[tuple[float, Value]]:
    """Round values of a range with their places, or all choices."""
    if parameter.choices:
        return [(place(parameter, choice), choice) for choice in parameter.choices]
    assert parameter.low is not None and parameter.high is not None
    low, high = float(parameter.low), float(parameter.high)
    values = by_factors(low, high) if parameter.log and high / low >= 4 else round_values(low, high, parameter.whole)
    return [(place(parameter, value), int(value) if value == int(value) else value) for value in values]


def round_values(low: float, high: float, whole: bool = False) -> list[float]:
    """About five round numbers from low to high.

    >>> round_values(-2.0, 2.0), round_values(0.3, 0.72)
    ([-2.0, -1.0, 0.0, 1.0, 2.0], [0.3, 0.4, 0.5, 0.6, 0.7])
    """
    power = 10.0 ** math.floor(math.log10((high - low) / PARTS)) if high > low else 1.0
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power * PARTS >= 0.999 * (high - low))
    step = max(1.0, math.ceil(step)) if whole else step
    numbers = range(math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6) + 1)
    return [float(f"{number * step:.12g}") for number in numbers]


def by_factors(low: float, high: float) -> list[float]:
    """Round numbers from low to high, each a few times the one before."""
    decades = math.log10(high / low)
    factors = (1,) if decades > 4 else (1, 3) if decades > 2 else (1, 2, 5)
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [float(f"{factor}e{exponent}") for exponent in exponents for factor in factors]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


# --- fitness and species --------------------------------------------------------------------------


def species(history: History) -> list[str]:
    """All species, as given."""
    return list(history.agents)


def fitness(history: History, name: str) -> Course:
    """The fitness of a species over the steps: all individuals, and their mean by games."""
    dots, means = list[Dot](), list[tuple[float, float]]()
    for column in columns(history):
        mine = [one for one in column.individuals if one.species == name and one.games]
        if mine:
            dots += counted(column.step, [one.fitness for one in mine])
            games = sum(one.games for one in mine)
            means.append((column.step, sum(one.fitness * one.games for one in mine) / games))
    return Course(dots, means)


def tells_fitness(history: History) -> bool:
    """Whether the fitness says anything: of two who only meet each other one has what the other has not."""
    return bool(history.against) or any(len(step.individuals) > 2 for step in history.steps)


def shares(history: History) -> dict[str, list[tuple[float, float]]]:
    """The share of each species in the individuals of each step."""
    found = columns(history)
    return {
        name: [
            (column.step, sum(one.species == name for one in column.individuals) / max(1, len(column.individuals)))
            for column in found
        ]
        for name in species(history)
    }


# --- what matters ---------------------------------------------------------------------------------


def importances(history: History) -> dict[tuple[str, str], float]:
    """How much each parameter matters, by species and name: as the end of the run tells it, before that a guess."""
    if history.importances:
        return {(effect.species, effect.name): effect.importance for effect in history.importances}
    return {(one.species, one.name): explained(history, one) for one in history.parameters}


def explained(history: History, parameter: Parameter) -> float:
    """The share of the variance of the fitness within steps that lies between parts of a parameter's range.

    This is the adjusted correlation ratio: a parameter that does not matter has about 0, however many parts there are.
    """
    users = [(one, above) for one, above in within_steps(history, parameter.species) if has(one, parameter)]
    at = np.array([place(parameter, one.values[parameter.name]) for one, _ in users])
    fits = np.array([above for _, above in users])
    if len(users) < 2 * BINS:
        return 0.0
    edges = np.unique(np.quantile(at, np.arange(1, BINS) / BINS))
    parts = np.unique(at, return_inverse=True)[1] if parameter.choices else np.searchsorted(edges, at)
    return correlation_ratio(fits, parts)


def within_steps(history: History, name: str) -> list[tuple[Individual, float]]:
    """The individuals of a species, each with what its fitness is above the mean of its kind in its step.

    Where individuals play each other, fitness is a matter of the others; where opponents are fixed, little is lost.
    """
    found = []
    for step in history.steps:
        mine = [one for one in step.individuals if one.games and one.species == name]
        mean = sum(one.fitness for one in mine) / max(1, len(mine))
        found += [(one, one.fitness - mean) for one in mine]
    return found


def response_surface(history: History) -> ResponseSurface | None:
    """The mean fitness over the two parameters that matter most to the best species; None without such a pair."""
    name = history.best.species if history.best else next(iter(history.agents), "")
    weights = importances(history)
    mine = [one for one in history.parameters if one.species == name]
    for y, x in pairs(sorted(mine, key=lambda one: -weights.get((one.species, one.name), 0.0))):
        if width(x) > width(y):
            x, y = y, x  # long names fit beside an axis, not below it
        found = [(one, high) for one, high in judged(history, name) if has(one, x) and has(one, y)]
        if len(found) > 3:
            at = np.array([[place(x, one.values[x.name]), place(y, one.values[y.name]), high] for one, high in found])
            games = np.array([one.games for one, _ in found], float)
            return ResponseSurface(x, y, smoothed(x, y, at, games), at, not history.against)
    return None


def width(parameter: Parameter) -> int:
    """How many letters the marks of a parameter's axis have, where they are words."""
    return sum(map(len, parameter.choices))


def judged(history: History, name: str) -> list[tuple[Individual, float]]:
    """The individuals of a species with the fitness that the response surface shows."""
    if history.against:
        return [
            (one, one.fitness)
            for step in history.steps
            for one in step.individuals
            if one.species == name and one.games
        ]
    return within_steps(history, name)


def pairs(ordered: Sequence[Parameter]) -> Iterable[tuple[Parameter, Parameter]]:
    """Two of them, the most important ones first; conditions may keep a pair from ever meeting."""
    return ((ordered[i], ordered[j]) for j in range(1, len(ordered)) for i in range(j))


def smoothed(x: Parameter, y: Parameter, at: np.ndarray, games: np.ndarray) -> np.ndarray:
    """The response surface at the middles of its cells."""
    near_x, near_y = (nearness(parameter, at[:, i]) for i, parameter in enumerate((x, y)))
    weights = np.einsum("yn,xn,n->yxn", near_y, near_x, games)
    mean, total = kernel_regression(weights, at[:, 2])
    mean[total < min(ENOUGH * games.mean(), total.max() / 2)] = math.nan
    return mean


def nearness(parameter: Parameter, at: np.ndarray) -> np.ndarray:
    """f8[cells, individuals]: how much each individual says about each cell along a parameter."""
    if parameter.choices:
        middles = np.arange(len(parameter.choices)) / max(1, len(parameter.choices) - 1)
        same: np.ndarray = np.isclose(middles[:, None], at).astype(float)
        return same
    middles = (np.arange(CELLS) + 0.5) / CELLS
    near: np.ndarray = np.exp(-((middles[:, None] - at) ** 2) / (2 * BANDWIDTH**2))
    return near
