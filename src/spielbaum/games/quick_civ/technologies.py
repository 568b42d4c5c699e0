"""The technologies, read from `buildings.toml`: what each costs, which ones it needs, and the buildings it unlocks.

Sets of technologies and of buildings are bits of one word.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielbaum.errors import GameError
from spielbaum.games.quick_civ.buildings import FILE, MOST, Building, refuse_twice
from spielbaum.games.quick_civ.entries import Entry, entries


class Technology(NamedTuple):
    """What can be researched."""

    key: str
    en: str
    de: str
    food: int
    material: int
    needs: list[str]
    unlocks: list[str]


def read(buildings: list[Building], file: pathlib.Path = FILE) -> list[Technology]:
    """All technologies; an error names the line that is wrong."""
    found = entries(file, "technology")
    refuse_twice(found)
    names, unlocked = {entry.key for entry in found}, dict[str, str]()
    for entry in found:
        check(entry, names, {kind.key for kind in buildings[1:]})
        for key in entry.values["unlocks"]:
            if key in unlocked:
                raise entry.wrong("unlocks", f"unlocks {key}, which {unlocked[key]} does already")
            unlocked[key] = entry.key
    if len(found) > MOST:
        raise found[MOST].wrong("", f"is one too many; there may be {MOST} technologies")
    refuse_circles(found)
    return [Technology(**{"needs": [], **entry.values}) for entry in found]


def check(entry: Entry, names: set[str], buildings: set[str]) -> None:
    entry.demand(
        {"key": str, "en": str, "de": str, "food": int, "material": int, "unlocks": list},
        {"needs": list},
    )
    for resource in ("food", "material"):
        if entry.values[resource] < 0:
            raise entry.wrong(resource, f"costs {entry.values[resource]} {resource}; a price is 0 or more")
    for field, known, what in (("needs", names, "technology"), ("unlocks", buildings, "building")):
        for key in entry.values.get(field, ()):
            if key not in known:
                raise entry.wrong(field, f"{field} {key!r}, which is no {what}; there are {', '.join(sorted(known))}")


def refuse_circles(found: list[Entry]) -> None:
    """Whatever is needed must be possible to know before."""
    possible, left = set[str](), list(found)
    while left:
        waiting = [entry for entry in left if not possible.issuperset(entry.values.get("needs", ()))]
        if len(waiting) == len(left):
            circle = ", ".join(entry.key for entry in waiting)
            raise waiting[0].wrong("needs", f"can never be known, because technologies need each other: {circle}")
        possible |= {entry.key for entry in left if entry not in waiting}
        left = waiting


def refuse_none(technologies: Sequence[Technology]) -> None:
    if not technologies:
        raise GameError(f"science=on needs technologies in {FILE.name}, each a [[technology]]; there are none")


def mask(keys: Sequence[str], order: Sequence[str]) -> np.uint64:
    """A set as a word: the bit of each is its place in the order."""
    return np.uint64(sum(1 << order.index(key) for key in keys))


def unlocked_by(buildings: Sequence[Building], technologies: Sequence[Technology]) -> list[int]:
    """For each building the technology that unlocks it, -1 for those that everybody can build."""
    numbers = {key: number for number, each in enumerate(technologies) for key in each.unlocks}
    return [numbers.get(kind.key, -1) for kind in buildings]
