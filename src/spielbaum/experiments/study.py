"""How far from an equilibrium searches are, and how that changes with the iterations they make.

    spielbaum reproduce simultaneous/equilibrium

A study is TOML, too: positions of small games of two that `search/equilibrium.py` solves, and agents who search them.

    title = "…"
    source = "…"
    searches = 20                        of each agent, position and number of iterations; `quick` of them with --quick
    iterations = [10, 100, 1000]
    seed = 1
    agents = { "DUCT(mix)" = "mcts:decide=mix" }

    [[positions]]
    name = "…"
    game = "rock-paper-scissors"
    options = { … }
    moves = "…"                          that lead to the position from the beginning

Each search is one of each seat, with a seed of its own, in what that seat sees. What is measured is the exploitability
of the two strategies by which the agents would draw their move: those of `decide=mix`, otherwise all on one move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielbaum.agents import make, resolve, strategies
from spielbaum.arena.stats import mean_interval
from spielbaum.errors import SpielbaumError
from spielbaum.experiments.files import read, require
from spielbaum.game import Game, State, load
from spielbaum.search.equilibrium import Equilibrium, equilibrium, exploitability

FIELDS = {"title", "source", "searches", "quick", "iterations", "seed", "agents", "positions"}
POSITION_FIELDS = {"name", "game", "options", "moves"}


@dataclass(frozen=True)
class Position:
    """A position that is solved and searched."""

    name: str
    moves: str
    state: State


@dataclass(frozen=True)
class Study:
    """Agents, positions and how long and how often each is searched."""

    name: str
    title: str
    source: str
    searches: int
    iterations: tuple[int, ...]
    seed: int
    agents: dict[str, str]
    positions: tuple[Position, ...]


@dataclass(frozen=True)
class Point:
    """The mean exploitability of so many searches, with its 95 % interval."""

    position: str
    value: float
    """What the position is worth to the first player."""
    agent: str
    iterations: int
    searches: int
    exploitability: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """The point as plain data."""
        return asdict(self)


def load_study(name: str, searches: int | None = None, quick: bool = False, seed: int | None = None) -> Study:
    """A study by its name, or by the path of a file of yours; `searches` and `seed` override what the file says."""
    data, file = read(name)
    require(data, FIELDS, {"title", "searches", "iterations", "agents", "positions"}, file)
    count = searches or (data.get("quick", max(2, data["searches"] // 10)) if quick else data["searches"])
    positions = tuple(
        position_of(each, f"position {number} of {file}") for number, each in enumerate(data["positions"], 1)
    )
    for spec in data["agents"].values():
        for position in positions:
            check(spec, position.state.game)
    return Study(
        name.removesuffix(".toml"),
        data["title"],
        data.get("source", ""),
        count,
        tuple(data["iterations"]),
        data.get("seed", 0) if seed is None else seed,
        data["agents"],
        positions,
    )


def position_of(data: dict[str, Any], where: str) -> Position:
    """The position that a file describes."""
    require(data, POSITION_FIELDS, {"name", "game"}, where)
    state = load(data["game"], **data.get("options", {})).new()
    moves = data.get("moves", "")
    state.play_all([moves] if moves else [])
    return Position(data["name"], moves, state)


def check(spec: str, game: Game) -> None:
    """Refuse agents without a strategy, and those with a number of iterations of their own."""
    kind, values = resolve(spec, game)
    if kind.name != "mcts":
        raise SpielbaumError(f"{spec}: only the strategies of mcts are studied, not those of {kind.name}")
    if values["iterations"] is not None or values["seconds"] is not None:
        raise SpielbaumError(f"{spec}: the study says how many iterations; leave iterations and seconds out")


def measure(study: Study) -> Iterator[Point]:
    """Every point of a study, position by position."""
    for position in study.positions:
        known = equilibrium(position.state)
        for agent, spec in study.agents.items():
            for iterations in study.iterations:
                found = [
                    searched(position.state, known, spec, iterations, study.seed + number)
                    for number in range(study.searches)
                ]
                mean, low, high = mean_interval(found)
                yield Point(position.name, known.value, agent, iterations, study.searches, mean, low, high)


def searched(state: State, known: Equilibrium, spec: str, iterations: int, seed: int) -> float:
    """The exploitability of one search of each seat."""
    first, second = (strategy(state, known.actions[seat], seat, spec, iterations, 2 * seed + seat) for seat in (0, 1))
    return exploitability(known.payoff, first, second)


def strategy(state: State, actions: list[int], seat: int, spec: str, iterations: int, seed: int) -> np.ndarray:
    """How likely an agent plays each action after a search."""
    if len(actions) == 1:
        return np.ones(1)
    whole = f"{spec}{',' if ':' in spec else ':'}iterations={iterations}"
    return strategies.strategy(make(whole, state.game, seed), state.view(seat), actions)
