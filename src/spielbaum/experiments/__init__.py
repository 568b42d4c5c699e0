"""Published results as small declarative files, to be played again and set beside ours.

    spielbaum reproduce latrunculi/6.2

A file is TOML: what is played, and a list of cells, each with its agents and with what was published.

    title = "…"                          shown above the table
    source = "…"                         where the published figures stand
    game = "latrunculi"
    games = 200                          of each cell; `quick` of them with --quick
    seat = "shells"                      whose results the table shows
    options = { board = "8x8" }

    [[cells]]
    name = "…"                           the row; cells with the same `group` stand together
    seats = { shells = "…", stones = "…" }
    swap = true                          sides are swapped; the row then shows the agent that begins in `seat`
    published = "7 of 10"
"""

from __future__ import annotations

import pathlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from spielbaum.arena.plan import Plan, make_plan
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import load

FOLDER = pathlib.Path(__file__).parent
FIELDS = {"title", "source", "game", "games", "quick", "seed", "seat", "options", "cells"}
CELL_FIELDS = {"name", "group", "seats", "swap", "options", "published"}


@dataclass(frozen=True)
class Cell:
    """One match of an experiment."""

    name: str
    group: str
    seat: int
    """Whose results count: those of the agent that begins here."""
    plan: Plan
    published: str


@dataclass(frozen=True)
class Experiment:
    """A published table or figure."""

    name: str
    title: str
    source: str
    seat: str
    cells: tuple[Cell, ...]


def names() -> list[str]:
    """The experiments that come with Spielbaum."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.toml"))


def load_experiment(name: str, games: int | None = None, quick: bool = False) -> Experiment:
    """An experiment by its name, or by the path of a file of yours; `games` overrides what the file says."""
    path = pathlib.Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        raise unknown("experiment", name, names())
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpielbaumError(f"{path.name} is not TOML: {error}") from None
    require(data, FIELDS, {"title", "game", "games", "seat", "cells"}, path.name)
    count = games or (data.get("quick", max(2, data["games"] // 10)) if quick else data["games"])
    cells = tuple(cells_of(data, count, path.name))
    label = name.removesuffix(".toml")
    return Experiment(label, data["title"], data.get("source", ""), data["seat"], cells)


def cells_of(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of a file."""
    for number, cell in enumerate(data["cells"], 1):
        where = f"cell {number} of {file}"
        require(cell, CELL_FIELDS, {"name", "seats"}, where)
        game = load(data["game"], **{**data.get("options", {}), **cell.get("options", {})})
        agents = game.seated(cell["seats"])
        if set(agents) != set(range(game.players)):
            raise SpielbaumError(f"{where}: seats must name all of {', '.join(game.seats)}")
        plan = make_plan(
            game,
            [agents[seat] for seat in range(game.players)],
            games,
            data.get("seed", 0),
            rotate=cell.get("swap", False),
        )
        seat = game.seat_index(data["seat"])
        yield Cell(cell["name"], cell.get("group", ""), seat, plan, str(cell.get("published", "")))


def require(data: dict[str, Any], known: set[str], needed: set[str], where: str) -> None:
    """Refuse what nobody would read, and what is missing."""
    for name in data:
        if name not in known:
            raise unknown("field", name, sorted(known), where)
    for name in sorted(needed - set(data)):
        raise SpielbaumError(f"{where} needs {name!r}")
