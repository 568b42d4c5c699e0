"""Published results as small declarative files, to be played again and set beside ours.

    spielbaum reproduce latrunculi/6.2

A file is TOML: what is played, and a list of cells, each with its agents and with what was published.

    title = "…"                          shown above the table
    source = "…"                         where the published figures stand
    game = "latrunculi"
    games = 200                          of each cell; `quick` of them with --quick
    seat = "shells"                      whose results the table shows
    options = { board = "8x8" }
    parameters = { simulations = 500 }   what {simulations} stands for in agents; --set changes it
    full = { games = 500, simulations = 100000 }        as published, with --full; also `options` in place of those
    seconds_per_move = "{seconds}"       everybody's time for a move, where it is limited
    published_games = 1000               how many games the published figures come from, where that is known
    timed_games = 1000                   how many games the published `seconds` were for
    stronger = "higher"                  in which direction our player is the stronger one: `higher` or `lower`
    why = "…"                            what explains a difference; or { label = "…" } for cells, rows, columns, groups
    opening = 0                          random moves that games begin with; 4 unless said otherwise, see `opening_of`

    [[cells]]
    name = "…"                           the row; cells with the same `group` stand together
    seats = { shells = "…", stones = "…" }
    swap = true                          sides are swapped; the row then shows the agent that begins in `seat`
    published = "7 of 10"
    published_range = [0.5, 1]           the scores that agree with it, where it is no number

Where players play for themselves, agents can have several seats each, all of which they take in turn. The row shows
the first one, and its mean place:

    [[cells]]
    name = "one against five"
    agents = "1*thor,5*odin"             in place of `seats`, and of the file's `seat`
    published = "50 %"
    published_place = "2"

A table with rows and columns is written down without its cells:

    seats = { mrx = "{column}", detectives = "{row}" }
    rows = ["random", "greedy-bool-1"]   what {row} stands for; or { label = "…" }, or { label = { opponent = "…" } }
    columns = { "(S,G)" = "safepath/greedy-bool-1" }

    [[groups]]                           the whole table once more for each of them
    name = "6 players"
    options = { players = 6 }
    published = [[69.89], [0.05]]        in per cent, as many rows and columns; "" where nothing is known
    rounds = [[17.54], [""]]             likewise; also `rounds_won` and `rounds_lost`, of such games alone
    seconds = [[42.3], [""]]             likewise, that they took for `timed_games`; `move_seconds` for a move

In a field everybody meets everybody with sides swapped, once for each group (see `field.py`):

    field = { UCT = "mcts", "DUCT(mix)" = "mcts:decide=mix" }
    published = [["", 55], [45, ""]]     of all groups together: row against column
    means = [55, 45]                     likewise: row against all others

    [[groups]]
    name = "board (a)"
    options = { board = "a" }
    means = [47, 39]                     those of the group

In a league agents meet at tables of any size, and are rated:

    league = ["random", "mcts:iterations={iterations}"]

    [[groups]]
    name = "six at a table"
    options = { players = 6 }
    tables = 12                          so many groups of agents, everybody equally often; all there are unless given

In a series a variant has half of the seats and what it varies the other half, in all seatings (see `series.py`):

    [[series]]
    name = "300 iterations"
    base = "vanilla:iterations={iterations}"
    variant = "vanilla:iterations={iterations},filter=near-last"
    published = 3.15                     t of the variant's points against the base's; none in a control

A study of positions is another kind of file: see `study.py`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.matches import parse_groups, seats_of
from spielbaum.arena.pairings import MOST_GROUPS, round_robin
from spielbaum.arena.plan import MOST_GAMES, Plan, make_plan, possible
from spielbaum.arena.single import starts_alike
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.experiments.files import is_study, names, read, require
from spielbaum.game import Game, load
from spielbaum.params import Value

__all__ = ["Cell", "Experiment", "Field", "Settings", "is_study", "load_experiment", "names"]

OPENING = 4
FIELDS = {"title", "source", "game", "games", "quick", "seed", "seat", "options", "parameters", "full", "opening"}
FIELDS |= {"seconds_per_move", "published_games", "timed_games", "stronger", "why"}
CELL_FIELDS = {"name", "group", "seats", "agents", "swap", "options", "published", "published_place"}
CELL_FIELDS |= {"published_games", "published_range"}
TABLE_FIELDS = {"seats", "rows", "columns", "groups"}
ROUNDS = {"all": "rounds", "won": "rounds_won", "lost": "rounds_lost"}
SECONDS = {"games": "seconds", "move": "move_seconds"}
GROUP_FIELDS = {"name", "options", "published", "published_games", *ROUNDS.values(), *SECONDS.values()}
FIELD_FIELDS = {"field", "groups", "published", "means"}
FIELD_GROUP_FIELDS = {"name", "options", "means"}
LEAGUE_FIELDS = {"league", "groups"}
LEAGUE_GROUP_FIELDS = {"name", "options", "tables"}
SHAPES = ("cells", "field", "league", "series", "table")
FIRST = "the first"  # whose results are shown where no seat is named
SERIES_FIELDS = {"name", "base", "variant", "published"}


@dataclass(frozen=True)
class Settings:
    """How an experiment is played, other than as its file says."""

    full: bool = False
    seed: int = 0
    parameters: Mapping[str, Value] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One match of an experiment."""

    name: str
    group: str
    seat: int
    """Whose results count: those of the agent that begins here."""
    plan: Plan
    published: str
    rounds: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The published numbers of rounds, of games by how they ended: see ROUNDS."""
    row: str = ""
    column: str = ""
    place: str = ""
    """The published mean place."""
    seconds: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The published times: see SECONDS."""
    published_games: int | None = None
    timed_games: int | None = None
    published_range: tuple[float, float] | None = None
    """The scores that agree with what was published in words."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What the cell is called, the narrowest name first."""
        return (self.name, self.row, self.column, self.group)


