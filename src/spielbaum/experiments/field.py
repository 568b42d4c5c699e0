"""A field: players who all meet each other, in several groups of games, set beside what was published of them.

A pair is played once, with sides swapped; its other half is the same games seen from the other side. The mean of a
player is that of all its games, which are as many against each of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielbaum.arena.stats import Tally
from spielbaum.experiments import Field

ALL = "all"


def tally_of(row: dict[str, Any]) -> Tally:
    return Tally(row["wins"], row["draws"], row["losses"])


def seen_by(player: str, row: dict[str, Any]) -> Tally:
    """The games of a cell from one player's side."""
    tally = tally_of(row)
    return tally if row["row"] == player else Tally(tally.losses, tally.draws, tally.wins)


def players_of(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for end in ("row", "column") for row in rows for name in [row[end]]))


def pairs(rows: Sequence[dict[str, Any]], field: Field) -> list[dict[str, Any]]:
    """Each player against each other one, all groups together."""
    found = []
    for one in players_of(rows):
        for other in players_of(rows):
            played = [seen_by(one, row) for row in rows if {row["row"], row["column"]} == {one, other}]
            if played:
                found.append(cell(one, other, sum(played, Tally()), field.pairs.get((one, other), "")))
    return found


def means(rows: Sequence[dict[str, Any]], field: Field) -> list[dict[str, Any]]:
    """Each player who has met all others, in each group and in all of them."""
    groups, players = list(dict.fromkeys(row["group"] for row in rows)), players_of(rows)
    found = []
    for player in players:
        mine = [row for row in rows if player in (row["row"], row["column"])]
        if len(mine) < (len(players) - 1) * len(groups):
            continue
        for name, chosen in [*((group, [group]) for group in groups), (ALL, groups)]:
            tally = sum((seen_by(player, row) for row in mine if row["group"] in chosen), Tally())
            published = field.means.get((player, "" if name == ALL else name), "")
            found.append(cell(player, name, tally, published))
    return found


def columns_of(cells: Sequence[dict[str, Any]]) -> list[str]:
    """The columns, in the order of the rows where they are the same players."""
    columns = dict.fromkeys(cell["column"] for cell in cells)
    rows = dict.fromkeys(cell["row"] for cell in cells)
    return [*(row for row in rows if row in columns), *(column for column in columns if column not in rows)]


def cell(row: str, column: str, tally: Tally, published: str) -> dict[str, Any]:
    """A figure of ours beside theirs."""
    return {
        "row": row,
        "column": column,
        "games": tally.games,
        "score": tally.score,
        "interval": list(tally.interval),
        "published": published,
    }
