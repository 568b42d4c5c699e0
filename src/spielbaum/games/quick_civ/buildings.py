"""The buildings, read from `buildings.toml`, and what follows from their rows: numbers that rules look up.

Production is packed: food + material * 2^20 + points * 2^40 in one whole number, so that one addition adds all three.
"""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import GameError
from spielbaum.games.quick_civ.entries import Entry, entries

FILE = pathlib.Path(__file__).with_name("buildings.toml")
RESOURCES = ("food", "material", "points")
FOOD, MATERIAL, POINTS = range(3)
LANE = 20
CATEGORIES = ("expansion", "food", "material", "housing", "points", "military", "trade")
CITY_CENTRE = 0
UNBUILT, OWN, FOREIGN = range(3)
FARTHEST = 2  # that a row or a pressure reaches
NATURE = ("forest", "mountain")
TARGETS = ("flat", "unbuilt", "own", "foreign", "nature", *NATURE)
OF_OTHERS = "own:CATEGORY, own:BUILDING, own:not-housing and foreign:BUILDING"
MOST = 63  # kinds, of which a set is one word


class Building(NamedTuple):
    """A kind of building."""

    key: str
    en: str
    de: str
    price: int
    category: str
    rows: list[tuple[str, int, str, int, int]]
    pressure: tuple[int, int]


def read(file: pathlib.Path = FILE) -> list[Building]:
    """All kinds of buildings; an error names the line that is wrong."""
    found = entries(file, "building")
    if not found:
        raise GameError(f"{file.name} has no building; each begins with [[building]]")
    refuse_twice(found)
    names, price = {entry.key for entry in found}, 0
    for entry in found:
        check_building(entry, names)
        if entry.values["price"] < price:
            raise entry.wrong("price", f"costs {entry.values['price']}, but buildings stand in the order of prices")
        price = entry.values["price"]
    if found[CITY_CENTRE].values["category"] != "expansion":
        raise found[CITY_CENTRE].wrong("category", "stands first, where the city centre must, of category expansion")
    if len(found) > MOST:
        raise found[MOST].wrong("", f"is one too many; there may be {MOST} buildings")
    return [to_building(entry.values) for entry in found]


def refuse_twice(found: list[Entry]) -> None:
    """No two entries may have the same key."""
    seen: set[str] = set()
    for entry in found:
        if entry.key in seen:
            raise entry.wrong("key", "is there twice")
        seen.add(entry.key)


def check_building(entry: Entry, names: set[str]) -> None:
    entry.demand({"key": str, "en": str, "de": str, "price": int, "category": str}, {"rows": list, "pressure": list})
    values = entry.values
    if values["price"] < 1:
        raise entry.wrong("price", f"costs {values['price']}; a price is 1 or more")
    if values["category"] not in CATEGORIES:
        raise entry.wrong("category", f"has the category {values['category']!r}; there are {', '.join(CATEGORIES)}")
    pressure = values.get("pressure", [0, 0])
    if len(pressure) != 2 or any(type(n) is not int or n < 0 for n in pressure) or pressure[1] > FARTHEST:
        raise entry.wrong("pressure", f"has the pressure {pressure}; right is [amount, range], range 0 to {FARTHEST}")
    for row in values.get("rows", []):
        check_row(entry, row, names)


def check_row(entry: Entry, row: Any, names: set[str]) -> None:
    told = f"has a row {row!r}; right is [resource, amount, target, from, to]"
    if not isinstance(row, list) or [type(part) for part in row] != [str, int, str, int, int]:
        raise entry.wrong("rows", told)
    resource, _, target, first, last = row
    if resource not in RESOURCES:
        raise entry.wrong("rows", f"has a row of {resource!r}; resources are {', '.join(RESOURCES)}")
    side, _, which = target.partition(":")
    known = target in TARGETS or (side == "own" and which in {*names, *CATEGORIES, "not-housing"})
    if not known and not (side == "foreign" and which in names):
        raise entry.wrong("rows", f"has the target {target!r}; there are {', '.join(TARGETS)}, {OF_OTHERS}")
    nearest = 1 if side in ("unbuilt", "own", "foreign") else 0
    if not nearest <= first <= last <= FARTHEST:
        raise entry.wrong("rows", f"looks {first} to {last} tiles away; {target} is from {nearest} to {FARTHEST}")


def to_building(values: dict[str, Any]) -> Building:
    rows = [tuple(row) for row in values.get("rows", [])]
    amount, reach = values.get("pressure", [0, 0])
    return Building(
        values["key"], values["en"], values["de"], values["price"], values["category"], rows, (amount, reach)
    )


def pack(resource: str, amount: int) -> int:
    return amount << LANE * RESOURCES.index(resource)


def flat(buildings: list[Building]) -> np.ndarray:
    """i8[b]: what each building yields by itself."""
    return np.array([sum(pack(row[0], row[1]) for row in each.rows if row[2] == "flat") for each in buildings])


def of_nature(buildings: list[Building]) -> np.ndarray:
    """i8[b, 6]: for each forest at distance 0, 1, 2 and for each mountain."""
    found = np.zeros((len(buildings), 6), np.int64)
    for number, each in enumerate(buildings):
        for resource, amount, target, first, last in each.rows:
            for kind, element in enumerate(NATURE):
                if target in (element, "nature"):
                    found[number, 3 * kind + first : 3 * kind + last + 1] += pack(resource, amount)
    return found


def of_tiles(buildings: list[Building]) -> np.ndarray:
    """i8[b, 2, 3, other]: for each tile at distance 1 or 2 that is unbuilt, own or foreign, by what stands there."""
    found = np.zeros((len(buildings), FARTHEST, 3, len(buildings)), np.int64)
    for number, each in enumerate(buildings):
        for resource, amount, target, first, last in each.rows:
            side, _, which = target.partition(":")
            if side in ("unbuilt", "own", "foreign"):
                relation = ("unbuilt", "own", "foreign").index(side)
                hit = [counts(other, which) for other in buildings]
                found[number, first - 1 : last, relation, hit] += pack(resource, amount)
    return found


def counts(other: Building, which: str) -> bool:
    """Whether a building is one of those that a row names after the colon."""
    return which in ("", other.key, other.category) or (which == "not-housing" and other.category != "housing")
