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

A table with rows and columns is written down without its cells:

    seats = { mrx = "{column}", detectives = "{row}" }
    rows = ["random", "greedy-bool-1"]   what {row} stands for; or { label = "…" }, or { label = { opponent = "…" } }
    columns = { "(S,G)" = "safepath/greedy-bool-1" }

    [[groups]]                           the whole table once more for each of them
    name = "6 players"
    options = { players = 6 }
    published = [[69.89], [0.05]]        in per cent, as many rows and columns; "" where nothing is known
    rounds = [[17.54], [""]]             likewise
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
FIELDS = {"title", "source", "game", "games", "quick", "seed", "seat", "options"}
CELL_FIELDS = {"name", "group", "seats", "swap", "options", "published"}
TABLE_FIELDS = {"seats", "rows", "columns", "groups"}
GROUP_FIELDS = {"name", "options", "published", "rounds"}


@dataclass(frozen=True)
class Cell:
    """One match of an experiment."""

    name: str
    group: str
    seat: int
    """Whose results count: those of the agent that begins here."""
    plan: Plan
    published: str
    rounds: str = ""
    """The published number of rounds."""
    row: str = ""
    column: str = ""


@dataclass(frozen=True)
class Experiment:
    """A published table or figure."""

    name: str
    title: str
    source: str
    seat: str
    cells: tuple[Cell, ...]
    table: bool
    """Whether the cells stand in rows and columns."""


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
    table = "cells" not in data
    known, needed = (TABLE_FIELDS, TABLE_FIELDS) if table else ({"cells"}, {"cells"})
    require(data, FIELDS | known, {"title", "game", "games", "seat", *needed}, path.name)
    count = games or (data.get("quick", max(2, data["games"] // 10)) if quick else data["games"])
    cells = tuple((table_cells if table else cells_of)(data, count, path.name))
    return Experiment(name.removesuffix(".toml"), data["title"], data.get("source", ""), data["seat"], cells, table)


def table_cells(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of a table, group by group and row by row."""
    rows, columns = labelled(data["rows"], "row"), labelled(data["columns"], "column")
    for group in data["groups"]:
        where = f"group {group.get('name')!r} of {file}"
        require(group, GROUP_FIELDS, {"name"}, where)
        options = {**data.get("options", {}), **group.get("options", {})}
        for name in ("published", "rounds"):
            known = group.get(name, [])
            if known and (len(known) != len(rows) or any(len(row) != len(columns) for row in known)):
                raise SpielbaumError(f"{where}: {name} needs {len(rows)} rows of {len(columns)}")
        for i, (row, meant) in enumerate(rows.items()):
            for j, (column, also) in enumerate(columns.items()):
                seats = {seat: spec.format(**meant, **also) for seat, spec in data["seats"].items()}
                plan = plan_of(data, options, seats, games, False, where)
                published, rounds = (
                    str(group[name][i][j]) if name in group else "" for name in ("published", "rounds")
                )
                seat = plan.load().seat_index(data["seat"])
                yield Cell(f"{row}, {column}", group["name"], seat, plan, published, rounds, row, column)


def labelled(given: list[str] | dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    """The words that each row or column puts into the agents' specifications."""
    pairs = given.items() if isinstance(given, dict) else ((text, text) for text in given)
    return {label: words if isinstance(words, dict) else {kind: words} for label, words in pairs}


def cells_of(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of a file."""
    for number, cell in enumerate(data["cells"], 1):
        where = f"cell {number} of {file}"
        require(cell, CELL_FIELDS, {"name", "seats"}, where)
        options = {**data.get("options", {}), **cell.get("options", {})}
        plan = plan_of(data, options, cell["seats"], games, cell.get("swap", False), where)
        seat = plan.load().seat_index(data["seat"])
        yield Cell(cell["name"], cell.get("group", ""), seat, plan, str(cell.get("published", "")))


def plan_of(
    data: dict[str, Any], options: dict[str, Any], seats: dict[str, str], games: int, swap: bool, where: str
) -> Plan:
    """The match of a cell."""
    game = load(data["game"], **options)
    agents = game.seated(seats)
    if set(agents) != set(range(game.players)):
        raise SpielbaumError(f"{where}: seats must name all of {', '.join(game.seats)}")
    return make_plan(game, [agents[seat] for seat in range(game.players)], games, data.get("seed", 0), rotate=swap)


def require(data: dict[str, Any], known: set[str], needed: set[str], where: str) -> None:
    """Refuse what nobody would read, and what is missing."""
    for name in data:
        if name not in known:
            raise unknown("field", name, sorted(known), where)
    for name in sorted(needed - set(data)):
        raise SpielbaumError(f"{where} needs {name!r}")
