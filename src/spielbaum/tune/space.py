"""What can be tuned: the parameters of an agent that are varied, each as a gene with its range or its choices.

    --vary c=0.2..3  --vary select  --vary select=ucb1|greedy  --vary 'weight.*'  --vary rave=1..1000,log

Without a range a parameter has the one that its declaration names (`Param.tune`), or else what it may be at all
(`Param.low`, `Param.high`); without any `--vary` all numbers and switches with a `tune` that matter are varied.
Choices are varied only if asked for: most of them link a kernel anew.
A text that joins words (such as `filter`) is a set: each word is a gene of its own, on or off.

A gene whose condition does not hold (`Param.when`) is left out of the specification: it means nothing there.
"""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielbaum.agents import make, resolve
from spielbaum.agents.specs import parse
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import Game
from spielbaum.params import Param, Value, holds, written
from spielbaum.tune.history import Parameter

Values = dict[str, Value]

DIGITS = 4  # of a number in a specification; more would only pretend
OF_GAME = "game."  # before an option of the game in a condition
MEMBER = ":"  # between a set and its word in the name of a gene
SETS = ("filter",)  # texts that join words by +
RANGE = re.compile(r"(?P<low>[-+.\deE]+)\.\.(?P<high>[-+.\deE]+)(?P<log>,log)?")


@dataclass(frozen=True)
class Gene:
    """A parameter that is varied: a number between `low` and `high`, or one of some choices."""

    name: str
    start: Value
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    whole: bool = False
    choices: tuple[Value, ...] = ()
    when: str = ""

    @property
    def numeric(self) -> bool:
        return not self.choices

    @property
    def switch(self) -> bool:
        """Whether it is on or off."""
        return self.choices == (False, True)

    @property
    def levels(self) -> int:
        """How many values it has; 0 where there is no end of them."""
        return len(self.choices) if self.choices else int(self.high - self.low) + 1 if self.whole else 0

    def at(self, place: float) -> Value:
        """The value at a place between 0 and 1."""
        place = min(1.0, max(0.0, place))
        if self.choices:
            return self.choices[min(int(place * len(self.choices)), len(self.choices) - 1)]
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        value = low + place * (high - low)
        value = math.exp(value) if self.log else value
        if self.whole:
            return int(min(self.high, max(self.low, round(value))))
        return min(self.high, max(self.low, rounded(value)))

    def place(self, value: Value) -> float:
        """Where between 0 and 1 a value is; one beyond the range is at its end."""
        if self.choices:
            return (self.choices.index(value) + 0.5) / len(self.choices) if value in self.choices else 0.0
        if value is None or isinstance(value, str):
            return 0.5  # the agent has none of its own
        low, high, here = self.low, self.high, min(self.high, max(self.low, float(value)))
        if self.log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        return (here - low) / (high - low)


def rounded(number: float) -> float:
    """A number with the digits that a specification tells.

    >>> rounded(0.123456)
    0.1235
    """
    return float(f"{number:.{DIGITS}g}")


@dataclass(frozen=True)
class Species:
    """An agent to be tuned: what stays as given, and what is varied."""

    given: str
    name: str
    fixed: Mapping[str, Value]
    """What the specification says."""
    values: Mapping[str, Value]
    """All parameters of the agent as given, and what conditions ask for besides: the options of the game."""
    genes: tuple[Gene, ...]

    @property
    def start(self) -> Values:
        """The agent as given, within the ranges."""
        return {gene.name: gene.at(gene.place(gene.start)) for gene in self.genes}

    def at(self, places: Sequence[float] | np.ndarray) -> Values:
        """The values at places between 0 and 1, one for each gene."""
        return {gene.name: gene.at(float(place)) for gene, place in zip(self.genes, places, strict=True)}

    def places(self, values: Mapping[str, Value]) -> np.ndarray:
        """f8[genes]: where values are."""
        return np.array([gene.place(values[gene.name]) for gene in self.genes])

    def active(self, values: Mapping[str, Value]) -> Values:
        """The values that matter beside the others."""
        whole = {**self.values, **joined(values, self.values)}
        return {gene.name: values[gene.name] for gene in self.genes if holds(gene.when, whole)}

    def spec(self, values: Mapping[str, Value]) -> str:
        """The specification of the agent with these values."""
        told = {**self.fixed, **joined(self.active(values), self.values)}
        assignments = ",".join(f"{name}={written(value)}" for name, value in told.items())
        return f"{self.name}:{assignments}" if assignments else self.name

    def parameters(self) -> list[Parameter]:
        """The genes as a history tells them."""
        return [
            Parameter(
                self.given,
                gene.name,
                gene.low if gene.numeric else None,
                gene.high if gene.numeric else None,
                gene.log,
                gene.whole,
                tuple(map(written, gene.choices)),
                gene.when,
                gene.start,
            )
            for gene in self.genes
        ]