@dataclass(frozen=True)
class Field:
    """What was published of players who all meet each other, in per cent; "" where nothing is known."""

    pairs: dict[tuple[str, str], str]
    """Row against column, of all groups together."""
    means: dict[tuple[str, str], str]
    """A player against all others, in a group; the group "" is all of them."""


@dataclass(frozen=True)
class Experiment:
    """A published table or figure."""

    name: str
    title: str
    source: str
    seat: str
    cells: tuple[Cell, ...]
    shape: str
    """What the file holds, one of SHAPES."""
    field: Field | None = None
    why: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What explains a difference, by the label of a cell, row, column or group; "" is all of them."""
    stronger: str = ""
    settings: Settings = Settings()

    def only(self, groups: Sequence[str], rows: Sequence[str]) -> Experiment:
        """The cells of some groups and rows, of all where none are named; a row of a field is all games of a player."""
        known = list(dict.fromkeys(cell.group for cell in self.cells))
        for group in groups:
            if group not in known:
                raise unknown("group", group, known, self.name)
        labels = list(dict.fromkeys(label for cell in self.cells for label in self.labels(cell)))
        for row in rows:
            if row not in labels:
                raise unknown("row", row, labels, self.name)
        cells = [cell for cell in self.cells if not groups or cell.group in groups]
        return replace(self, cells=tuple(c for c in cells if not rows or set(rows) & set(self.labels(c))))

    def labels(self, cell: Cell) -> tuple[str, ...]:
        """The rows that a cell stands in."""
        return (cell.row, cell.column) if self.field else (cell.row or cell.name,)

    def reason(self, *labels: str) -> str:
        """What the file says about a difference of somebody with these labels; "" if nothing."""
        return next((self.why[label] for label in (*labels, "") if label in self.why), "")


def load_experiment(
    name: str,
    games: int | None = None,
    quick: bool = False,
    full: bool = False,
    parameters: Mapping[str, Value] | None = None,
    seed: int | None = None,
) -> Experiment:
    """An experiment by its name, or by the path of a file of yours.

    `games`, `parameters` and `seed` override what the file says; `full` plays as much as was published.
    """
    data, file = read(name)
    shape = next((shape for shape in SHAPES if shape in data), "table")
    known, needed = {
        "cells": ({"cells"}, {"cells"}),
        "table": (TABLE_FIELDS, TABLE_FIELDS),
        "field": (FIELD_FIELDS, {"field", "groups"}),
        "league": (LEAGUE_FIELDS, LEAGUE_FIELDS),
        "series": ({"series"}, {"series"}),
    }[shape]
    seatless = shape in ("league", "series") or (shape == "cells" and all("agents" in cell for cell in data["cells"]))
    require(data, FIELDS | known, {"title", "game", "games", *([] if seatless else ["seat"]), *needed}, file)
    data |= sizes(data, full, parameters or {}, file)
    data["seed"] = data.get("seed", 0) if seed is None else seed
    if (stronger := data.get("stronger", "higher")) not in ("higher", "lower"):
        raise SpielbaumError(f"{file}: stronger={stronger!r} is not possible: higher or lower")
    count = games or (data.get("quick", max(2, data["games"] // 10)) if quick else data["games"])
    makers = {
        "cells": cells_of,
        "table": table_cells,
        "field": field_cells,
        "league": league_cells,
        "series": series_cells,
    }
    cells = tuple(makers[shape](data, count, file))
    return Experiment(
        name.removesuffix(".toml"),
        data["title"],
        data.get("source", ""),
        data.get("seat", FIRST),
        cells,
        shape,
        published_field(data, file) if shape == "field" else None,
        reasons(data.get("why", ""), cells, file),
        data.get("stronger", ""),
        Settings(full, data["seed"], data["parameters"]),
    )


def reasons(given: str | dict[str, str], cells: Sequence[Cell], file: str) -> dict[str, str]:
    """What explains differences, by the label of whom it is about; "" is everybody."""
    if isinstance(given, str):
        return {"": given} if given else {}
    known = {label for cell in cells for label in cell.labels}
    for label in given:
        if label not in known:
            raise unknown("label", label, sorted(known - {""}), f"why of {file}")
    return given


def sizes(data: dict[str, Any], full: bool, given: Mapping[str, Value], file: str) -> dict[str, Any]:
    """The number of games, the options and the parameters, as the file has them, as published or as given."""
    declared = data.get("parameters", {})
    for parameter in given:
        if parameter not in declared:
            raise unknown("parameter", parameter, sorted(declared), file)
    published = data.get("full", {})
    require(published, {"games", "options", *declared}, set(), f"full of {file}")
    if full and not published:
        raise SpielbaumError(f"{file} is played in full as it is; leave --full out")
    sized = {"games": data["games"], "options": data.get("options", {})}
    chosen = {**sized, **declared, **(published if full else {}), **given}
    return {"games": chosen.pop("games"), "options": chosen.pop("options"), "parameters": chosen}


def table_cells(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of a table, group by group and row by row."""
    rows, columns = labelled(data["rows"], "row"), labelled(data["columns"], "column")
    for group in data["groups"]:
        where = f"group {group.get('name')!r} of {file}"
        require(group, GROUP_FIELDS, {"name"}, where)
        options = {**data.get("options", {}), **group.get("options", {})}
        for name in ("published", *ROUNDS.values(), *SECONDS.values()):
            known = group.get(name, [])
            if known and (len(known) != len(rows) or any(len(row) != len(columns) for row in known)):
                raise SpielbaumError(f"{where}: {name} needs {len(rows)} rows of {len(columns)}")
        for i, (row, meant) in enumerate(rows.items()):
            for j, (column, also) in enumerate(columns.items()):
                words = {**data["parameters"], **meant, **also}
                seats = {seat: spec.format(**words) for seat, spec in data["seats"].items()}
                plan = plan_of(data, options, seats, games, False, where)
                rounds, seconds = (
                    {name: as_printed(group[field], i, j) for name, field in fields.items() if field in group}
                    for fields in (ROUNDS, SECONDS)
                )
                yield Cell(
                    f"{row}, {column}",
                    group["name"],
                    plan.load().seat_index(data["seat"]),
                    plan,
                    as_printed(group["published"], i, j) if "published" in group else "",
                    rounds,
                    row,
                    column,
                    seconds=seconds,
                    published_games=games_of(data, group, "published_games"),
                    timed_games=games_of(data, group, "timed_games"),
                )


