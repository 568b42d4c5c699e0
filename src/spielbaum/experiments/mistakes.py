"""How often agents err in positions of Connect Four whose outcomes are known.

    spielbaum reproduce connect-four/mistakes

A file of this kind is TOML, too:

    title = "…"
    source = "…"
    quick = 20                           positions of each set with --quick; all there are otherwise
    seed = 1
    parameters = { seconds = 0.1 }       what {seconds} stands for in agents; --set changes it
    mistakes = { network = "network:seconds={seconds}" }
    published = { "AlphaZero.jl" = { L1_R1 = 0 } }      in per cent, set by set

Every position is searched by an agent of its own, so that no tree helps with the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from spielbaum.agents import make
from spielbaum.arena.stats import wilson
from spielbaum.errors import unknown
from spielbaum.experiments.files import read, require
from spielbaum.game import Game, load
from spielbaum.games.connect_four import positions
from spielbaum.params import Value

FIELDS = {"title", "source", "quick", "seed", "parameters", "mistakes", "published"}


@dataclass(frozen=True)
class Trial:
    """Agents, and the positions in which they choose."""

    name: str
    title: str
    source: str
    game: Game
    agents: dict[str, str]
    known: list[positions.Known]
    seed: int
    published: dict[str, dict[str, float]]
    parameters: dict[str, Value]


@dataclass(frozen=True)
class Share:
    """How many of its moves in a set were an agent's mistakes, with the 95 % interval of their share."""

    agent: str
    set: str
    positions: int
    mistakes: int
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """The share as plain data."""
        return asdict(self)


def load_trial(name: str, count: int | None, quick: bool, given: Mapping[str, Value], seed: int | None = None) -> Trial:
    """A trial by its name, or by the path of a file of yours; `count` positions of each set, or all."""
    data, file = read(name)
    require(data, FIELDS, {"title", "mistakes"}, file)
    parameters = data.get("parameters", {})
    for key in given:
        if key not in parameters:
            raise unknown("parameter", key, sorted(parameters), file)
    parameters |= given
    agents = {title: spec.format(**parameters) for title, spec in data["mistakes"].items()}
    most = count or (data.get("quick", 20) if quick else None)
    sets = [[known for known in positions.read() if known.name == name] for name in positions.SETS]
    return Trial(
        name.removesuffix(".toml"),
        data["title"],
        data.get("source", ""),
        load("connect-four"),
        agents,
        [known for each in sets for known in each[:most]],
        data.get("seed", 0) if seed is None else seed,
        data.get("published", {}),
        parameters,
    )


def measure(trial: Trial) -> Iterator[Share]:
    """The share of mistakes of each agent in each set."""
    for title, spec in trial.agents.items():
        for part in positions.SETS:
            chosen = [(number, each) for number, each in enumerate(trial.known) if each.name == part]
            mistakes = sum(errs(trial.game, spec, each, trial.seed + number) for number, each in chosen)
            if chosen:
                low, high = wilson(mistakes / len(chosen), len(chosen))
                yield Share(title, part, len(chosen), mistakes, low, high)


def errs(game: Game, spec: str, known: positions.Known, seed: int) -> bool:
    """Whether an agent's move in a position makes the outcome worse."""
    action = make(spec, game, seed).act(game.play_all(list(known.moves)))
    return game.module.format_action(action) not in known.keeping