def joined(values: Mapping[str, Value], base: Mapping[str, Value]) -> Values:
    """Values by the names of parameters: the words of a set that are on, and those of the base that no gene has."""
    told = {name: value for name, value in values.items() if MEMBER not in name}
    members = [name.split(MEMBER) for name in values if MEMBER in name]
    for owner in dict.fromkeys(owner for owner, _ in members):
        varied = [word for each, word in members if each == owner]
        kept = [word for word in str(base[owner] or "").split("+") if word and word not in varied]
        told[owner] = "+".join(kept + [word for word in varied if values[f"{owner}{MEMBER}{word}"]])
    return told


# --- from the command line ------------------------------------------------------------------------


def species(game: Game, spec: str, vary: Sequence[str] = ()) -> Species:
    """An agent to be tuned; what can't be varied is refused, with what could be."""
    kind, own = resolve(spec, game)
    values: Values = {**own, **{OF_GAME + option: value for option, value in game.options.items()}}
    name, fixed = parse(spec)
    params = {param.name: param for param in kind.params(game)}
    where = f"{kind.name} in {game.name}"
    chosen: dict[str, str] = {}
    for text in vary:
        pattern, _, told = own_part(text, name).partition("=")
        found = fnmatch.filter(params, pattern.strip())
        if not found:
            raise unknown("parameter", pattern.strip(), params, where)
        wild = len(found) > 1 or found[0] != pattern.strip()
        if wild and not told:
            found = with_ranges(params[each] for each in found if holds(params[each].when, values))
        for each in found:
            if each in chosen and not wild:
                raise SpielbaumError(f"{each!r} is varied twice; name each parameter once")
            chosen[each] = told.strip()
    if not vary:
        chosen = {param.name: "" for param in params.values() if worth_varying(param, fixed, values)}
    genes = [gene for each, told in chosen.items() for gene in genes_of(params[each], values[each], told, where)]
    if not genes:
        listed = ", ".join(param.name for param in params.values() if has_range(param)) or "none"
        raise SpielbaumError(
            f"nothing of {spec} is left to vary; name parameters with --vary NAME or --vary NAME=LOW..HIGH"
            f" (with a range of their own: {listed})"
        )
    tuned = Species(spec, name, fixed, values, tuple(genes))
    require_sense(tuned, params)
    return playable(tuned, game, asked=bool(vary))


def own_part(text: str, name: str) -> str:
    """What is to be varied, without the agent that it is for: `greedy:tiles=0..5` says nothing to mcts."""
    agent, colon, rest = text.partition(":")
    return rest if colon and agent == name else text


def concerns(text: str, names: Iterable[str], name: str) -> bool:
    """Whether a `--vary` is for this agent; one without an agent's name is for all."""
    agent, colon, _ = text.partition(":")
    return not colon or agent not in names or agent == name


def worth_varying(param: Param, fixed: Mapping[str, Value], values: Mapping[str, Value]) -> bool:
    """Whether a parameter is varied without being named."""
    counts = param.tune is not None and param.type is not str
    return counts and param.name not in fixed and holds(param.when, values)


def genes_of(param: Param, start: Value, told: str, where: str) -> list[Gene]:
    """The gene of a parameter, or those of the words of a set."""
    if param.type is bool:
        return [Gene(param.name, start, choices=(False, True), when=param.when)]
    if param.type is str:
        words = tuple(told.split("|")) if told else tuple(map(str, param.tune or param.choices or ()))
        if param.name in SETS and words:
            had = str(start or "").split("+")
            return [Gene(f"{param.name}{MEMBER}{w}", w in had, choices=(False, True), when=param.when) for w in words]
        if len(words) < 2:
            raise SpielbaumError(
                f"{param.name} of {where} has no choices to vary; name them: --vary '{param.name}=ONE|OTHER'"
            )
        for word in words:
            param.parse(word)
        return [Gene(param.name, start, choices=words, when=param.when)]
    low, high, log = bounds(param, start, told, where)
    return [Gene(param.name, start, low, high, log, param.type is int, (), param.when)]


def with_ranges(params: Iterable[Param]) -> list[str]:
    """Those of a pattern that say what is worth trying, or if none of them does, all that have limits."""
    params = list(params)
    return [param.name for param in params if param.tune] or [param.name for param in params if has_range(param)]


def has_range(param: Param) -> bool:
    """Whether a parameter says itself between what it is varied, if it is named."""
    return param.tune is not None or limits(param) is not None


def limits(param: Param) -> tuple[float, float] | None:
    """The least and the greatest value that a number may have, where both are declared."""
    if param.type not in (int, float) or param.low is None or param.high is None or param.low >= param.high:
        return None
    return param.low, param.high


