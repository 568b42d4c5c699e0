"""The buildings, read from `buildings.toml`, and what follows from their rows: numbers that rules look up.

Production is packed: food + material * 2^20 + points * 2^40 in one whole number, so that one addition adds all three.
"""

from __future__ import annotations

import pathlib
import tomllib
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import GameError

FILE = pathlib.Path(__file__).with_name("buildings.toml")
RESOURCES = ("food", "material", "points")
FOOD, MATERIAL, POINTS = range(3)
LANE = 20
CATEGORIES = ("expansion", "food", "material", "housing", "points", "military", "trade")
CITY_CENTRE = 0
UNBUILT, OWN, FOREIGN = range(3)
FARTHEST = 2  # that a row or a pressure reaches
NATURE = ("forest", "mountain")


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
    """All kinds of buildings; an error names the one that is wrong."""
    try:
        entries = tomllib.loads(file.read_text("utf-8"))["building"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise GameError(f"{file.name} can't be read: {error}") from None
    found = [building(entry, file.name) for entry in entries]
    names = {each.key for each in found}
    for each in found:
        for row in each.rows:
            check_row(each.key, row, names, file.name)
    if [each.price for each in found] != sorted(each.price for each in found):
        raise GameError(f"{file.name}: buildings stand in the order of their prices")
    if not found or found[CITY_CENTRE].category != "expansion":
        raise GameError(f"{file.name}: the first building is the city centre, of the category expansion")
    return found


def building(entry: dict[str, Any], where: str) -> Building:
    key = entry.get("key", "a building without key")
    needed = {"key": str, "en": str, "de": str, "price": int, "category": str}
    for name, kind in needed.items():
        if not isinstance(entry.get(name), kind):
            raise GameError(f"{where}: {key} needs {name}, {'a text' if kind is str else 'a whole number'}")
    unknown = set(entry) - set(needed) - {"rows", "pressure"}
    if unknown:
        raise GameError(f"{where}: {key} has an unknown entry {min(unknown)!r}")
    if entry["category"] not in CATEGORIES:
        raise GameError(f"{where}: {key} has the category {entry['category']!r}; there are {', '.join(CATEGORIES)}")
    amount, reach = entry.get("pressure", (0, 0))
    if not 0 <= reach <= FARTHEST:
        raise GameError(f"{where}: the pressure of {key} reaches {reach} tiles; at most {FARTHEST}")
    rows = [tuple(row) for row in entry.get("rows", ())]
    return Building(key, entry["en"], entry["de"], entry["price"], entry["category"], rows, (amount, reach))


def check_row(key: str, row: tuple[Any, ...], names: set[str], where: str) -> None:
    right = f"{where}: {key} has a row {list(row)}; right is [resource, amount, target, from, to]"
    if len(row) != 5 or row[0] not in RESOURCES or not all(isinstance(number, int) for number in (row[1], *row[3:])):
        raise GameError(right)
    target, first, last = row[2:]
    side, _, which = target.partition(":")
    known = target in ("flat", "unbuilt", "own", "foreign", "nature", *NATURE)
    known = known or (side == "own" and which in {*names, *CATEGORIES, "not-housing"})
    known = known or (side == "foreign" and which in names)
    nearest = 1 if side in ("unbuilt", "own", "foreign") else 0
    if not known or not nearest <= first <= last <= FARTHEST:
        raise GameError(f"{right}; targets and distances stand at the top of the file")


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
