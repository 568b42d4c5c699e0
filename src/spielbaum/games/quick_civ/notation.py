"""Quick Civ as text: the map row by row, odd rows shifted, and a line for each player.

A built tile is the number of its owner and two letters of its building (`1Ci` is a city centre of the first player), an
unbuilt one shows its trees and mountains (`T` and `^`) or a dot. In a player's view of a game in the fog, tiles out of
sight have a question mark, and of others only their points and the tiles in sight are told.
"""

from __future__ import annotations

from typing import Any

from spielbaum.games.quick_civ.board import SIDE, exists, tile
from spielbaum.games.quick_civ.buildings import POINTS, RESOURCES
from spielbaum.games.quick_civ.effects import unpacked
from spielbaum.games.quick_civ.rules import NOBODY, has
from spielbaum.games.quick_civ.tables import BUILDINGS, SEATED, SEATS, TECHNOLOGIES, Tables


def short_names() -> list[str]:
    """Two letters for each building, all different: the first, and the earliest that no building before has.

    >>> short_names()[:4]
    ['Ci', 'Fa', 'Ga', 'St']
    """
    taken: list[str] = []
    for kind in BUILDINGS:
        letters = [letter for letter in kind.key[1:] if letter.isalpha()]
        taken.append(next(name for letter in letters if (name := kind.key[0].upper() + letter) not in taken))
    return taken


SHORT = short_names()


def render(t: Tables, s: Any) -> str:
    """The map, then stocks and income."""
    lines = ["  " * (row % 2) + " ".join(cell(s, row, column) for column in range(SIDE)) for row in range(SIDE)]
    names = [SEATS[corner] for corner in SEATED[t.players]]
    lines += ["", f"round {min(int(s.rounds) + 1, t.rounds)} of {t.rounds}"]
    for p, name in enumerate(names):
        if s.viewer and p != s.viewer - 1:
            lines.append(f"{p + 1} {name}: points {s.stock[p, POINTS]}, tiles in sight {s.tiles[p]}")
            continue
        income = unpacked(int(s.production[p]))
        stock = [f"{what} {s.stock[p, i]} ({income[i]:+d})" for i, what in enumerate(RESOURCES)]
        lines.append(f"{p + 1} {name}: {', '.join(stock)}, tiles {s.tiles[p]}{learnt(t, s, p)}")
    return "\n".join(line.rstrip() for line in lines)


def learnt(t: Tables, s: Any, player: int) -> str:
    """What a player has researched, in a game with science."""
    known = [each.key for number, each in enumerate(TECHNOLOGIES) if int(s.known[player]) >> number & 1]
    return f", knows {' '.join(known) or 'nothing'}" if t.technologies else ""


def cell(s: Any, row: int, column: int) -> str:
    """Three letters."""
    if not exists(row, column):
        return "   "
    number = tile(row, column)
    if s.owner[number] != NOBODY:
        return f"{s.owner[number] + 1}{SHORT[s.building[number]]}"
    nature = "T" * int(s.nature[number, 0]) + "^" * int(s.nature[number, 3])
    if s.viewer and not has(s.sight[s.viewer - 1], number):
        nature += "?"[: 3 - len(nature)]
    return f"{nature or '.':^3}"