def bounds(param: Param, start: Value, told: str, where: str) -> tuple[float, float, bool]:
    """The range of a number, as told or as declared."""
    if not told:
        ends = param.tune or limits(param)
        if ends is None:
            raise SpielbaumError(
                f"{param.name} of {where} has no range worth searching of its own; give one, such as"
                f" --vary {param.name}={proposal(param, start)}"
            )
        low, high = ends
        assert isinstance(low, int | float) and isinstance(high, int | float)
        return float(low), float(high), param.log and low > 0
    match = RANGE.fullmatch(told.replace(" ", ""))
    try:
        assert match
        low, high = float(match["low"]), float(match["high"])
    except (AssertionError, ValueError):
        raise SpielbaumError(
            f"{param.name}={told} is not a range; write --vary {param.name}=LOW..HIGH, with ,log for steps by factors"
        ) from None
    if not (low < high and math.isfinite(low) and math.isfinite(high)):
        raise SpielbaumError(f"the range {param.name}={told} is empty; LOW must be below HIGH")
    param.parse(int(low) if param.type is int and low == int(low) else low)
    param.parse(int(high) if param.type is int and high == int(high) else high)
    log = bool(match["log"]) or (param.log and low > 0)
    if log and low <= 0:
        raise SpielbaumError(f"the range {param.name}={told} can't be logarithmic: LOW must be above 0")
    return low, high, log


def proposal(param: Param, start: Value) -> str:
    """A range that may make sense: around what the agent has, within what is allowed.

    >>> proposal(Param("limit", 2000, "moves", low=1), 2000)
    '500..8000,log'
    """
    centre = float(start) if isinstance(start, int | float) and start else 0.0
    least, most = param.low if param.low is not None else -math.inf, param.high if param.high is not None else math.inf
    if centre > 0:
        low, high = max(least, centre / 4), min(most, centre * 4)
    else:
        low = least if math.isfinite(least) else 0.0
        high = most if math.isfinite(most) else max(100 * low, 1000.0 if param.type is int else 1.0)
    if param.type is int:
        low, high = math.ceil(low), math.floor(high)
    return f"{low:g}..{high:g}{',log' if low > 0 and high / low > 8 else ''}"


def require_sense(tuned: Species, params: Mapping[str, Param]) -> None:
    """Refuse a gene whose condition can never hold."""
    varied = {gene.name.partition(MEMBER)[0] for gene in tuned.genes}
    for gene in tuned.genes:
        for clause in gene.when.split(" & "):
            asked = set(asked_for(clause))
            if gene.name in asked:
                continue  # a number that is off until it is varied
            if not holds(clause, tuned.values) and not asked & varied:
                raise SpielbaumError(f"{gene.name} matters only where {clause}, {remedy(asked, tuned, params)}")


def asked_for(when: str) -> list[str]:
    """The parameters that a condition is about.

    >>> asked_for("select=ucb1|puct & depth or value=difference")
    ['select', 'depth', 'value']
    """
    return [text.partition("=")[0].strip() for text in re.split(" or | & ", when)] if when else []


def remedy(asked: set[str], tuned: Species, params: Mapping[str, Param]) -> str:
    """Why a condition does not hold, and what to do about it."""
    options = sorted(name.removeprefix(OF_GAME) for name in asked if name.startswith(OF_GAME))
    if options:
        return f"an option that the game was not given; set it with --option {options[0]}=…"
    others = " or ".join(sorted(asked & set(params)) or sorted(asked))
    return f"which {tuned.given} does not say; add that to --agent, or vary {others} as well"


def playable(tuned: Species, game: Game, asked: bool) -> Species:
    """The species with the values that its agent can be made with; what was asked for is refused otherwise."""
    genes: list[Gene] = []
    for gene in tuned.genes:
        ends = gene.choices or (gene.at(0.0), gene.at(1.0))
        wrong = {end: objection(tuned, game, {**tuned.start, gene.name: end}) for end in ends}
        fitting = tuple(end for end in ends if not wrong[end])
        if len(fitting) == len(ends):
            genes.append(gene)
        elif asked:
            raise SpielbaumError(next(filter(None, wrong.values())))
    if not genes:
        raise SpielbaumError(f"nothing of {tuned.given} can be varied in {game.name}; name parameters with --vary")
    return Species(tuned.given, tuned.name, tuned.fixed, tuned.values, tuple(genes))


def objection(tuned: Species, game: Game, values: Mapping[str, Any]) -> str:
    """Why an agent can't be made with some values; empty if it can."""
    try:
        make(tuned.spec(values), game)
    except SpielbaumError as error:
        return str(error)
    return ""
