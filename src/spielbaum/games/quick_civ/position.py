"""Positions of Quick Civ as text, both ways: the map and the round, then a line for each player.

    map 1, round 40
    nw 120/35/8: city_center 1,1; farm 1,2; fort 2,2
    ne 30/20/0: city_center 1,12
    se 30/20/0: city_center 13,12
    sw 30/20/0 last 12,2 late: city_center 13,1; museum 12,2
    siege 1,12 by nw for 2

A player's numbers are food, material and points. After them may stand the tile that was built on last (the start tile
unless given), `late` for who has built one of the most expensive buildings, and with science the technologies that are
known (`knows crafts+trade`). Lines about sieges come last. Lines may also be separated by bars.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.games.quick_civ.board import SIDE, exists, tile
from spielbaum.games.quick_civ.rules import BASE_INCOME, NOBODY, STATE, clear, learn, put, set_tile
from spielbaum.games.quick_civ.tables import BUILDINGS, SEATED, SEATS, TECHNOLOGIES, Tables

FIRST = re.compile(r"map (\d+), round (\d+)")
PLAYER = re.compile(r"(\w+) (\d+)/(\d+)/(\d+)(?: last (\d+,\d+))?( late)?(?: knows ([\w+]+))?: *(.*)")
SIEGE = re.compile(r"siege (\d+,\d+) by (\w+) for ([12])")
NUMBERS = {building.key: number for number, building in enumerate(BUILDINGS)}


def place(number: int) -> str:
    """A tile as its row and column."""
    return f"{number // SIDE},{number % SIDE}"


def names(t: Tables) -> list[str]:
    return [SEATS[corner] for corner in SEATED[t.players]]


def format_position(t: Tables, s: Any) -> str:
    """The position as text from which `parse_position` sets it up again."""
    lines = [f"map {s.map}, round {s.rounds + 1}"]
    for p, name in enumerate(names(t)):
        tiles = [number for number in range(SIDE * SIDE) if s.owner[number] == p]
        built = "; ".join(f"{BUILDINGS[s.building[number]].key} {place(number)}" for number in tiles)
        stock = "/".join(str(amount) for amount in s.stock[p])
        last = f" last {place(int(s.last[p]))}" if s.last[p] != t.start[p] else ""
        late = " late" if s.late[p] else ""
        learnt = "+".join(each.key for number, each in enumerate(TECHNOLOGIES) if int(s.known[p]) >> number & 1)
        knows = f" knows {learnt}" if learnt else ""
        lines.append(f"{name} {stock}{last}{late}{knows}: {built}")
    besieged = [number for number in range(SIDE * SIDE) if s.siege[number] > 0]
    lines += [f"siege {place(n)} by {names(t)[s.holder[n]]} for {s.siege[n]}" for n in besieged]
    return "\n".join(lines)


def parse_position(t: Tables, text: str, scratch: Any) -> np.ndarray:
    """The position that a text describes; an error says what is wrong with it."""
    first, *lines = [line.strip() for line in re.split(r"[\n|]", text) if line.strip()] or [""]
    found = FIRST.fullmatch(first)
    if not found or not 1 <= int(found[2]) <= t.rounds + 1 or int(found[1]) >= 2**31:
        raise SpielbaumError(f"a position begins with a line like 'map 1, round 40' (of {t.rounds}), not {first!r}")
    array = np.zeros(1, STATE)
    s = array[0]
    clear(t, s, int(found[1]), scratch)
    s.rounds = int(found[2]) - 1
    players, sieges = lines[: t.players], lines[t.players :]
    if len(players) < t.players:
        raise SpielbaumError(f"a position has a line for each of {', '.join(names(t))}")
    for p, line in enumerate(players):
        set_player(t, s, p, line)
    for line in sieges:
        set_siege(t, s, line)
    return array


def set_player(t: Tables, s: Any, p: int, line: str) -> None:
    found = PLAYER.fullmatch(line)
    if not found or found[1] != names(t)[p]:
        raise SpielbaumError(f"{line!r} is no line like '{names(t)[p]} 30/20/0: city_center 1,1; farm 1,2'")
    s.stock[p] = [int(found[2]), int(found[3]), int(found[4])]
    s.production[p] = BASE_INCOME
    s.last[p] = read_place(found[5]) if found[5] else t.start[p]
    s.late[p] = bool(found[6])
    s.unlocked[p] = t.unlocked
    for key in filter(None, (found[7] or "").split("+")):
        learn(t, s, p, read_technology(t, key))
    for part in filter(None, map(str.strip, found[8].split(";"))):
        key, _, where = part.partition(" ")
        if key not in NUMBERS:
            raise SpielbaumError(f"{part!r}: there is no building {key!r}")
        number = read_place(where)
        if s.owner[number] != NOBODY:
            raise SpielbaumError(f"{part!r}: the tile is built on already")
        set_tile(t, s, number, p, NUMBERS[key])


def set_siege(t: Tables, s: Any, line: str) -> None:
    found = SIEGE.fullmatch(line)
    if not found or found[2] not in names(t):
        raise SpielbaumError(f"{line!r} is no line like 'siege 1,12 by nw for 2'")
    number = read_place(found[1])
    if s.owner[number] == NOBODY:
        raise SpielbaumError(f"{line!r}: nothing is built there")
    s.holder[number], s.siege[number] = names(t).index(found[2]), int(found[3])
    put(s.running, number)


def read_technology(t: Tables, key: str) -> int:
    keys = [each.key for each in TECHNOLOGIES[: t.technologies]]
    if key not in keys:
        there = f"there are {', '.join(keys)}" if keys else "set science=on"
        raise SpielbaumError(f"there is no technology {key!r}; {there}")
    return keys.index(key)


def read_place(text: str) -> int:
    row, _, column = text.partition(",")
    if not (row.isdecimal() and column.isdecimal() and exists(int(row), int(column))):
        raise SpielbaumError(f"{text!r} is no tile; tiles are row,column from 0,0 to {SIDE - 1},{SIDE - 1}")
    return tile(int(row), int(column))