def as_printed(figures: list[list[float | str]], i: int, j: int) -> str:
    """A figure of a table with as many digits as the others have, so that it is known how it was rounded.

    >>> as_printed([[24.9, 23.05, ""]], 0, 0)
    '24.90'
    """
    digits = max(len(str(figure).partition(".")[2]) for row in figures for figure in row if not isinstance(figure, str))
    figure = figures[i][j]
    return figure if isinstance(figure, str) else f"{figure:.{digits}f}"


def labelled(given: list[str] | dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    """The words that each row or column puts into the agents' specifications."""
    pairs = given.items() if isinstance(given, dict) else ((text, text) for text in given)
    return {label: words if isinstance(words, dict) else {kind: words} for label, words in pairs}


def cells_of(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of a file."""
    for number, cell in enumerate(data["cells"], 1):
        where = f"cell {number} of {file}"
        require(cell, CELL_FIELDS, {"name"}, where)
        if ("seats" in cell) == ("agents" in cell):
            raise SpielbaumError(f"{where} needs either 'seats' or 'agents'")
        options = {**data.get("options", {}), **cell.get("options", {})}
        if "agents" in cell:
            plan, seat = shared_plan(data, options, cell["agents"].format(**data["parameters"]), games), 0
        else:
            seats = {seat: spec.format(**data["parameters"]) for seat, spec in cell["seats"].items()}
            plan = plan_of(data, options, seats, games, cell.get("swap", False), where)
            seat = plan.load().seat_index(data["seat"])
        published, place = (str(cell.get(name, "")) for name in ("published", "published_place"))
        yield Cell(
            cell["name"],
            cell.get("group", ""),
            seat,
            plan,
            published,
            place=place,
            published_games=games_of(data, cell, "published_games"),
            published_range=range_of(cell, where),
        )


def games_of(data: dict[str, Any], part: dict[str, Any], field: str) -> int | None:
    """How many games a published figure comes from, where the file or a part of it says so."""
    count = part.get(field, data.get(field))
    return None if count is None else possible(field, count, 1, MOST_GAMES)


def range_of(cell: dict[str, Any], where: str) -> tuple[float, float] | None:
    """The scores that agree with what was published in words."""
    given = cell.get("published_range")
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != 2 or not 0 <= given[0] <= given[1] <= 1:
        raise SpielbaumError(f"{where}: published_range={given} is not possible: two scores between 0 and 1")
    return float(given[0]), float(given[1])


def shared_plan(data: dict[str, Any], options: dict[str, Any], agents: str, games: int) -> Plan:
    """A match of agents with several seats each."""
    game = load(data["game"], **options)
    counts, specs = parse_groups([agents])
    groups, opening = [seats_of(game, specs, counts)], opening_of(data, game)
    return make_plan(game, specs, games, data.get("seed", 0), groups=groups, opening=opening, control=control_of(data))


def league_cells(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """A tournament for each size of the tables."""
    agents = [spec.format(**data["parameters"]) for spec in data["league"]]
    for group in data["groups"]:
        where = f"group {group.get('name')!r} of {file}"
        require(group, LEAGUE_GROUP_FIELDS, {"name"}, where)
        game = load(data["game"], **{**data.get("options", {}), **group.get("options", {})})
        seed, opening = data.get("seed", 0), opening_of(data, game)
        meetings = round_robin(len(agents), game.players, group.get("tables", MOST_GROUPS), seed)
        plan = make_plan(game, agents, games, seed, groups=meetings, opening=opening, control=control_of(data))
        yield Cell(group["name"], group["name"], 0, plan, "")


def field_cells(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """Every pair of players, group by group."""
    players = {label: spec.format(**data["parameters"]) for label, spec in data["field"].items()}
    for group in data["groups"]:
        where = f"group {group.get('name')!r} of {file}"
        require(group, FIELD_GROUP_FIELDS, {"name"}, where)
        options = {**data.get("options", {}), **group.get("options", {})}
        game = load(data["game"], **options)
        for row, column in itertools.combinations(players, 2):
            agents, opening = [players[row], players[column]], opening_of(data, game)
            plan = make_plan(game, agents, games, data.get("seed", 0), opening=opening, control=control_of(data))
            yield Cell(f"{row}, {column}", group["name"], 0, plan, "", row=row, column=column)


def series_cells(data: dict[str, Any], games: int, file: str) -> Iterator[Cell]:
    """The matches of series: half of the seats each, in all seatings, with metrics for every round."""
    game = load(data["game"], **data.get("options", {}))
    half = game.players // 2
    for number, each in enumerate(data["series"], 1):
        require(each, SERIES_FIELDS, {"name", "base", "variant"}, f"series {number} of {file}")
        agents = [each[role].format(**data["parameters"]) for role in ("base", "variant")]
        group, opening = (0,) * half + (1,) * (game.players - half), opening_of(data, game)
        plan = make_plan(game, agents, games, data.get("seed", 0), groups=[group], opening=opening, rounds=True)
        yield Cell(each["name"], "", 1, plan, str(each.get("published", "")))


def published_field(data: dict[str, Any], file: str) -> Field:
    """What a file says about a field."""
    players = list(data["field"])
    pairs, means = data.get("published", []), {"": data.get("means", [])}
    means |= {group["name"]: group.get("means", []) for group in data["groups"]}
    if pairs and (len(pairs) != len(players) or any(len(row) != len(players) for row in pairs)):
        raise SpielbaumError(f"{file}: published needs {len(players)} rows of {len(players)}")
    for name, known in means.items():
        if known and len(known) != len(players):
            raise SpielbaumError(f"{file}: means of {name or 'all groups'} need {len(players)} numbers")
    told = {
        (one, other): str(x)
        for one, row in zip(players, pairs, strict=False)
        for other, x in zip(players, row, strict=True)
    }
    return Field(
        told, {(one, name): str(x) for name, known in means.items() for one, x in zip(players, known, strict=False)}
    )


def plan_of(
    data: dict[str, Any], options: dict[str, Any], seats: dict[str, str], games: int, swap: bool, where: str
) -> Plan:
    """The match of a cell."""
    game = load(data["game"], **options)
    agents = game.seated(seats)
    if set(agents) != set(range(game.players)):
        raise SpielbaumError(f"{where}: seats must name all of {', '.join(game.seats)}")
    seated, opening = [agents[seat] for seat in range(game.players)], opening_of(data, game)
    return make_plan(game, seated, games, data.get("seed", 0), rotate=swap, opening=opening, control=control_of(data))


def control_of(data: dict[str, Any]) -> TimeControl | None:
    """The time that everybody has for a move, where the file limits it."""
    if "seconds_per_move" not in data:
        return None
    given = str(data["seconds_per_move"]).format(**data["parameters"])
    try:
        return TimeControl(per_move=float(given))
    except ValueError:
        raise SpielbaumError(f"seconds_per_move={given!r} is not possible: a number of seconds above 0") from None


def opening_of(data: dict[str, Any], game: Game) -> int:
    """How many random moves games begin with: some, unless chance makes them differ or the file says otherwise.

    Who is strong from one position need not be so from others, and deterministic players repeat themselves. Figures
    that were published from the start position are played again from there: `opening = 0`.
    """
    if "opening" in data:
        return int(data["opening"])
    return OPENING if not game.chance and starts_alike(game) else 0
